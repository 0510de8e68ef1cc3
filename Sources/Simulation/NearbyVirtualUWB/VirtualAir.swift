import NearbyExchange
import NearbySchedule
import NearbyUCI

/// All virtual UWB chips that share one air: each chip's UCI controller, and the ranging rounds between the
/// chips.
///
/// Hosts talk to their chips independently of each other, but a round involves at least two chips, and
/// overlapping rounds can destroy each other's frames. All chips of a world are therefore one state machine
/// with one clock.
///
/// **Inputs.** Octets from a chip's host (`received`), chips being switched on and off (`addChip`,
/// `removeChip`, `restoreChip`), and the time (`advance`). A time before the last one counts as the last
/// one. A `RadioMedium` supplies the physics: the cell in which a radio is, the power at which a frame
/// arrives, and what a two-way exchange measured.
///
/// **Outputs.** Actions (`takeActions`), each a whole UCI packet for one host, in order; and
/// `nextEventTime`, when `advance` next has something to do.
///
/// **States.** A `VirtualChip` holds what its host configured. A session that is ACTIVE, or suspended by
/// its controller, has a `SessionRun` here with everything that a round needs. An initiator's run waits for
/// its next round in `events`. A responder's run waits in `matches`, under the parameters that an initiator
/// must share with it. A round in progress is an `OpenRound`, registered in `collisions`. After its last
/// slot its exchanges are carried out, and both hosts receive SESSION_INFO_NTF. A responder whose initiator
/// has stopped is watched: it reports a lost round each time it would have expected one. A controller that
/// has stopped is a `StopAnnouncement` until it has informed its controlees.
///
/// **Invariants.**
/// - The same inputs give the same octets. Events of the same time happen in the order in which they were
///   scheduled. A random number depends only on the seed, the chip's identity, the session and the time.
/// - Each run has a number that is never reused, so the events of a run that has ended need no removal.
/// - The cost of a round does not depend on the number of chips.
package struct VirtualAir: Sendable {
  /// What the owner must do, in order.
  package enum Action: Equatable, Sendable {
    /// Pass one whole UCI packet to this chip's host.
    case send([UInt8], to: RadioID)
  }

  var chips: [VirtualChip] = []
  var runs: [SessionRun] = []
  var freeRuns: [Int32] = []
  /// The scheduled events, by time in nanoseconds since the start.
  var events = EventHeap<Int64, RoundEvent>()
  var matches = MatchIndex()
  var collisions = CollisionRegistry()
  var rounds: [OpenRound] = []
  var freeRounds: [Int32] = []
  /// The DL-TDoA networks.
  var downlink = DownlinkTable()
  var announcements: [StopAnnouncement] = []
  var freeAnnouncements: [Int32] = []
  /// Reusable storage for a search of the collision registry.
  var scratch: [Int32] = []
  private var actions: [Action] = []
  private var now: Int64 = 0
  private var runCount: UInt64 = 0
  let seed: UInt64

  /// Creates an air without chips.
  ///
  /// - Parameter seed: Determines everything that the chips choose at random.
  package init(seed: UInt64) { self.seed = seed }

  /// The number of cells searched for collisions so far. The number per round does not depend on the number
  /// of chips.
  package var cellLookups: Int { collisions.lookups }

  /// Adds a chip and powers it on, which sends DEVICE_STATUS_NTF(READY) to its host.
  package mutating func addChip(_ configuration: VirtualChipConfiguration, at time: Duration) -> RadioID {
    pass(to: time)
    let radio = RadioID(index: chips.count)
    chips.append(VirtualChip(configuration, radio: radio, at: now))
    send(.notification(.deviceStatus(.ready)), from: radio.index)
    return radio
  }

  /// Powers a chip off. Its peers receive no announcement. Unknown chips are ignored.
  package mutating func removeChip(_ radio: RadioID, at time: Duration) {
    pass(to: time)
    guard chips.indices.contains(radio.index), chips[radio.index].isPresent else { return }
    let stopped = chips[radio.index].sessions.compactMap { $0?.run }
    chips[radio.index].powerOff()
    for run in stopped { stop(run, tellsPeers: false) }
  }

  /// Powers a chip on again that `removeChip` powered off, in its initial state.
  package mutating func restoreChip(
    _ radio: RadioID, _ configuration: VirtualChipConfiguration, at time: Duration
  ) {
    pass(to: time)
    guard chips.indices.contains(radio.index), !chips[radio.index].isPresent else { return }
    chips[radio.index] = VirtualChip(configuration, radio: radio, at: now)
    send(.notification(.deviceStatus(.ready)), from: radio.index)
  }

  /// Processes octets from a chip's host, in chunks of any size.
  package mutating func received(_ octets: [UInt8], from radio: RadioID, at time: Duration) {
    pass(to: time)
    guard chips.indices.contains(radio.index), chips[radio.index].isPresent else { return }
    var items: [HostStream.Item] = []
    chips[radio.index].stream.received(octets, &items)
    for item in items { handle(item, radio.index) }
  }

  /// When `advance` next has something to do, unless octets arrive first.
  package var nextEventTime: Duration? { events.first.map { AirTime.duration($0.time) } }

  /// Processes all events due up to `time`, in order of time, and those of the same time in the order of
  /// scheduling.
  package mutating func advance(to time: Duration, medium: inout some RadioMedium) {
    let end = max(AirTime.nanoseconds(time), now)
    while let first = events.first, first.time <= end, let next = events.removeFirst() {
      // A host's octets may already have moved the time past this event.
      now = next.time
      let event = next.event
      switch event.kind {
      case .beginRound: beginRound(reference(event), &medium)
      case .finishRound: finishRound(event.index, &medium)
      case .missedRound: missRound(reference(event), watch: event.index)
      case .announceStop: announceStop(event.index, &medium)
      case .beginAnchorRound: beginAnchorRound(reference(event), event.index, &medium)
      case .finishAnchorRound: finishAnchorRound(event.index, &medium)
      }
    }
    now = end
  }

  /// Returns and clears the pending actions, in order.
  package mutating func takeActions() -> [Action] {
    let result = actions
    actions = []
    return result
  }

  /// Moves the pending actions to the end of `result`. Keeps its own storage for reuse.
  package mutating func takeActions(into result: inout [Action]) {
    result.append(contentsOf: actions)
    actions.removeAll(keepingCapacity: true)
  }

  var time: Int64 { now }

  /// Moves the time forward, never backward: a host's octets may carry an earlier time than the last event.
  mutating func pass(to time: Duration) { now = max(now, AirTime.nanoseconds(time)) }

  mutating func nextRun() -> UInt64 {
    runCount &+= 1
    return runCount
  }

  /// A random number for the start of a session. Other chips and sessions do not influence it.
  func random(_ session: VirtualSession, on chip: Int) -> UInt64 {
    let identity = chips[chip].configuration.identity ?? UInt64(chip)
    let start = SplitMix64.hash(of: seed ^ SplitMix64.hash(of: UInt64(bitPattern: now)))
    return SplitMix64.hash(
      of: start ^ SplitMix64.hash(of: identity ^ SplitMix64.hash(of: UInt64(session.sessionID))))
  }

  mutating func append(_ octets: [UInt8], to radio: RadioID) {
    guard !chips[radio.index].isSelfHosted else { return }
    actions.append(.send(octets, to: radio))
  }
}
