import NearbyUCI

/// An anchor's map from its own counter to the common time base of its network.
///
/// The time reference maps every stamp to itself. Any other anchor derives the map from polls: when one
/// arrives, the common time is the poll's stamp plus its time of flight, and successive polls measure the
/// rates.
struct AnchorTimeBase: Sendable {
  /// The same moment on the anchor's counter and in the common time base, ticks.
  var own: UInt64 = 0
  var common: UInt64 = 0
  /// How much faster the anchor's counter runs than the common time base, ppm.
  var offset = 0.0

  func common(_ own: UInt64) -> UInt64 {
    let elapsed = Double(Int64(bitPattern: own &- self.own)) / (1 + offset * 1e-6)
    return common &+ UInt64(bitPattern: Int64(exactly: elapsed.rounded()) ?? 0)
  }
}

/// What a responder knows of an initiator that it hears.
struct HeardInitiator: Sendable {
  var address: UInt64
  /// The last poll: when it was sent on the initiator's counter, and when it arrived on the responder's.
  var sent: UInt64
  var received: UInt64
  /// How much faster the responder's counter runs, ppm.
  var offset: Double
  /// Ticks; `nil` until measured.
  var timeOfFlight: Double?
  /// The start of the last round whose poll arrived, nanoseconds.
  var lastRound = Int64.min
}

/// An anchor's session while it runs.
struct AnchorMember: Sendable {
  let reference: SessionReference
  let address: UInt64
  var rounds: [UCIAnchorRound]
  var parameters: DownlinkParameters
  var base = AnchorTimeBase()
  /// Steps from the time reference; `nil` until the anchor has heard a synchronised one.
  var hopCount: UInt8?
  var initiators: [HeardInitiator] = []
  /// The initiator whose polls define the anchor's blocks and time base, and when the last one arrived.
  var source: UInt64?
  var sourceHeard: Int64 = 0
  /// The start of a block, nanoseconds, and its number. All blocks are counted from it.
  var epoch: Int64
  var epochBlock: UInt64 = 0
  /// Increases when the rounds change, so that events of the earlier ones have no effect.
  var generation: UInt16 = 0

  /// Whether the anchor begins blocks by itself rather than when it hears a poll.
  var isSelfDriven: Bool {
    parameters.isTimeReference || !rounds.contains { if case .responder = $0 { true } else { false } }
  }

  /// A time on the anchor's counter as it says it: in the common time base unless it is left in its own.
  func stamp(_ own: UInt64) -> UInt64 { parameters.usesCommonTimeBase ? base.common(own) : own }

  func responds(in round: UInt8) -> Bool { rounds.contains(.responder(round: round)) }

  func responders(in round: UInt8) -> UCIAnchorResponders? {
    for case .initiator(round, let responders) in rounds { return responders }
    return nil
  }

  var initiatedRounds: [UInt8] {
    rounds.compactMap { if case .initiator(let round, _) = $0 { round } else { nil } }
  }

  /// The indexes of all rounds in which the anchor takes part, at most 15.
  var activeRounds: [UInt8] {
    let all = rounds.map { entry -> UInt8 in
      switch entry {
      case .initiator(let round, _), .responder(let round): round
      }
    }
    return Array(all.prefix(15))
  }
}

/// A tag's session while it runs.
struct TagMember: Sendable {
  let reference: SessionReference
  /// When it began to listen, nanoseconds.
  let since: Int64
  /// One bit for each active round.
  var rounds: (UInt64, UInt64, UInt64, UInt64)
  var parameters: DownlinkParameters
  let usesExtendedAddresses: Bool

  static func bits(_ rounds: [UInt8]) -> (UInt64, UInt64, UInt64, UInt64) {
    var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for round in rounds {
      let bit: UInt64 = 1 << UInt64(round & 63)
      switch round >> 6 {
      case 0: bits.0 |= bit
      case 1: bits.1 |= bit
      case 2: bits.2 |= bit
      default: bits.3 |= bit
      }
    }
    return bits
  }

  /// Whether the tag listens to a round of a block.
  func listens(to round: UInt8, block: UInt64, from start: Int64) -> Bool {
    guard since <= start, block % (UInt64(parameters.skippedBlocks) + 1) == 0 else { return false }
    let word =
      switch round >> 6 {
      case 0: rounds.0
      case 1: rounds.1
      case 2: rounds.2
      default: rounds.3
      }
    return word >> UInt64(round & 63) & 1 != 0
  }
}

/// The cells in which a network's tags are at one time.
struct TagCells: Sendable {
  /// Nanoseconds.
  let start: Int64
  /// The places of the tags in the network's list, ascending.
  let members: [RadioCell: [Int]]

  /// The tags in these cells and those around them, ascending.
  func members(near cells: [RadioCell]) -> [Int] {
    var around: Set<RadioCell> = []
    for cell in cells {
      for (column, row) in Self.neighbours {
        around.insert(RadioCell(column: cell.column &+ column, row: cell.row &+ row))
      }
    }
    return around.flatMap { members[$0] ?? [] }.sorted()
  }

  private static let neighbours: [(Int32, Int32)] = [
    (-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1),
  ]
}

/// The sessions that share a network: its session id, channel, slots and frames.
struct DownlinkNetwork: Sendable {
  let key: MatchKey
  var anchors: [AnchorMember] = []
  var tags: [TagMember] = [] {
    didSet { tagCells = nil }
  }
  /// The tags by their cells at the last time that was asked for; `nil` after the tags changed.
  var tagCells: TagCells?

  func anchor(at address: UInt64) -> Int? { anchors.firstIndex { $0.address == address } }
}

/// All networks of an air, and the network of each run.
struct DownlinkTable: Sendable {
  private(set) var networks: [DownlinkNetwork] = []
  private var indexes: [MatchKey: Int] = [:]
  /// The networks without members, which the next ones replace: hosts can start sessions of ever new networks.
  private var vacant: [Int] = []
  /// The network of a run, by the run's place.
  private var networkOfRun: [Int32: Int] = [:]

  /// Changes a network in place.
  mutating func update<Result>(_ network: Int, _ body: (inout DownlinkNetwork) -> Result) -> Result {
    body(&networks[network])
  }

  func network(of run: SessionReference) -> Int? { networkOfRun[run.place] }

  mutating func join(_ run: SessionReference, _ key: MatchKey) -> Int {
    let index: Int
    if let known = indexes[key] {
      index = known
    } else if let place = vacant.popLast() {
      index = place
      networks[index] = DownlinkNetwork(key: key)
      indexes[key] = index
    } else {
      index = networks.count
      networks.append(DownlinkNetwork(key: key))
      indexes[key] = index
    }
    networkOfRun[run.place] = index
    return index
  }

  mutating func leave(_ run: SessionReference) {
    guard let index = networkOfRun.removeValue(forKey: run.place) else { return }
    networks[index].anchors.removeAll { $0.reference == run }
    networks[index].tags.removeAll { $0.reference == run }
    guard networks[index].anchors.isEmpty, networks[index].tags.isEmpty else { return }
    indexes[networks[index].key] = nil
    vacant.append(index)
  }

  /// How many networks there are or were at once.
  var count: Int { networks.count }

  /// The index of an anchor's session in its network.
  func anchor(_ run: SessionReference) -> (network: Int, anchor: Int)? {
    guard let network = networkOfRun[run.place],
      let anchor = networks[network].anchors.firstIndex(where: { $0.reference == run })
    else { return nil }
    return (network, anchor)
  }
}
