import NearbyScenarios
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB

/// The chips of a server: one shared air, one world, and who stands where in it.
///
/// A pure machine: connections, octets and the time go in, octets come out.
struct ChipHall: Sendable {
  private var air: VirtualAir
  private var medium: SimulatedMedium
  private let chip: VirtualChipConfiguration
  private let places: ChipServer.Places
  /// Place of each chip that is here.
  private var taken: [RadioID: Int] = [:]
  /// Still to come.
  private var events: ArraySlice<Scenario.Event>
  /// Radio in the world of each place that was ever taken.
  private var radios: [Int]

  init(_ configuration: ChipServer.Configuration) {
    air = VirtualAir(seed: configuration.seed)
    medium = SimulatedMedium(world: configuration.world)
    chip = configuration.chip
    places = configuration.places
    events = configuration.events[...]
    radios = []
    if case .radios(let indices) = places { radios = indices }
  }

  var count: Int { taken.count }
  var nextEventTime: Duration? { air.nextEventTime }

  /// The chip that is at a place.
  func radio(taking place: Int) -> RadioID? { taken.first { $0.value == place }?.key }

  /// Puts a chip at a place, or at the first free one, and powers it on; `nil` when that or every place is taken.
  mutating func join(_ wanted: Int? = nil, at time: Duration) -> (radio: RadioID, place: Int)? {
    let used = Set(taken.values)
    guard let place = wanted ?? (0...).first(where: { !used.contains($0) }), !used.contains(place),
      let inWorld = radio(at: place)
    else { return nil }
    let radio = air.addChip(chip, at: time)
    medium.assign(radio, to: inWorld)
    medium.world.setRadio(inWorld, isOn: true)
    taken[radio] = place
    return (radio, place)
  }

  mutating func leave(_ radio: RadioID, at time: Duration) {
    guard let place = taken.removeValue(forKey: radio) else { return }
    air.removeChip(radio, at: time)
    medium.world.setRadio(radios[place], isOn: false)
  }

  mutating func received(_ octets: [UInt8], from radio: RadioID, at time: Duration) {
    air.received(octets, from: radio, at: time)
  }

  mutating func advance(to time: Duration) {
    while let event = events.first, event.time <= time {
      air.advance(to: event.time, medium: &medium)
      medium.world.perform(event)
      events = events.dropFirst()
    }
    air.advance(to: time, medium: &medium)
  }

  mutating func takeSends() -> [(radio: RadioID, octets: [UInt8])] {
    air.takeActions().map { action in
      switch action {
      case .send(let octets, let radio): (radio, octets)
      }
    }
  }

  /// The radio in the world at a place; made when a place on the line is taken for the first time.
  private mutating func radio(at place: Int) -> Int? {
    if radios.indices.contains(place) { return radios[place] }
    guard case .line(let spacing) = places else { return nil }
    // The first looks down the line and the others look back at it, so that neighbours see each other.
    let heading = place == 0 ? 0 : Double.pi
    let position = SIMD3(0, Double(place) * spacing, 1.2)
    let body = medium.world.addBody(.standing(position), facing: .fixed(Rotation(heading: heading)))
    radios.append(medium.world.addRadio(on: body))
    return radios[place]
  }
}
