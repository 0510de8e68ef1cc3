import NearbyExchange

/// A round in progress. Later rounds reuse its storage.
struct OpenRound: Sendable {
  /// One frame on the air.
  struct Frame: Sendable {
    var kind: ExchangeFrames
    /// The index of the responder that sends the frame; −1 for the initiator's frames, which every
    /// responder receives.
    var responder: Int32
    var sender: RadioID
    /// Nanoseconds.
    var start: Int64
    var end: Int64

    /// Whether responders need this frame to take part.
    var isOpening: Bool { kind == .control || kind == .poll }
  }

  /// A frame of this round and a radio that transmits at the same time.
  struct Conflict: Sendable {
    var frame: Frame
    /// The radio that interferes. If it is the frame's own sender, its chip sends for another session that
    /// has precedence.
    var interferer: RadioID
  }

  /// What only DL-TDoA rounds have.
  struct Downlink: Sendable {
    /// Index of the network in the air's table.
    var network: Int
    /// The round's index in its block, and the block's number.
    var round: UInt8
    var block: UInt64
    /// The slot of each responder.
    var slots: [UInt8]
  }

  var initiator = SessionReference.none
  var start: Int64 = 0
  var layout = RoundLayout.empty
  var channel: UInt8 = 0
  var priority: UInt8 = 0
  /// The addresses that the initiator polls, and the session that listens under each.
  var addresses: [UInt64] = []
  var responders: [SessionReference] = []
  var frames: [Frame] = []
  var conflicts: [Conflict] = []
  /// The radios that send the round's frames, and those that interfere in any conflict; only while the tags' receptions
  /// are worked out.
  private(set) var senders: [RadioID] = []
  private(set) var interferers: [RadioID] = []
  var cells: [RadioCell] = []
  /// The rounds already compared with this one.
  var met: [Int32] = []
  /// Whether the initiator's chip is busy with another session when this round should begin, so that
  /// nothing is sent.
  var isSilent = false
  /// `nil` in two-way rounds.
  var downlink: Downlink?
  /// The round's entries in the collision registry.
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

  /// Schedules the round's frames once its responders are known.
  mutating func layOutFrames() {
    let sender = initiator.radio
    if layout.hasControl { append(.control, -1, sender, slot: 0, layout.messageFrame) }
    append(.poll, -1, sender, slot: layout.pollSlot, layout.rangingFrame)
    for place in responders.indices where responders[place] != .none {
      append(
        .response, Int32(place), responders[place].radio, slot: responseSlot(place), layout.rangingFrame)
    }
    if layout.hasFinal { append(.final, -1, sender, slot: layout.finalSlot, layout.rangingFrame) }
    if layout.hasReport { append(.report, -1, sender, slot: layout.reportSlot, layout.messageFrame) }
  }

  private func responseSlot(_ place: Int) -> Int {
    guard let slots = downlink?.slots, slots.indices.contains(place) else {
      return layout.responseSlot(place)
    }
    return Int(slots[place])
  }

  private mutating func append(
    _ kind: ExchangeFrames, _ responder: Int32, _ sender: RadioID, slot: Int, _ duration: Int64
  ) {
    let begin = start + layout.offset(slot)
    frames.append(
      Frame(kind: kind, responder: responder, sender: sender, start: begin, end: begin + duration))
  }

  /// Whether one chip would have to send the opening frames of both rounds at once.
  func startsWith(_ other: OpenRound) -> Bool {
    guard initiator.chip == other.initiator.chip else { return false }
    return frames.contains { mine in
      mine.isOpening
        && other.frames.contains { $0.isOpening && mine.start < $0.end && $0.start < mine.end }
    }
  }

  mutating func listRadios(_ sent: some Sequence<Frame>) {
    for frame in sent where !senders.contains(frame.sender) { senders.append(frame.sender) }
    for conflict in conflicts where !interferers.contains(conflict.interferer) {
      interferers.append(conflict.interferer)
    }
  }

  mutating func close() {
    initiator = .none
    isSilent = false
    downlink = nil
    addresses.removeAll(keepingCapacity: true)
    responders.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    conflicts.removeAll(keepingCapacity: true)
    senders.removeAll(keepingCapacity: true)
    interferers.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    met.removeAll(keepingCapacity: true)
    transmissions.removeAll(keepingCapacity: true)
  }
}
