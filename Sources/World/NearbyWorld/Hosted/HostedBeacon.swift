import NearbyAirs
import NearbyBeacons
import NearbyBluetooth
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyVirtualBluetooth

/// A beacon of a world's scenario: on the Bluetooth air with the devices, but not held by any program.
struct HostedBeacon: Sendable {
  /// The scenario's description. The simulated world holds the current motion.
  var described: Scenario.Beacon
  let body: BodyID
  /// Index on the Bluetooth air.
  let place: Int
  var isOn = true
}

extension HostedWorld {
  /// Adds the scenario's beacons to the world.
  mutating func addBeacons(of scenario: Scenario) {
    for beacon in scenario.beacons {
      // Cannot fail: the scenario's parser checked the UUID, and an iBeacon's 30 octets fit an advertisement.
      guard let uuid = BluetoothUUID(beacon.uuid) else { continue }
      let frame = IBeacon(
        identity: BeaconIdentity(uuid: uuid, major: beacon.major, minor: beacon.minor),
        measuredPower: beacon.measuredPower)
      let body = air.medium.world.addBody(beacon.motion)
      guard
        let place = air.addBeacon(
          named: beacon.name, BluetoothAdvertising(frame.advertisement, interval: beacon.interval),
          powerAtOneMetre: beacon.powerAtOneMetre, body: body, at: time)
      else { continue }
      air.setBluetoothLoss(beacon.extraLoss, at: place)
      beacons.append(HostedBeacon(described: beacon, body: body, place: place))
    }
  }

  /// Applies a scenario event to a beacon.
  mutating func perform(_ action: Scenario.Event.Action, ofBeacon beacon: Int) {
    guard beacons.indices.contains(beacon) else { return }
    switch action {
    case .switchOff: setBeacon(beacon, isOn: false)
    case .switchOn: setBeacon(beacon, isOn: true)
    case .lose(let share):
      beacons[beacon].described.extraLoss = min(1, max(0, share))
      air.setBluetoothLoss(share, at: beacons[beacon].place)
    case .place(let position): placeBeacon(beacon, at: position)
    case .walk(let points, let speed):
      air.medium.world.walk(beacons[beacon].body, through: points, speed: speed, from: time)
    case .suspend, .resume, .allow, .deny, .turn, .build: break
    }
  }

  mutating func placeBeacon(_ beacon: Int, at position: SIMD3<Double>) {
    air.medium.world.place(beacons[beacon].body, at: position)
  }

  /// Switches a beacon's power.
  mutating func setBeacon(_ beacon: Int, isOn: Bool) {
    beacons[beacon].isOn = isOn
    air.bluetooth.setBeacon(beacons[beacon].place, isOn: isOn, at: time)
  }

  /// The beacons as a scenario file describes them, with their current motion.
  var scenarioBeacons: [Scenario.Beacon] {
    beacons.map { beacon in
      var described = beacon.described
      described.motion = air.medium.world.trajectory(of: beacon.body)
      return described
    }
  }
}

extension IBeacon {
  /// The advertisement of a real iBeacon: Flags and the frame.
  fileprivate var advertisement: Advertisement {
    var it = Advertisement()
    it.flags = 0x06
    it.manufacturerData = [
      Advertisement.ManufacturerData(company: Self.company, octets: manufacturerOctets)
    ]
    return it
  }
}
