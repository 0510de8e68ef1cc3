import NearbyBluetooth

/// Carries packets between simulated radios. Implemented by the simulated world.
package protocol BluetoothMedium {
  /// Decides the fate of one packet.
  ///
  /// - Parameters:
  ///   - sender: The sending device's index, in the order in which devices joined the air.
  ///   - receiver: The receiving device's index, likewise.
  ///   - channel: 0 to 36 for data, 37 to 39 for advertisements.
  ///   - time: When the packet is sent.
  /// - Returns: The received power in dBm; `nil` if the packet is lost.
  mutating func receive(from sender: Int, to receiver: Int, channel: UInt8, at time: Duration) -> Int?

  /// Performs one Channel Sounding procedure.
  ///
  /// - Parameters:
  ///   - initiator: The index of the device that begins it.
  ///   - reflector: The index of the device that returns the tones.
  ///   - time: When the procedure ends.
  /// - Returns: `nil` if the procedure was aborted, because packets were lost.
  mutating func sound(from initiator: Int, to reflector: Int, at time: Duration) -> BluetoothSounding?

  /// The receivers that a packet may reach, so that `receive` need not be asked about all.
  ///
  /// - Parameters:
  ///   - sender: The sending device's index.
  ///   - receivers: Devices that listen.
  ///   - time: When the packet is sent.
  /// - Returns: A part of the receivers, in the same order, with all for which `receive` may return a power.
  mutating func reachable(from sender: Int, among receivers: BluetoothReceivers, at time: Duration) -> [Int]
}

extension BluetoothMedium {
  package func reachable(from sender: Int, among receivers: BluetoothReceivers, at time: Duration) -> [Int] {
    receivers.devices
  }
}

/// The devices that listen for advertisements.
package struct BluetoothReceivers: Sendable {
  /// Ascending, without repetitions.
  package private(set) var devices: [Int] = []
  /// Differs after each change.
  package private(set) var version = 0

  var isEmpty: Bool { devices.isEmpty }

  func contains(_ device: Int) -> Bool { place(of: device).isPresent }

  mutating func insert(_ device: Int) {
    let (place, isPresent) = place(of: device)
    guard !isPresent else { return }
    devices.insert(device, at: place)
    version += 1
  }

  mutating func remove(_ device: Int) {
    let (place, isPresent) = place(of: device)
    guard isPresent else { return }
    devices.remove(at: place)
    version += 1
  }

  /// Where a device is, or would be inserted.
  private func place(of device: Int) -> (index: Int, isPresent: Bool) {
    var (low, high) = (0, devices.count)
    while low < high {
      let middle = low + (high - low) / 2
      if devices[middle] < device { low = middle + 1 } else { high = middle }
    }
    return (low, low < devices.count && devices[low] == device)
  }
}
