import NearbyAirs
import NearbyExchange
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB

/// The chips of a server: one air, and the place in its world that each connection has.
///
/// A pure state machine: connections, octets and the time go in, octets come out. Each connection has a
/// number that is never reused. A chip belongs to a place and is powered on again for each connection
/// there, so memory grows with the places in use, not with the number of connections over time.
struct ServedAir: Sendable {
  private struct Place: Sendable {
    /// The number of the place's radio in the world.
    let radio: Int
    /// The place's chip; `nil` until the first connection.
    var chip: RadioID?
    /// The connection that holds the place.
    var holder: Int?
  }

  private var air: SimulatedAir
  private let configuration: VirtualChipConfiguration
  /// The distance between places on the line, in metres; `nil` if the places are those of the world.
  private let spacing: Double?
  /// The places of the world, or those on the line that have been taken so far.
  private var places: [Place] = []
  private var placeOfConnection: [Int: Int] = [:]
  private var placeOfChip: [RadioID: Int] = [:]
  private var joined = 0

  init(_ configuration: ChipServer.Configuration) {
    air = SimulatedAir(seed: configuration.seed, world: configuration.world, events: configuration.events)
    self.configuration = configuration.chip
    switch configuration.places {
    case .line(let spacing): self.spacing = spacing
    case .radios(let radios):
      spacing = nil
      places = radios.map { Place(radio: $0) }
    }
  }

  /// When a chip next has something to do. The scenario's events need no timer: clients notice them only
  /// through their chips' rounds, and `advance` performs them between the rounds.
  var nextEventTime: Duration? { air.uwb.nextEventTime }

  /// The connection that holds a place; `nil` if it is free.
  func holder(of place: Int) -> Int? { places.indices.contains(place) ? places[place].holder : nil }

  /// Assigns a connection to a place, or to the first free one, and powers its chip on; `nil` if that place
  /// or every place is taken.
  mutating func join(_ wanted: Int? = nil, at time: Duration) -> (connection: Int, place: Int)? {
    guard let place = wanted ?? freePlace(), places.indices.contains(place), places[place].holder == nil
    else { return nil }
    let connection = joined
    joined += 1
    if let chip = places[place].chip {
      air.uwb.restoreChip(chip, configuration, at: time)
    } else {
      let chip = air.addChip(configuration, radio: places[place].radio, at: time)
      places[place].chip = chip
      placeOfChip[chip] = place
    }
    air.medium.world.setRadio(places[place].radio, isOn: true)
    places[place].holder = connection
    placeOfConnection[connection] = place
    return (connection, place)
  }

  mutating func leave(_ connection: Int, at time: Duration) {
    guard let place = placeOfConnection.removeValue(forKey: connection) else { return }
    places[place].holder = nil
    if let chip = places[place].chip { air.uwb.removeChip(chip, at: time) }
    air.medium.world.setRadio(places[place].radio, isOn: false)
  }

  mutating func received(_ octets: [UInt8], from connection: Int, at time: Duration) {
    guard let chip = placeOfConnection[connection].flatMap({ places[$0].chip }) else { return }
    air.uwb.received(octets, from: chip, at: time)
  }

  mutating func advance(to time: Duration) {
    air.advance(to: time)
    // A server has no apps that could be suspended or denied permission.
    _ = air.takePerformedEvents()
  }

  mutating func takeSends() -> [(connection: Int, octets: [UInt8])] {
    air.uwb.takeActions().compactMap { action in
      switch action {
      case .send(let octets, let chip):
        placeOfChip[chip].flatMap { places[$0].holder }.map { ($0, octets) }
      }
    }
  }

  /// The first free place. On a line a new one is created if necessary.
  private mutating func freePlace() -> Int? {
    if let free = places.firstIndex(where: { $0.holder == nil }) { return free }
    guard let spacing else { return nil }
    // The first body faces along the line and the others face back towards it, so that neighbours face each
    // other.
    let heading = places.isEmpty ? 0 : Double.pi
    let position = SIMD3(0, Double(places.count) * spacing, 1.2)
    let body = air.medium.world.addBody(.standing(position), facing: .fixed(Rotation(heading: heading)))
    places.append(Place(radio: air.medium.world.addRadio(on: body)))
    return places.count - 1
  }
}
