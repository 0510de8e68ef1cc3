import Foundation
import NearbyInteraction
import NearbyTesting

/// A hall with a jetpack on show, and a visitor who does what the app asks.
public final class Museum: @unchecked Sendable {
  // Used on the one thread that advances time.

  /// The simulated world.
  public let world: World
  /// The visitor's phone.
  public let phone: Phone
  /// The tag on the exhibit.
  public let jetpack: Phone
  /// The app in the visitor's hand.
  public let app: FindingApp
  private let exhibit: ExhibitApp
  private var visitor: Visitor

  /// Where the visitor starts, in metres, facing north.
  public static let entrance = SIMD3<Double>(0, 0, 1.4)
  /// Where the jetpack hangs, in metres: behind the visitor.
  public static let place = SIMD3<Double>(4, -16, 1.9)

  /// Creates the hall.
  ///
  /// - Parameters:
  ///   - seed: The world's random seed.
  ///   - onChange: Called with each phase of the app, on the thread that advances time, or while it waits.
  public init(seed: UInt64, onChange: @escaping (FindingApp.Phase) -> Void = { _ in }) {
    let world = World(seed: seed, drainsMainQueue: false)
    var profile = PhoneProfile()
    profile.supportsExtendedDistance = true
    let phone = world.addPhone("Visitor", at: Self.entrance, heading: 0, profile: profile)
    let jetpack = world.addPhone("Jetpack", at: Self.place, heading: 0, profile: profile)
    world.addWall(from: [-8, 6], to: [10, 6], material: .brick)
    world.addWall(from: [10, 6], to: [10, -20], material: .brick)
    world.addWall(from: [-8, 6], to: [-8, -20], material: .brick)
    self.world = world
    self.phone = phone
    self.jetpack = jetpack
    app = phone.launch {
      FindingApp(seconds: { world.now / .seconds(1) }, onChange: onChange)
    }
    exhibit = jetpack.launch { ExhibitApp() }
    visitor = Visitor(at: Self.entrance, heading: 0)
    if let token = app.token { jetpack.launch { exhibit.range(with: token) } }
    if let token = exhibit.token { phone.launch { app.find(token) } }
  }

  /// Advances time. Twenty times per second the visitor reacts to the phone's screen.
  public func advance(by duration: Duration) {
    let end = world.now + duration
    while world.now < end {
      let step = min(Visitor.step, end - world.now)
      let needsSweep = app.missing.contains(.insufficientHorizontalSweep)
      visitor.act(on: app.phase, needsSweep: needsSweep, after: step)
      phone.turn(heading: visitor.heading * 180 / .pi)
      phone.walk(to: visitor.hand, speed: max(0.01, visitor.speed))
      world.advance(by: step)
    }
  }

  /// How far the sphere is from the jetpack, in metres, horizontally and vertically; `nil` until there is a
  /// sphere.
  ///
  /// The origin of the AR world is where the visitor started, and its −z axis points north, where the visitor
  /// faced.
  public var error: (horizontal: Double, vertical: Double)? {
    guard let place = app.spheres.first?.columns.3 else { return nil }
    let truth = Self.place - Self.entrance
    let (east, north) = (Double(place.x) - truth.x, -Double(place.z) - truth.y)
    return ((east * east + north * north).squareRoot(), abs(Double(place.y) - truth.z))
  }
}
