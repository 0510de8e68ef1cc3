import NearbyExchange

/// A round in progress. Its storage is used again by later rounds.
struct OpenRound: Sendable {
  /// One frame on the air.
  struct Frame: Sendable {
    var kind: ExchangeFrames
    /// The responder that sends it; −1 for the initiator's, which every responder receives.
    var responder: Int32
    var sender: RadioID
    /// Nanoseconds.
    var start: Int64
    var end: Int64

    /// Without it no responder takes part.
    var isOpening: Bool { kind == .control || kind == .poll }
  }

  /// A frame of this round, and who sends at the same time.
  struct Conflict: Sendable {
    var frame: Frame
    /// The frame's own sender where its chip sends for another session, which goes first.
    var interferer: RadioID
  }

  var initiator = SessionReference.none
  var start: Int64 = 0
  var layout = RoundLayout.empty
  var channel: UInt8 = 0
  var priority: UInt8 = 0
  /// Whom the initiator polls, and who listens under each name.
  var addresses: [UInt64] = []
  var responders: [SessionReference] = []
  var frames: [Frame] = []
  var conflicts: [Conflict] = []
  var cells: [RadioCell] = []
  /// Rounds already compared with this one.
  var met: [Int32] = []
  /// The initiator's chip sends for another session when this round should begin: nothing goes out.
  var isSilent = false
  /// Places in the collision registry.
  var transmissions: [Int32] = []

  mutating func open(
    _ initiator: SessionReference, _ parameters: RoundParameters, layout: RoundLayout, at time: Int64
  ) {
    self.initiator = initiator
    start = time
    self.layout = layout
    channel = parameters.channel
    priority = parameters.priority
  }

  /// Puts the round's frames on the air, once its responders are known.
  mutating func layOutFrames() {
    let sender = initiator.radio
    if layout.hasControl { append(.control, -1, sender, slot: 0, layout.messageFrame) }
    append(.poll, -1, sender, slot: layout.pollSlot, layout.rangingFrame)
    for place in responders.indices where responders[place] != .none {
      append(
        .response, Int32(place), responders[place].radio, slot: layout.responseSlot(place),
        layout.rangingFrame)
    }
    if layout.hasFinal { append(.final, -1, sender, slot: layout.finalSlot, layout.rangingFrame) }
    if layout.hasReport { append(.report, -1, sender, slot: layout.reportSlot, layout.messageFrame) }
  }

  private mutating func append(
    _ kind: ExchangeFrames, _ responder: Int32, _ sender: RadioID, slot: Int, _ duration: Int64
  ) {
    let begin = start + layout.offset(slot)
    frames.append(
      Frame(kind: kind, responder: responder, sender: sender, start: begin, end: begin + duration))
  }

  /// Whether one chip would have to send both rounds' first frame or poll at once.
  func startsWith(_ other: OpenRound) -> Bool {
    guard initiator.chip == other.initiator.chip else { return false }
    return frames.contains { mine in
      mine.isOpening
        && other.frames.contains { $0.isOpening && mine.start < $0.end && $0.start < mine.end }
    }
  }

  mutating func close() {
    initiator = .none
    isSilent = false
    addresses.removeAll(keepingCapacity: true)
    responders.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    conflicts.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    met.removeAll(keepingCapacity: true)
    transmissions.removeAll(keepingCapacity: true)
  }
}
