import NearbyUCI

/// Every virtual chip on one air.
///
/// A pure machine: octets from hosts and the time go in, octets for hosts come out. Rounds of chips whose
/// channel, preamble, STS and keys match are carried out by a `RadioMedium`.
package struct VirtualAir: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Give one whole UCI packet to the host of this chip.
    case send([UInt8], to: RadioID)
  }

  var chips: [VirtualChip] = []
  var runs: [SessionRun] = []
  var freeRuns: [Int32] = []
  var events = EventQueue()
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
    while let first = events.first, first.time <= end, let event = events.popFirst() {
      // What a host sent before its shell advanced may have moved the time past this event.
      now = event.time
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
    let start = Mixing.mix(seed ^ Mixing.mix(UInt64(bitPattern: now)))
    return Mixing.mix(start ^ Mixing.mix(identity ^ Mixing.mix(UInt64(session.sessionID))))
  }

  mutating func append(_ octets: [UInt8], to radio: RadioID) { actions.append(.send(octets, to: radio)) }
}
