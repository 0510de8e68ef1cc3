import NearbyBluetooth
import NearbySchedule
import NearbySimulator
import NearbyVirtualBluetooth

/// Maps devices to their places on the Bluetooth air.
///
/// A device gets a place when its app first uses Bluetooth or when one of its Bluetooth settings changes;
/// beacons always have one. Devices without a place cost nothing.
struct BluetoothPlaces: Sendable {
  private var placeOfDevice: [Int: Int] = [:]
  /// Indexed by place. `nil` for a beacon and for a device that has left.
  private var devices: [Int?] = []
  private var identities: Set<UInt64> = []

  func device(at place: Int) -> Int? { devices[place] }
  func place(of device: Int) -> Int? { placeOfDevice[device] }

  /// Assigns the next free place to `device`, or to a beacon if `nil`.
  mutating func append(_ device: Int?) {
    if let device { placeOfDevice[device] = devices.count }
    devices.append(device)
  }

  mutating func forget(_ device: Int) {
    guard let place = placeOfDevice.removeValue(forKey: device) else { return }
    devices[place] = nil
  }

  /// Derives a number from `name` that is unique on this air and the same in every run.
  mutating func identity(for name: String) -> UInt64 {
    var identity = StableHash.of(name)
    // 2^64 divided by the golden ratio, as in `SplitMix64`: an odd step visits every number before it repeats
    // one.
    while !identities.insert(identity).inserted { identity &+= 0x9E37_79B9_7F4A_7C15 }
    return identity
  }
}

/// Joins devices and beacons to the Bluetooth air and removes them.
extension SimulatedAir {
  package func bluetoothDevice(at place: Int) -> Int? { bluetoothPlaces.device(at: place) }

  /// A device's place on the Bluetooth air, or `nil` if it has never used Bluetooth.
  package func bluetoothPlace(of device: Int) -> Int? { bluetoothPlaces.place(of: device) }

  /// A device's place on the Bluetooth air; adds the device if it has none yet.
  package mutating func bluetoothPlace(of device: Int, name: String, body: BodyID) -> Int {
    if let place = bluetoothPlaces.place(of: device) { return place }
    let identity = bluetoothPlaces.identity(for: name)
    let place = bluetooth.addDevice(identity: identity, name: name)
    bluetoothPlaces.append(device)
    medium.addLowEnergyRadio(LowEnergyRadio(body: body, identity: identity))
    return place
  }

  /// Forgets a device that left the world. Its place stays on the air but is silent.
  package mutating func forgetBluetooth(of device: Int) { bluetoothPlaces.forget(device) }

  /// Adds a beacon that advertises from now on.
  ///
  /// - Returns: The beacon's place, or `nil` if the advertisement is too long.
  package mutating func addBeacon(
    named name: String, _ advertising: BluetoothAdvertising, powerAtOneMetre: Double, body: BodyID,
    at now: Duration
  ) -> Int? {
    let identity = bluetoothPlaces.identity(for: name)
    guard let place = bluetooth.addBeacon(identity: identity, advertising, at: now) else { return nil }
    bluetoothPlaces.append(nil)
    medium.addLowEnergyRadio(
      LowEnergyRadio(body: body, identity: identity, powerAtOneMetre: powerAtOneMetre))
    return place
  }

  /// Drops this share (0 to 1) of the packets to and from a place, on top of those that are too weak.
  package mutating func setBluetoothLoss(_ share: Double, at place: Int) {
    medium.setLowEnergyLoss(share, of: place)
  }
}
