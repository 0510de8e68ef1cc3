import NearbyExchange
import NearbySchedule
import NearbyUCI

/// All virtual UWB chips that share one air: each one's UCI controller, and the ranging rounds between them.
///
/// Hosts talk to their chips independently of each other, but a round involves at least two chips, and rounds that
/// overlap destroy each other's frames. Therefore all chips of a world are one machine with one clock.
///
/// **Input:** octets from a chip's host (`received`), chips switched on and off (`addChip`, `removeChip`,
/// `restoreChip`), and the time (`advance`). A time before the last one counts as the last one.
///
/// **Output:** actions (`takeActions`), each a whole UCI packet for one host, in order; and `nextEventTime`, when
/// `advance` next has something to do. The physics is behind a `RadioMedium`, which says which cell a radio is in, how
/// strong a frame arrives, and what a two-way exchange measured.
///
/// **States:** a `VirtualChip` keeps what its host configured. A session that is ACTIVE has a `SessionRun` here with
/// all that a round needs. An initiator's run waits for its next round in `events`; a responder's run waits in `matches`
/// under the parameters that an initiator must have in common with it. A round in progress is an `OpenRound`, entered in
/// `collisions`; when its last slot has passed, its exchanges are carried out and both hosts get SESSION_INFO_NTF. A
/// responder whose initiator stopped is watched: it reports a lost round at each time at which it expected one. A
/// controller that stopped is a `StopAnnouncement` until it has told its controlees.
///
/// **Invariants:** the same input gives the same octets. Events of one time happen in the order in which they were
/// scheduled, and a random number depends on the seed, the chip's identity, the session and the time alone. Each run has
/// a number that is never used again, so events of a run that has ended need no removal. The cost of a round does not
/// depend on the number of chips.
package struct VirtualAir: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Give one whole UCI packet to the host of this chip.
    case send([UInt8], to: RadioID)
  }

  var chips: [VirtualChip] = []
  var runs: [SessionRun] = []
  var freeRuns: [Int32] = []
  /// By nanoseconds since start.
  var events = EventHeap<Int64, RoundEvent>()
  var matches = MatchIndex()
  var collisions = CollisionRegistry()
  var rounds: [OpenRound] = []
  var freeRounds: [Int32] = []
  var announcements: [StopAnnouncement] = []
  var freeAnnouncements: [Int32] = []
  /// Storage for one search of the collision registry.
  var scratch: [Int32] = []
  private var actions: [Action] = []
  private var now: Int64 = 0
  private var runCount: UInt64 = 0
  private let seed: UInt64

  /// - Parameter seed: For everything the chips choose at random.
  package init(seed: UInt64) { self.seed = seed }

  /// Cells looked up for collisions so far; a round's share does not depend on the number of chips.
  package var cellLookups: Int { collisions.lookups }

  /// Powers a chip on: DEVICE_STATUS_NTF(READY) comes out.
  package mutating func addChip(_ configuration: VirtualChipConfiguration, at time: Duration) -> RadioID {
    passTime(to: time)
    let radio = RadioID(index: chips.count)
    chips.append(VirtualChip(configuration, radio: radio, at: now))
    send(.notification(.deviceStatus(.ready)), from: radio.index)
    return radio
  }

  /// Powers a chip off. Its peers hear nothing more of it.
  package mutating func removeChip(_ radio: RadioID, at time: Duration) {
    passTime(to: time)
    guard chips.indices.contains(radio.index), chips[radio.index].isPresent else { return }
    let stopped = chips[radio.index].sessions.compactMap { $0?.run }
    chips[radio.index].powerOff()
    for run in stopped { stop(run, tellsPeers: false) }
  }

  /// Powers a chip on again that `removeChip` powered off, as it was before its first command.
  package mutating func restoreChip(
    _ radio: RadioID, _ configuration: VirtualChipConfiguration, at time: Duration
  ) {
    passTime(to: time)
    guard chips.indices.contains(radio.index), !chips[radio.index].isPresent else { return }
    chips[radio.index] = VirtualChip(configuration, radio: radio, at: now)
    send(.notification(.deviceStatus(.ready)), from: radio.index)
  }

  /// Takes octets of a chip's host, in any chunks.
  package mutating func received(_ octets: [UInt8], from radio: RadioID, at time: Duration) {
    passTime(to: time)
    guard chips.indices.contains(radio.index), chips[radio.index].isPresent else { return }
    var items: [HostStream.Item] = []
    chips[radio.index].stream.received(octets, &items)
    for item in items { take(item, radio.index) }
  }

  /// When `advance` has something to do.
  package var nextEventTime: Duration? { events.first.map { AirTime.duration($0.time) } }

  /// Runs every event due, in the order of time; those of one time in the order they were asked for.
  package mutating func advance(to time: Duration, medium: inout some RadioMedium) {
    let end = max(AirTime.nanoseconds(time), now)
    while let first = events.first, first.time <= end, let next = events.removeFirst() {
      // What a host sent before its shell advanced may have moved the time past this event.
      now = next.time
      let event = next.event
      switch event.kind {
      case .beginRound: beginRound(reference(event), &medium)
      case .finishRound: finishRound(event.index, &medium)
      case .missedRound: missRound(reference(event), watch: event.index)
      case .announceStop: announceStop(event.index, &medium)
      }
    }
    now = end
  }

  /// What has to be done, in order; each action comes out once.
  package mutating func takeActions() -> [Action] {
    let result = actions
    actions = []
    return result
  }

  /// Appends what has to be done and keeps its own storage.
  package mutating func takeActions(into result: inout [Action]) {
    result.append(contentsOf: actions)
    actions.removeAll(keepingCapacity: true)
  }

  var time: Int64 { now }

  /// A host's octets may come late by the clock of the events; time never runs backwards.
  private mutating func passTime(to time: Duration) { now = max(now, AirTime.nanoseconds(time)) }

  mutating func nextRun() -> UInt64 {
    runCount &+= 1
    return runCount
  }

  /// A number that a session's start draws: no other chip or session changes it.
  func random(_ session: VirtualSession, on chip: Int) -> UInt64 {
    let identity = chips[chip].configuration.identity ?? UInt64(chip)
    let start = SplitMix64.hash(of: seed ^ SplitMix64.hash(of: UInt64(bitPattern: now)))
    return SplitMix64.hash(
      of: start ^ SplitMix64.hash(of: identity ^ SplitMix64.hash(of: UInt64(session.sessionID))))
  }

  mutating func append(_ octets: [UInt8], to radio: RadioID) { actions.append(.send(octets, to: radio)) }
}
