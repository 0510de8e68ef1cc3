import Foundation
import NearbyInteraction
import NearbyTesting

/// A hall with a jetpack in it, and a visitor who does what the app says.
public final class Museum: @unchecked Sendable {
  // One thread moves time and reads.

  /// The simulated place.
  public let world: World
  /// The visitor's phone.
  public let phone: Phone
  /// The tag on the exhibit.
  public let jetpack: Phone
  /// The app in the visitor's hand.
  public let app: FindingApp
  private let exhibit: ExhibitApp
  private var visitor: Visitor

  /// Where the visitor stands at first, metres, looking north.
  public static let entrance = SIMD3<Double>(0, 0, 1.4)
  /// Where the jetpack hangs: behind the visitor.
  public static let place = SIMD3<Double>(4, -16, 1.9)

  /// Makes the hall.
  ///
  /// - Parameters:
  ///   - seed: Of everything random.
  ///   - onChange: Called with each phase of the app, on the thread that moves time or while it waits.
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

  /// Moves time on; twenty times a second the visitor looks at the phone.
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

  /// How far off the sphere is from the jetpack, metres, horizontally and in height; `nil` until there is one.
  ///
  /// The AR world begins where the visitor stood, with −z where the visitor looked: north.
  public var error: (horizontal: Double, vertical: Double)? {
    guard let place = app.spheres.first?.columns.3 else { return nil }
    let truth = Self.place - Self.entrance
    let (east, north) = (Double(place.x) - truth.x, -Double(place.z) - truth.y)
    return ((east * east + north * north).squareRoot(), abs(Double(place.y) - truth.z))
  }
}
