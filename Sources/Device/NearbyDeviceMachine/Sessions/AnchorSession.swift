import NearbyBluetooth
import NearbyUCI

/// A session that listens to anchors, from `run` until it is paused or over.
struct AnchorSession: Sendable {
  enum Phase: Equatable, Sendable {
    /// The user has not answered the question for location yet.
    case awaitingPermission
    /// No anchor's advertisement was received yet, or the chip is not ready.
    case searching
    /// The chip sets the session up.
    case opening
    case running
    /// The app is in the background, or was and has not called `run` since.
    case suspended
  }

  let id: SessionID
  let configuration: AnchorNetworkConfiguration
  var phase: Phase
  /// The app got `startedRunning`, which is not repeated after the chip failed and recovered.
  var hasReportedRunning = false
  /// What the anchors advertise; `nil` until the first advertisement.
  private(set) var network: AnchorNetworkAdvertisement?
  /// The rounds that all advertisements so far named.
  private(set) var rounds: [UInt8] = []
  /// Advertisements in two parts, in the order in which their first arrived. Each part may be heard only once, so that
  /// both are kept.
  private var split: [SplitAdvertisement] = []
  /// The initiator of each round that was heard.
  private var initiators: [UInt8: UInt64] = [:]

  /// Rounds and advertisements in parts that are remembered: strangers may advertise anything.
  private static let mostRounds = 64
  private static let mostSplit = 64

  private struct SplitAdvertisement: Sendable {
    let peer: BluetoothPeer
    var first: [UInt8]?
    var second: [UInt8]?
  }

  init(id: SessionID, configuration: AnchorNetworkConfiguration, phase: Phase) {
    self.id = id
    self.configuration = configuration
    self.phase = phase
  }

  /// Whether the chip has the session or sets it up.
  var isOnChip: Bool { phase == .opening || phase == .running }

  // MARK: Discovery

  /// Receives an advertisement.
  ///
  /// - Returns: Whether it named rounds of this session's network that were not known.
  mutating func sighted(_ sighting: BluetoothSighting) -> Bool {
    var isNew = false
    for data in sighting.advertisement.serviceData where Self.services.contains(data.service) {
      guard let octets = whole(AnchorAdvertisementPart(serviceData: data.octets), of: sighting.peer),
        let advertised = try? AnchorNetworkAdvertisement(octets: octets),
        advertised.networkIdentifier == configuration.network
      else { continue }
      if add(advertised) { isNew = true }
    }
    return isNew
  }

  private static let services = AnchorAdvertisementPart.serviceUUIDs.map { BluetoothUUID($0) }

  /// The whole advertisement that a part completes; `nil` while one is missing.
  private mutating func whole(_ part: AnchorAdvertisementPart, of peer: BluetoothPeer) -> [UInt8]? {
    if case .whole(let octets) = part { return octets }
    if !split.contains(where: { $0.peer == peer }) {
      if split.count >= Self.mostSplit { split.removeFirst() }
      split.append(SplitAdvertisement(peer: peer))
    }
    guard let place = split.firstIndex(where: { $0.peer == peer }) else { return nil }
    switch part {
    case .whole(let octets): return octets
    case .first(let octets): split[place].first = octets
    case .second(let octets): split[place].second = octets
    }
    guard let first = split[place].first, let second = split[place].second else { return nil }
    return first + second
  }

  private mutating func add(_ advertised: AnchorNetworkAdvertisement) -> Bool {
    guard let parameters = try? advertised.appParameters() else { return false }
    var isNew = false
    if network == nil {
      network = advertised
      isNew = true
    }
    var named = advertised.rounds
    // An anchor that names no round may use any.
    if named.isEmpty { named = Array(0..<Self.roundsPerBlock(parameters)) }
    for round in named where !rounds.contains(round) && rounds.count < Self.mostRounds {
      rounds.append(round)
      isNew = true
    }
    return isNew
  }

  /// The rounds that fit into a block, at most 64.
  private static func roundsPerBlock(_ parameters: [UCIAppParameter]) -> UInt8 {
    var (rstu, slots, milliseconds) = (UInt64(2400), UInt64(10), UInt64(200))
    for parameter in parameters {
      switch parameter {
      case .slotDuration(let value): rstu = UInt64(value)
      case .slotsPerRound(let value): slots = UInt64(value)
      case .rangingDuration(let value): milliseconds = UInt64(value)
      default: break
      }
    }
    // 1200 RSTU are one millisecond.
    let round = max(rstu * slots, 1)
    return UInt8(clamping: min(max(milliseconds * 1200 / round, 1), UInt64(mostRounds)))
  }

  /// The chip's session of a tag; `nil` until the network is known.
  ///
  /// - Parameter address: The tag's own address, which it never sends.
  func request(address: UInt16) -> UCISessionRequest? {
    guard let network, let advertised = try? network.appParameters() else { return nil }
    let shared = advertised.filter { parameter in
      // The advertising anchor's own address and rounds are not the tag's.
      switch parameter {
      case .deviceAddress, .downlinkTDoAInitiatorRounds: false
      default: true
      }
    }
    var request = UCISessionRequest(
      sessionID: configuration.network,
      parameters: [
        .macAddressMode(.short), .deviceAddress(.short(address)), .rangingRoundUsage(.downlinkTDoA),
        .multiNodeMode(.oneToMany), .scheduleMode(.timeScheduled), .stsConfiguration(.fixed),
        .rframeConfiguration(.sp1), .rssiReporting(1), .notificationConfiguration(.always),
        .deviceRole(.downlinkTag),
      ] + shared)
    request.tagRounds = rounds
    return request
  }

  // MARK: Measurements

  /// Converts a round's measurements. Messages whose initiator is unknown are left out: nothing can be
  /// computed from them.
  mutating func readings(of measurements: [UCIDownlinkTDoAMeasurement]) -> [AnchorReading] {
    for measurement in measurements where measurement.messageType != 1 && measurement.status == .ok {
      initiators[measurement.roundIndex] = measurement.address.zeroExtended
    }
    return measurements.compactMap { measurement in
      initiators[measurement.roundIndex].flatMap { AnchorReading(measurement, clusterInitiator: $0) }
    }
  }
}

/// The sessions of a device that listen to anchors, few.
struct AnchorSessions: Sendable {
  var list: [AnchorSession] = []

  func index(of id: SessionID) -> Int? { list.firstIndex { $0.id == id } }
  func index(onChip chipID: UInt32) -> Int? {
    list.firstIndex { $0.configuration.network == chipID && $0.isOnChip }
  }
}
