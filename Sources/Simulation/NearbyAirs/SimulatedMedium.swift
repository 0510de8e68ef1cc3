import NearbyExchange
import NearbySchedule
import NearbySimulator
import NearbyVirtualUWB

/// Answers the virtual chips' questions about the simulated world. `LowEnergyMedium.swift` does so for
/// Bluetooth.
package struct SimulatedMedium: RadioMedium, Sendable {
  package var world: SimulatedWorld
  /// A chip's radio in the world, and the body that carries it.
  private struct Place: Sendable {
    /// −1 for a chip without a radio.
    var radio: Int32 = -1
    /// Duplicates the radio's body so that locating a chip does not need to load the radio.
    var body: Int32 = 0
  }

  /// Indexed by the chip's index on the air.
  private var places: [Place] = []
  /// Indexed by place on the Bluetooth air.
  private(set) var lowEnergyRadios: [LowEnergyRadio] = []
  var receiverIndex = ReceiverIndex()

  package init(world: SimulatedWorld) { self.world = world }

  /// Assigns a radio of the world to a chip.
  package mutating func assign(_ chip: RadioID, to radio: Int) {
    while places.count <= chip.index { places.append(Place()) }
    places[chip.index] = Place(radio: Int32(radio), body: Int32(world.body(ofRadio: radio).index))
  }

  /// Assigns a radio to the next place on the Bluetooth air.
  mutating func addLowEnergyRadio(_ radio: LowEnergyRadio) { lowEnergyRadios.append(radio) }

  mutating func setLowEnergyLoss(_ share: Double, of place: Int) {
    lowEnergyRadios[place].extraLoss = min(1, max(0, share))
  }

  private func place(_ chip: RadioID) -> Place {
    precondition(
      places.indices.contains(chip.index) && places[chip.index].radio >= 0, "chip \(chip) has no radio")
    return places[chip.index]
  }

  private func radio(_ chip: RadioID) -> Int { Int(place(chip).radio) }

  /// The world's radio that a chip uses.
  package func radioInWorld(of chip: RadioID) -> Int { radio(chip) }

  // MARK: RadioMedium

  package mutating func cell(of chip: RadioID, at time: Duration) -> RadioCell {
    let cell = world.cell(of: BodyID(index: Int(place(chip).body)), at: time)
    return RadioCell(column: cell.column, row: cell.row)
  }

  package mutating func receivedPower(
    from sender: RadioID, to receiver: RadioID, channel: UInt8, at time: Duration
  ) -> Double? {
    world.receivedPower(from: radio(sender), to: radio(receiver), channel: channel, at: time)
  }

  package mutating func audible(
    by receiver: RadioID, among senders: [RadioID], at time: Duration, for duration: Duration
  ) -> [RadioID] {
    let (start, length) = (time.inSeconds, duration.inSeconds)
    let listener = radio(receiver)
    return senders.filter { world.mayReach(listener, from: radio($0), at: start, for: length) }
  }

  package mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome {
    var plan = plan
    plan.initiator = RadioID(index: radio(plan.initiator))
    plan.responder = RadioID(index: radio(plan.responder))
    return world.exchange(plan)
  }

  package mutating func deliver(
    from sender: RadioID, to receiver: RadioID, channel: UInt8, at time: Duration
  ) -> Bool {
    world.deliver(from: radio(sender), to: radio(receiver), channel: channel, at: time)
  }

  package mutating func counter(of chip: RadioID, at nanoseconds: Int64) -> UInt64 {
    world.counter(ofRadio: radio(chip), atNanoseconds: nanoseconds)
  }

  package mutating func receive(_ frame: BroadcastFrame, at receiver: RadioID) -> BroadcastReception? {
    var frame = frame
    frame.sender = RadioID(index: radio(frame.sender))
    return world.receive(frame, by: radio(receiver))
  }
}
