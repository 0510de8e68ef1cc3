import NearbyAirs
import NearbyBluetooth
import NearbyExchange
import NearbyScenarios
import NearbySimulator
import NearbyUCI
import NearbyVirtualBluetooth
import NearbyVirtualUWB

/// Two devices 2 m apart, each a body with a chip. A UCI host takes both through one ranging session. The
/// first device also scans for Bluetooth, and a beacon advertises 3 m away.
struct AirBench {
  static let beaconBody = BodyID(index: 2)

  var air: SimulatedAir
  private(set) var now = Duration.zero
  private var hosts = [UCIHost(), UCIHost()]
  private var wakes: [Duration?] = [nil, nil]
  private var chips: [RadioID] = []
  private var isOpen = [false, false]
  /// When the first device measured a distance.
  private(set) var ranges: [Duration] = []
  /// When the first device received the beacon.
  private(set) var sightings: [Duration] = []
  private(set) var performed: [Scenario.Event] = []

  init(events: [Scenario.Event] = [], ranges isRanging: Bool = true, scans isScanning: Bool = true) {
    var world = SimulatedWorld(seed: 3)
    let bodies = [SIMD3(0.0, 0, 1), [0, 2, 1], [3, 0, 1]].map { world.addBody(.standing($0)) }
    let radios = bodies.prefix(2).map { world.addRadio(on: $0) }
    air = SimulatedAir(seed: 3, world: world, events: events)
    if isRanging {
      chips = radios.map { air.addChip(VirtualChipConfiguration(), radio: $0, at: .zero) }
      for index in hosts.indices { perform(index, hosts[index].start(at: .zero)) }
    }
    if isScanning { startScanning() }
    exchangePackets()
  }

  private mutating func startScanning() {
    var advertisement = Advertisement()
    advertisement.flags = 0x06
    _ = air.addBeacon(
      named: "beacon", BluetoothAdvertising(advertisement, interval: .milliseconds(100)),
      powerAtOneMetre: -59, body: Self.beaconBody, at: .zero)
    let place = air.bluetoothPlace(of: 0, name: "scanner", body: BodyID(index: 0))
    air.bluetooth.setAuthorization(.allowedAlways, device: place, at: .zero)
    let user = air.bluetooth.makeUser(.central(restoring: nil), device: place, at: .zero)
    air.bluetooth.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user, at: .zero)
  }

  /// Runs from event to event, as an owner with hosts does.
  mutating func run(until end: Duration) {
    while let next = ([air.nextEventTime] + wakes).compactMap(\.self).min(), next <= end {
      now = max(now, next)
      air.advance(to: now)
      for index in hosts.indices {
        guard let wake = wakes[index], wake <= now else { continue }
        wakes[index] = nil
        perform(index, hosts[index].timePassed(at: now))
      }
      exchangePackets()
    }
  }

  private mutating func exchangePackets() {
    performed += air.takePerformedEvents()
    for case .notify(_, .sighted, device: _) in air.bluetooth.takeActions() { sightings.append(now) }
    while true {
      let actions = air.uwb.takeActions()
      if actions.isEmpty { return }
      for case .send(let octets, let chip) in actions {
        perform(chip.index, hosts[chip.index].received(octets, at: now))
      }
    }
  }

  private mutating func perform(_ index: Int, _ actions: [UCIHost.Action]) {
    for action in actions {
      switch action {
      case .send(let octets): air.uwb.received(octets, from: chips[index], at: now)
      case .wake(let time): wakes[index] = time
      case .report(.measured(_, let info)):
        guard index == 0, case .twoWay(let measurements, _) = info.measurements else { continue }
        if measurements.contains(where: { $0.distanceMetres != nil }) { ranges.append(now) }
      case .report: break
      }
    }
    if hosts[index].isReady, !isOpen[index] {
      isOpen[index] = true
      perform(index, hosts[index].openSession(Self.request(isInitiator: index == 0), at: now))
    }
  }

  private static func request(isInitiator: Bool) -> UCISessionRequest {
    UCISessionRequest(
      sessionID: 1,
      parameters: [
        .macAddressMode(.short), .numberOfControlees(1), .deviceType(isInitiator ? .controller : .controlee),
        .deviceRole(isInitiator ? .initiator : .responder), .multiNodeMode(.unicast),
        .rangingRoundUsage(.doubleSidedDeferred), .scheduleMode(.timeScheduled),
        .deviceAddress(.short(isInitiator ? 1 : 2)), .destinationAddresses([.short(isInitiator ? 2 : 1)]),
        .channel(.nine), .preambleCodeIndex(10), .stsConfiguration(.fixed), .vendorID(0x0708),
        .staticSTSIV([1, 2, 3, 4, 5, 6]), .rangingDuration(milliseconds: 200), .slotDuration(rstu: 2400),
        .slotsPerRound(25), .rangingRoundControl(0x03), .resultReportConfiguration(0x0F),
        .notificationConfiguration(.always),
      ])
  }
}
