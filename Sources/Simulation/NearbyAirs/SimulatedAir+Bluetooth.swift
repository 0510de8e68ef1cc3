import NearbyBluetooth
import NearbySchedule
import NearbySimulator
import NearbyVirtualBluetooth

/// Who is on the Bluetooth air: devices whose app used Bluetooth, or of which something about Bluetooth was set, and
/// beacons. All others cost nothing.
struct BluetoothPlaces: Sendable {
  private var placeOfDevice: [Int: Int] = [:]
  /// By place; `nil` for a beacon, and for a device that left.
  private var devices: [Int?] = []
  private var identities: Set<UInt64> = []

  func device(at place: Int) -> Int? { devices[place] }
  func place(of device: Int) -> Int? { placeOfDevice[device] }

  /// Notes who has the next place; `nil` for a beacon.
  mutating func append(_ device: Int?) {
    if let device { placeOfDevice[device] = devices.count }
    devices.append(device)
  }

  mutating func forget(_ device: Int) {
    guard let place = placeOfDevice.removeValue(forKey: device) else { return }
    devices[place] = nil
  }

  /// A number that no other on this air has, the same in each run.
  mutating func identity(for name: String) -> UInt64 {
    var identity = StableHash.of(name)
    // 2^64 divided by the golden ratio, as in `SplitMix64`: an odd step meets every number before it repeats one.
    while !identities.insert(identity).inserted { identity &+= 0x9E37_79B9_7F4A_7C15 }
    return identity
  }
}

/// Joining and leaving the Bluetooth air.
extension SimulatedAir {
  package func bluetoothDevice(at place: Int) -> Int? { bluetoothPlaces.device(at: place) }

  /// A device's place on the Bluetooth air; `nil` for one that never used it.
  package func bluetoothPlace(of device: Int) -> Int? { bluetoothPlaces.place(of: device) }

  /// A device's place on the Bluetooth air, created if necessary.
  package mutating func bluetoothPlace(of device: Int, name: String, body: BodyID) -> Int {
    if let place = bluetoothPlaces.place(of: device) { return place }
    let identity = bluetoothPlaces.identity(for: name)
    let place = bluetooth.addDevice(identity: identity, name: name)
    bluetoothPlaces.append(device)
    medium.addLowEnergyRadio(LowEnergyRadio(body: body, identity: identity))
    return place
  }

  /// Forgets a device that left the world. Its place on the air stays, silent.
  package mutating func forgetBluetooth(of device: Int) { bluetoothPlaces.forget(device) }

  /// - Returns: The beacon's place; `nil` for an advertisement that is too long.
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

  /// Loses this share of the packets to and from a place, beside those that are too weak.
  package mutating func setBluetoothLoss(_ share: Double, at place: Int) {
    medium.setLowEnergyLoss(share, of: place)
  }
}
