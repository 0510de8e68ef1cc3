import NearbyExchange
import NearbyScenarios
import NearbySimulator
import NearbyVirtualBluetooth
import NearbyVirtualUWB

/// What simulated devices share: the ultra-wideband air, the Bluetooth air, the physical world that both ask, and
/// the events of a scenario that change this world.
///
/// Each kind of simulated world holds one: the world inside a process, the world that a server shares, the chips
/// that a server offers, and the recorder. They differ in what drives the chips. An air with its physics and its
/// order of events is the same everywhere, and it is here.
///
/// A pure machine. Octets of UCI hosts go in through `uwb`, commands of apps through `bluetooth`, and time through
/// `advance(to:)`. What comes out waits in three places until the owner takes it: `uwb.takeActions`,
/// `bluetooth.takeActions` and `takePerformedEvents`.
///
/// Events that are due at the same time happen in this order:
///
/// 1. ultra-wideband rounds that begin or end, and these in the order in which `VirtualAir` scheduled them;
/// 2. Bluetooth advertisements and connection events, in the order in which `BluetoothAir` scheduled them;
/// 3. the scenario's events, in the order of its file.
///
/// So whatever is on the air at the moment of a change still meets the world as it was before the change. Whatever
/// hosts, apps and people do at that moment comes from the owner, after `advance(to:)` has returned. The next call
/// runs what they cause at the same time.
///
/// `advance(to:)` may cross any number of events. An owner that answers them at their own time, as hosts in virtual
/// time do, advances from one `nextEventTime` to the next.
///
/// Invariants: time never runs backwards; each chip has a radio in the world; the places on the Bluetooth air and
/// the low-energy radios of the medium have the same numbers; every event of the scenario is performed once or
/// dropped with its device.
package struct SimulatedAir: Sendable {
  /// The ultra-wideband chips.
  package var uwb: VirtualAir
  /// The Bluetooth radios of those devices that use Bluetooth, and of beacons.
  package var bluetooth: BluetoothAir
  /// The world's physics, as both airs ask for them.
  package var medium: SimulatedMedium
  /// Which device is where on the Bluetooth air.
  var bluetoothPlaces = BluetoothPlaces()
  /// In order of time.
  private var events: [Scenario.Event]
  /// The place in `events` of the first that is still to come.
  private var nextEvent = 0
  private var performed: [Scenario.Event] = []

  /// - Parameters:
  ///   - seed: For what chips and Bluetooth devices choose at random.
  ///   - events: In order of time, as a scenario has them.
  package init(seed: UInt64, world: SimulatedWorld, events: [Scenario.Event] = []) {
    uwb = VirtualAir(seed: seed)
    bluetooth = BluetoothAir(seed: seed)
    medium = SimulatedMedium(world: world)
    self.events = events
  }

  /// Adds a chip to the ultra-wideband air and gives it a radio of the world.
  package mutating func addChip(
    _ configuration: VirtualChipConfiguration, radio: Int, at time: Duration
  ) -> RadioID {
    let chip = uwb.addChip(configuration, at: time)
    medium.assign(chip, to: radio)
    return chip
  }

  // MARK: Time

  /// When `advance` has something to do.
  package var nextEventTime: Duration? { Self.earlier(uwb.nextEventTime, nextBluetoothOrScenarioTime) }

  private var nextBluetoothOrScenarioTime: Duration? {
    Self.earlier(bluetooth.nextEventTime, nextEvent < events.count ? events[nextEvent].time : nil)
  }

  private static func earlier(_ first: Duration?, _ second: Duration?) -> Duration? {
    guard let first else { return second }
    guard let second else { return first }
    return min(first, second)
  }

  /// Runs every event that is due, by time and then in the order that is described above.
  package mutating func advance(to end: Duration) {
    // Rounds are the most frequent by far: `VirtualAir` runs all of them up to the next of anything else at once.
    while let time = nextBluetoothOrScenarioTime, time <= end {
      uwb.advance(to: time, medium: &medium)
      if let next = bluetooth.nextEventTime, next <= time { bluetooth.advance(to: time, medium: &medium) }
      performEvents(until: time)
    }
    uwb.advance(to: end, medium: &medium)
  }

  // MARK: Scenario

  private mutating func performEvents(until time: Duration) {
    while nextEvent < events.count, events[nextEvent].time <= time {
      medium.world.perform(events[nextEvent])
      performed.append(events[nextEvent])
      nextEvent += 1
    }
  }

  /// The events that changed the world since the last call, in order. What they mean to devices, apps and beacons
  /// is left to the owner.
  package mutating func takePerformedEvents() -> [Scenario.Event] {
    guard !performed.isEmpty else { return [] }
    defer { performed = [] }
    return performed
  }

  /// The scenario's events that are still to come.
  package var comingEvents: ArraySlice<Scenario.Event> { events[nextEvent...] }

  /// Drops the events to come of a device that left the world.
  package mutating func dropEvents(ofDevice device: Int) {
    events = comingEvents.filter { $0.device != device }
    nextEvent = 0
  }
}
