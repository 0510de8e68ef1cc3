import NearbyBluetooth
import NearbySchedule
import NearbySimulator
import NearbyVirtualBluetooth

/// The Bluetooth air of a simulated world, and who of the world is on it: devices whose app used Bluetooth or that
/// something was set of, and beacons. Who is not costs nothing.
package struct WorldBluetooth: Sendable {
  package var air: BluetoothAir
  /// Of everybody on the air, in its order.
  package private(set) var radios: [LowEnergyRadio] = []
  /// Devices' places on the air.
  private var places: [Int: Int] = [:]
  /// Devices on the air; `nil` for a beacon.
  private var devices: [Int?] = []
  private var identities: Set<UInt64> = []
  var sinks: [BluetoothUser: any BluetoothSink] = [:]
  /// What the person at a device says when an app asks; `nil` leaves the question open.
  var answers: [Int: BluetoothAuthorization?] = [:]

  package init(seed: UInt64) { air = BluetoothAir(seed: seed) }

  var nextEventTime: Duration? { air.nextEventTime }

  package func device(at place: Int) -> Int? { devices[place] }
  package func place(of device: Int) -> Int? { places[device] }

  /// A device's place on the air, made where it has none.
  package mutating func place(of device: Int, name: String, body: BodyID) -> Int {
    if let place = places[device] { return place }
    let identity = distinct(StableHash.of(name))
    let place = air.addDevice(identity: identity, name: name)
    places[device] = place
    devices.append(device)
    radios.append(LowEnergyRadio(body: body, identity: identity))
    return place
  }

  /// Lets go of a device that left the world; its place on the air stays, silent.
  package mutating func forget(_ device: Int) {
    guard let place = places.removeValue(forKey: device) else { return }
    devices[place] = nil
    answers[device] = nil
  }

  /// - Returns: The beacon's place; `nil` for an advertisement that is too long.
  package mutating func addBeacon(
    named name: String, _ advertising: BluetoothAdvertising, powerAtOneMetre: Double, body: BodyID,
    at now: Duration
  ) -> Int? {
    let identity = distinct(StableHash.of(name))
    guard let place = air.addBeacon(identity: identity, advertising, at: now) else { return nil }
    devices.append(nil)
    radios.append(LowEnergyRadio(body: body, identity: identity, powerAtOneMetre: powerAtOneMetre))
    return place
  }

  private mutating func distinct(_ identity: UInt64) -> UInt64 {
    var identity = identity
    while !identities.insert(identity).inserted { identity &+= 0x9E37_79B9_7F4A_7C15 }
    return identity
  }

  package mutating func setLoss(_ share: Double, at place: Int) {
    radios[place].extraLoss = min(1, max(0, share))
  }

  package mutating func advance(to time: Duration, world: inout SimulatedWorld) {
    // Taken out, so that it is asked in place and not copied.
    var medium = LowEnergyMedium(world: SimulatedWorld(seed: 0), radios: radios)
    swap(&medium.world, &world)
    air.advance(to: time, medium: &medium)
    swap(&medium.world, &world)
  }
}

/// The simulated world as the Bluetooth air knows it.
struct LowEnergyMedium: BluetoothMedium {
  var world: SimulatedWorld
  let radios: [LowEnergyRadio]

  mutating func receive(from sender: Int, to receiver: Int, channel: UInt8, at time: Duration) -> Int? {
    guard
      let power = world.lowEnergyPower(
        from: radios[sender], to: radios[receiver], channel: channel, at: time)
    else { return nil }
    // What a controller can say: one signed octet, of which 127 means that there is none.
    return Int(min(20, max(-127, power.rounded())))
  }
}
