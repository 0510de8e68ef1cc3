import NearbyExchange
import NearbyScenarios
import NearbySimulator
import NearbyVirtualBluetooth
import NearbyVirtualUWB

/// What simulated devices share: the ultra-wideband air, the Bluetooth air, the physical world beneath both,
/// and the scenario's scheduled changes to that world.
///
/// Every kind of simulated world holds one: the world inside a process, the world that a server shares, the
/// chips that a server offers, and the recorder. They differ in what drives the chips; the airs, the physics
/// and the order of events are the same everywhere and live here.
///
/// A pure machine. Octets from UCI hosts go in through `uwb`, commands from apps through `bluetooth`, and
/// time through `advance(to:)`. Output waits in three places until the owner collects it: `uwb.takeActions`,
/// `bluetooth.takeActions` and `takePerformedEvents`.
///
/// Events that are due at the same time happen in this order:
///
/// 1. ultra-wideband rounds that begin or end, in the order in which `VirtualAir` scheduled them;
/// 2. Bluetooth advertisements and connection events, in the order in which `BluetoothAir` scheduled them;
/// 3. the scenario's events, in file order.
///
/// A transmission that coincides with a change therefore still sees the world as it was before the change.
/// Input from hosts, apps and people at that moment comes from the owner after `advance(to:)` has returned;
/// the next call runs its consequences at the same time.
///
/// `advance(to:)` may cross any number of events. An owner that must respond to each event at its own time,
/// as hosts in virtual time do, advances from one `nextEventTime` to the next.
///
/// Invariants: time never runs backwards; every chip has a radio in the world; a place on the Bluetooth air
/// and its low-energy radio in the medium have the same number; every event of the scenario is performed
/// exactly once, or dropped together with its device.
package struct SimulatedAir: Sendable {
  /// The ultra-wideband air and its chips.
  package var uwb: VirtualAir
  /// The Bluetooth air: the radios of devices that use Bluetooth, and of beacons.
  package var bluetooth: BluetoothAir
  /// The world's physics, as both airs query it.
  package var medium: SimulatedMedium
  /// Which device occupies which place on the Bluetooth air.
  var bluetoothPlaces = BluetoothPlaces()
  /// The DL-TDoA anchors, in the order in which they were added.
  package internal(set) var anchors: [SimulatedAnchor] = []
  /// Sorted by time.
  private var events: [Scenario.Event]
  /// Index in `events` of the first event that has not been performed.
  private var nextEvent = 0
  private var performed: [Scenario.Event] = []

  /// - Parameters:
  ///   - seed: Seeds the random choices of chips and Bluetooth devices.
  ///   - events: Sorted by time, as in a scenario.
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

  /// When `advance(to:)` next has something to do, or `nil` if nothing is scheduled.
  package var nextEventTime: Duration? { Self.earlier(uwb.nextEventTime, nextBluetoothOrScenarioTime) }

  private var nextBluetoothOrScenarioTime: Duration? {
    Self.earlier(bluetooth.nextEventTime, nextEvent < events.count ? events[nextEvent].time : nil)
  }

  private static func earlier(_ first: Duration?, _ second: Duration?) -> Duration? {
    guard let first else { return second }
    guard let second else { return first }
    return min(first, second)
  }

  /// Runs every event due by `end`, ordered by time and then as described above.
  package mutating func advance(to end: Duration) {
    // Rounds are by far the most frequent events, so `VirtualAir` runs all of them up to the next other event
    // at once.
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

  /// Returns the scenario events performed since the last call, in order. The world has already changed; the
  /// owner decides what they mean for devices, apps and beacons.
  package mutating func takePerformedEvents() -> [Scenario.Event] {
    guard !performed.isEmpty else { return [] }
    defer { performed = [] }
    return performed
  }

  /// The scenario's events that have not been performed yet.
  package var comingEvents: ArraySlice<Scenario.Event> { events[nextEvent...] }

  /// Drops the pending events of a device that has left the world.
  package mutating func dropEvents(ofDevice device: Int) {
    events = comingEvents.filter { $0.device != device }
    nextEvent = 0
  }
}
