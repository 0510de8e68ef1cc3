import NearbyAirs
import NearbyBluetooth
import NearbySimulator
import NearbyVirtualBluetooth
import Testing

/// Many Bluetooth devices over half a square kilometre: some stand, some walk and some race. Beacons stand among them.
private struct Crowd {
  static let devices = 80
  private static let beacons = 20

  private var air: SimulatedAir
  private var users: [BluetoothUser: Int] = [:]
  private(set) var sightings: [Int: [BluetoothSighting]] = [:]

  init(scanning: [Int]) {
    var world = SimulatedWorld(seed: 8)
    let bodies = (0..<Self.devices).map { number in
      let body = world.addBody(.standing(Self.place(number)))
      let speed = [0, 1.5, 12, 90][number % 4]
      if speed > 0 {
        world.walk(
          body, through: [Self.place(number + 31), Self.place(number + 57)], speed: speed, from: .zero)
      }
      return body
    }
    let stands = (0..<Self.beacons).map { world.addBody(.standing(Self.place($0 + 200))) }
    air = SimulatedAir(seed: 8, world: world)
    var advertisement = Advertisement()
    advertisement.flags = 0x06
    for (number, stand) in stands.enumerated() {
      _ = air.addBeacon(
        named: "beacon \(number)", BluetoothAdvertising(advertisement, interval: .milliseconds(200)),
        powerAtOneMetre: -59, body: stand, at: .zero)
    }
    for (number, body) in bodies.enumerated() {
      let place = air.bluetoothPlace(of: number, name: "device \(number)", body: body)
      air.bluetooth.setAuthorization(.allowedAlways, device: place, at: .zero)
      guard scanning.contains(number) else { continue }
      let user = air.bluetooth.makeUser(.central(restoring: nil), device: place, at: .zero)
      air.bluetooth.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user, at: .zero)
      users[user] = number
    }
  }

  private static func place(_ number: Int) -> SIMD3<Double> {
    [Double(number * 379 % 700), Double(number * 211 % 700), 1]
  }

  mutating func run(until end: Duration) {
    while let next = air.nextEventTime, next <= end {
      air.advance(to: next)
      for case .notify(let user, .sighted(let sighting), device: _) in air.bluetooth.takeActions() {
        if let number = users[user] { sightings[number, default: []].append(sighting) }
      }
    }
  }
}

@Suite("Bluetooth receivers in reach")
struct ReceiverIndexTests {
  @Test("A device among many that listen hears what it hears when few listen")
  func sameSightings() {
    var all = Crowd(scanning: Array(0..<Crowd.devices))
    all.run(until: .seconds(20))
    // Fewer receivers than an index is worth: all are asked.
    for few in stride(from: 0, to: Crowd.devices, by: 20).map({ Array($0..<$0 + 20) }) {
      var some = Crowd(scanning: few)
      some.run(until: .seconds(20))
      for number in few {
        #expect(all.sightings[number] == some.sightings[number], "device \(number)")
      }
    }
    #expect(all.sightings.values.reduce(0) { $0 + $1.count } > 2000)
  }
}
