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
}
