import NearbyAirs
import NearbyExchange
import NearbyRecordings
import NearbyScenarios
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB

/// Why a scenario cannot be recorded through chips.
package enum ChipRecorderError: Error, Equatable, Sendable {
  case unknownDevice(String, known: [String])
  /// The scenario pairs no other device with this one.
  case noPeers(device: String)
  /// The rounds of this many peers do not fit into the interval. Carries the shortest interval that does.
  case tooManyPeers(peers: Int, shortestInterval: Duration)
  /// A chip refused a request of the recorder, which is a bug of ours.
  case refused(device: String, UCIHostFailure)
  case cancelled
}

/// Records a scenario as one device's chip reports it, so that every range passes through UCI packets, the
/// simulated air and a host.
///
/// The device is the initiator of one-to-many sessions with all its peers, eight in each session. The
/// sessions' rounds follow one another within the interval. The recorder has its own virtual time, and the
/// same scenario and seed always give the same recording.
package struct ChipRecorder: Sendable {
  /// The number of controlees in one session.
  private static let groupSize = 8
  private static let slotsPerRound: UInt8 = 25
  /// 2 ms.
  private static let slotRSTU: UInt16 = 2400
  private static let roundTime = Duration.milliseconds(50)
  /// When the initiator's first session opens: late enough for the responders to be listening.
  private static let firstStart = Duration.milliseconds(1)
  private static let ownAddress: UInt16 = 1
  private static let firstPeerAddress: UInt16 = 0x100

  /// A chip and its host.
  private struct Station: Sendable {
    var device: Int
    var radio: RadioID
    var host = UCIHost()
    var wake: Duration?
    var requests: [UCISessionRequest]
    var opensAt: [Duration]
    var opened = 0
  }

  private let scenario: Scenario
  private let device: Int
  private let interval: Duration
  /// The peers' indexes in the scenario's devices, in the order of their addresses.
  private let peers: [Int]
  private var air: SimulatedAir
  private var stations: [Station] = []
  private var stationOfRadio: [RadioID: Int] = [:]
  private var now = Duration.zero
  private var failure: ChipRecorderError?
  private var rows: [(range: RecordedRange, measurement: UCITwoWayMeasurement, isLineOfSight: Bool)] = []

  /// Prepares a recording.
  ///
  /// - Parameters:
  ///   - scenario: What happens.
  ///   - name: The device that records; `nil` takes the first device of the first pair.
  ///   - interval: The time between two ranges of a pair.
  /// - Throws: `unknownDevice`, `noPeers` or `tooManyPeers`.
  package init(_ scenario: Scenario, device name: String?, interval: Duration) throws(ChipRecorderError) {
    let device = try Self.place(of: name, in: scenario)
    let peers = scenario.pairs.compactMap { pair in
      pair.first == device ? pair.second : pair.second == device ? pair.first : nil
    }
    guard !peers.isEmpty else { throw .noPeers(device: scenario.devices[device].name) }
    let groups = (peers.count + Self.groupSize - 1) / Self.groupSize
    guard interval >= Self.roundTime * groups else {
      throw .tooManyPeers(peers: peers.count, shortestInterval: Self.roundTime * groups)
    }
    self.scenario = scenario
    self.device = device
    self.interval = interval
    self.peers = peers
    air = SimulatedAir(seed: scenario.seed, world: SimulatedWorld(scenario), events: scenario.events)
    addStations(groups: groups)
  }

  private static func place(of name: String?, in scenario: Scenario) throws(ChipRecorderError) -> Int {
    guard let name else {
      guard let pair = scenario.pairs.first else {
        throw .noPeers(device: scenario.devices.first?.name ?? "")
      }
      return pair.first
    }
    let names = scenario.devices.map(\.name)
    guard let place = names.firstIndex(of: name) else { throw .unknownDevice(name, known: names) }
    return place
  }

  // MARK: Setting up

  /// Creates the peers' chips and, last, that of the recording device with one session for each group of
  /// peers.
  private mutating func addStations(groups: Int) {
    var own: [UCISessionRequest] = []
    var starts: [Duration] = []
    for group in 0..<groups {
      let first = group * Self.groupSize
      let members = peers.indices[first..<min(first + Self.groupSize, peers.count)]
      let addresses = members.map { Self.address(ofPeer: $0) }
      own.append(request(group, isInitiator: true, address: Self.ownAddress, peers: addresses))
      starts.append(Self.firstStart + interval * group / groups)
      for (index, address) in zip(members, addresses) {
        let one = request(group, isInitiator: false, address: address, peers: [Self.ownAddress])
        addStation(peers[index], requests: [one], opensAt: [.zero])
      }
    }
    addStation(device, requests: own, opensAt: starts)
  }

  private mutating func addStation(_ device: Int, requests: [UCISessionRequest], opensAt: [Duration]) {
    let chip = VirtualChipConfiguration(maximumSessions: max(8, requests.count))
    let radio = air.addChip(chip, radio: device, at: .zero)
    stationOfRadio[radio] = stations.count
    stations.append(Station(device: device, radio: radio, requests: requests, opensAt: opensAt))
  }

  private static func address(ofPeer index: Int) -> UInt16 {
    firstPeerAddress &+ UInt16(truncatingIfNeeded: index)
  }

  private func request(_ group: Int, isInitiator: Bool, address: UInt16, peers: [UInt16])
    -> UCISessionRequest
  {
    let milliseconds = UInt32(clamping: interval.inNanoseconds / 1_000_000)
    return UCISessionRequest(
      sessionID: UInt32(clamping: group + 1),
      parameters: [
        .macAddressMode(.short), .numberOfControlees(UInt8(clamping: peers.count)),
        .deviceType(isInitiator ? .controller : .controlee),
        .deviceRole(isInitiator ? .initiator : .responder),
        .multiNodeMode(.oneToMany), .rangingRoundUsage(.doubleSidedDeferred),
        .scheduleMode(.timeScheduled), .deviceAddress(.short(address)),
        .destinationAddresses(peers.map { .short($0) }), .channel(.nine), .preambleCodeIndex(10),
        .stsConfiguration(.fixed), .vendorID(0x0708), .staticSTSIV([1, 2, 3, 4, 5, 6]),
        .rangingDuration(milliseconds: milliseconds), .slotDuration(rstu: Self.slotRSTU),
        .slotsPerRound(Self.slotsPerRound), .rangingRoundControl(0x03), .angleRequest(.both),
        .resultReportConfiguration(0x0F), .rssiReporting(1), .notificationConfiguration(.always),
      ])
  }

  // MARK: Running

  /// Runs the whole scenario.
  ///
  /// - Parameter isCancelled: Called about once in every simulated second; `true` ends the run.
  /// - Throws: `refused` or `cancelled`.
  package mutating func run(isCancelled: () -> Bool) throws(ChipRecorderError) -> Recording {
    for index in stations.indices { perform(index, stations[index].host.start(at: now)) }
    exchangePackets()
    var lastAsked = Duration.zero
    while let next = nextTime, next <= scenario.duration {
      now = max(now, next)
      air.advance(to: now)
      exchangePackets()
      for event in air.takePerformedEvents() { perform(event) }
      openSessions()
      wakeHosts()
      exchangePackets()
      if let failure { throw failure }
      if now - lastAsked >= .seconds(1) {
        lastAsked = now
        if isCancelled() { throw .cancelled }
      }
    }
    return recording()
  }

  private var nextTime: Duration? {
    var times = stations.flatMap { station in
      [station.wake, station.opened < station.opensAt.count ? station.opensAt[station.opened] : nil]
    }
    times.append(air.nextEventTime)
    return times.compactMap(\.self).min()
  }

  private mutating func perform(_ event: Scenario.Event) {
    switch event.action {
    case .suspend, .deny: setRanging(false, device: event.device)
    case .resume, .allow: setRanging(true, device: event.device)
    case .switchOff, .switchOn, .lose, .place, .walk, .turn, .build: break
    }
  }

  /// Stops a device's sessions while its app may not range, and starts them again when it may.
  private mutating func setRanging(_ isRanging: Bool, device: Int?) {
    for index in stations.indices where stations[index].device == device {
      for request in stations[index].requests.prefix(stations[index].opened) {
        let id = request.sessionID
        let actions =
          isRanging
          ? stations[index].host.startSession(id, at: now)
          : stations[index].host.stopSession(id, at: now)
        perform(index, actions)
      }
    }
  }

  /// Opens the sessions that are due on hosts that are ready.
  private mutating func openSessions() {
    for index in stations.indices where stations[index].host.isReady {
      while stations[index].opened < stations[index].opensAt.count,
        stations[index].opensAt[stations[index].opened] <= now
      {
        let request = stations[index].requests[stations[index].opened]
        stations[index].opened += 1
        perform(index, stations[index].host.openSession(request, at: now))
      }
    }
  }

  private mutating func wakeHosts() {
    for index in stations.indices {
      guard let wake = stations[index].wake, wake <= now else { continue }
      stations[index].wake = nil
      perform(index, stations[index].host.timePassed(at: now))
    }
  }

  /// Passes packets between chips and hosts until none is left.
  private mutating func exchangePackets() {
    while true {
      let actions = air.uwb.takeActions()
      if actions.isEmpty { return }
      for case .send(let octets, let radio) in actions {
        guard let index = stationOfRadio[radio] else { continue }
        perform(index, stations[index].host.received(octets, at: now))
      }
    }
  }

  private mutating func perform(_ index: Int, _ actions: [UCIHost.Action]) {
    for action in actions {
      switch action {
      case .send(let octets): air.uwb.received(octets, from: stations[index].radio, at: now)
      case .wake(let time): stations[index].wake = time
      case .report(let event): handle(event, from: index)
      }
    }
  }

  private mutating func handle(_ event: UCIHost.Event, from index: Int) {
    switch event {
    case .measured(_, let info) where stations[index].device == device: record(info)
    case .bringUpFailed(let cause), .sessionFailed(_, let cause):
      failure = .refused(device: scenario.devices[stations[index].device].name, cause)
    case .ready, .deviceState, .recovering, .sessionOpened, .sessionState, .sessionClosed, .measured,
      .controleesUpdated, .dataReceived, .dataSent, .undecodable, .other:
      break
    }
  }

  // MARK: Results

  private mutating func record(_ info: UCISessionInfo) {
    guard case .twoWay(let measurements, _) = info.measurements else { return }
    for measurement in measurements {
      guard let range = measurement.distanceMetres, case .short(let address) = measurement.address,
        peers.indices.contains(Int(address &- Self.firstPeerAddress))
      else { continue }
      let peer = peers[Int(address &- Self.firstPeerAddress)]
      let truth = air.medium.world.truth(from: device, to: peer, at: now)
      let row = RecordedRange(
        time: now, tag: "0", object: scenario.devices[peer].name, range: range, trueRange: truth.range)
      rows.append((row, measurement, truth.isLineOfSight))
    }
  }

  /// The chips' ranges together with the paths, places and notes of the scenario's own recording.
  private func recording() -> Recording {
    var recording = scenario.recording(of: device, rangeInterval: .seconds(1_000_000))
    recording.ranges = rows.map(\.range)
    func numbers(_ name: String, _ value: (UCITwoWayMeasurement) -> Double?) -> RecordedColumn {
      RecordedColumn(name: name, values: .numbers(rows.map { value($0.measurement) ?? .nan }))
    }
    recording.extraColumns = [
      numbers("rx_dbm") { $0.rssiDBm },
      RecordedColumn(name: "los", values: .numbers(rows.map { $0.isLineOfSight ? 1 : 0 })),
      numbers("looks_nlos") { Double($0.nonLineOfSight) },
      numbers("azimuth_deg") { $0.azimuth.figureOfMerit > 0 ? $0.azimuth.degrees : nil },
      numbers("elevation_deg") { $0.elevation.figureOfMerit > 0 ? $0.elevation.degrees : nil },
    ]
    recording.meta["ranges"] = .text("as the virtual chips reported them over UCI")
    return recording
  }
}
