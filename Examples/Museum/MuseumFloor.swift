import Foundation
import NearbyTesting

/// A floor of a museum with anchors on its walls, and a visitor who walks from room to room.
public final class MuseumFloor: @unchecked Sendable {
  // Used on the one thread that advances time.

  /// The simulated world.
  public let world: World
  /// The visitor's phone.
  public let phone: Phone
  /// The app in the visitor's hand.
  public let app: FloorApp
  /// The anchors on the walls.
  public let anchors: [AnchorHandle]

  /// The number of the museum's anchors.
  public static let network = 1914

  /// The rooms, with their walls along the axes.
  public static let rooms = [
    FloorApp.Room("hall", from: [0, 0], to: [8, 12]),
    FloorApp.Room("gallery", from: [8, 0], to: [16, 6]),
    FloorApp.Room("workshop", from: [8, 6], to: [16, 12]),
  ]

  /// The walls between the rooms, with gaps for the doors, metres.
  public static let walls: [(from: SIMD2<Double>, to: SIMD2<Double>)] = [
    ([8, 0], [8, 2.5]), ([8, 4], [8, 8]), ([8, 9.5], [8, 12]), ([8, 6], [12, 6]), ([13.5, 6], [16, 6]),
  ]

  /// Places of the anchors, metres, and their rounds: the hall's cluster, and one for each other room, begun by the
  /// bridge in its door.
  private static let plan: [(place: SIMD3<Double>, roles: [AnchorProfile.Role])] = [
    ([0.3, 6, 2.6], [.initiator(round: 0, responders: [2, 3, 4, 5, 6, 7])]),
    ([0.3, 0.3, 2.9], [.responder(round: 0)]), ([0.3, 11.7, 2.2], [.responder(round: 0)]),
    ([7.7, 11.7, 2.9], [.responder(round: 0)]), ([7.7, 0.3, 2.3], [.responder(round: 0)]),
    ([8, 8.75, 2.5], [.responder(round: 0), .initiator(round: 1, responders: [8, 9, 10, 11])]),
    ([8, 3.25, 2.5], [.responder(round: 0), .initiator(round: 2, responders: [12, 13, 14, 15])]),
    ([15.7, 6.3, 2.9], [.responder(round: 1)]), ([15.7, 11.7, 2.3], [.responder(round: 1)]),
    ([8.3, 11.7, 2.8], [.responder(round: 1)]), ([8.3, 6.3, 2.2], [.responder(round: 1)]),
    ([15.7, 0.3, 2.8], [.responder(round: 2)]), ([15.7, 5.7, 2.3], [.responder(round: 2)]),
    ([8.3, 0.3, 2.9], [.responder(round: 2)]), ([8.3, 5.7, 2.2], [.responder(round: 2)]),
  ]

  /// Where the visitor starts, and the way through the rooms, metres.
  public static let entrance = SIMD3<Double>(2, 2, 1.2)
  private static let path: [SIMD3<Double>] = [
    [2.5, 9, 1.2], [6, 8.75, 1.2], [10.5, 8.75, 1.2], [12.75, 8, 1.2], [12.75, 4.5, 1.2], [10, 3.25, 1.2],
    [6, 3.25, 1.2], [2, 2, 1.2],
  ]

  /// Creates the floor, and the visitor begins to walk.
  ///
  /// - Parameters:
  ///   - seed: The world's random seed.
  ///   - onChange: Called with what the app shows, on a queue of the app while time waits.
  public init(seed: UInt64, onChange: @escaping @Sendable (FloorApp.Place) -> Void = { _ in }) {
    let world = World(seed: seed, drainsMainQueue: false)
    for (from, to) in Self.walls { world.addWall(from: from, to: to, material: .drywall) }
    for (from, to) in [
      ([0, 0], [16, 0]), ([16, 0], [16, 12]), ([16, 12], [0, 12]), ([0, 12], [0, 0]),
    ]
      as [(SIMD2<Double>, SIMD2<Double>)]
    {
      world.addWall(from: from, to: to, material: .concrete)
    }
    anchors = Self.plan.enumerated().map { index, anchor in
      var profile = AnchorProfile(network: Self.network, address: index + 1, roles: anchor.roles)
      profile.isTimeReference = index == 0
      return world.addAnchor("anchor \(index + 1)", at: anchor.place, profile)
    }
    let phone = world.addPhone("Visitor", at: Self.entrance)
    self.world = world
    self.phone = phone
    app = phone.launch { FloorApp(network: Self.network, rooms: Self.rooms, onChange: onChange) }
    phone.walk(through: Self.path, speed: 0.9)
  }

  /// Advances time.
  public func advance(by duration: Duration) { world.advance(by: duration) }

  /// How far on the floor the app's position is from the visitor, metres; `nil` without one.
  public var error: Double? {
    guard case .here(_, let position, _) = app.place else { return nil }
    let away = SIMD2(position.x - phone.position.x, position.y - phone.position.y)
    return (away * away).sum().squareRoot()
  }

  /// The room in which the visitor is.
  public var room: String? {
    let (x, y) = (phone.position.x, phone.position.y)
    return Self.rooms.first { $0.low.x <= x && x <= $0.high.x && $0.low.y <= y && y <= $0.high.y }?.name
  }
}
