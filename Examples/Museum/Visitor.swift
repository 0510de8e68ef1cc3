import Foundation

/// A person who does what the app asks: sways, turns, walks, and stops at the sphere.
struct Visitor {
  static let step = Duration.milliseconds(50)
  /// Metres per second.
  private static let pace = 1.0
  /// Radians per second.
  private static let turning = 1.2
  /// How close a visitor walks to an exhibit, in metres.
  private static let reach: Float = 1.2

  /// The phone's position, in metres.
  private(set) var hand: SIMD3<Double>
  /// The speed of the hand, in metres per second.
  private(set) var speed = 0.0
  /// The direction that the phone's back points in, in radians clockwise from north.
  private(set) var heading: Double
  /// The visitor's position, at the height of the phone.
  private var feet: SIMD3<Double>
  /// The direction that the visitor faces, without the swaying.
  private var gaze: Double
  private var seconds = 0.0

  init(at place: SIMD3<Double>, heading: Double) {
    feet = place
    hand = place
    gaze = heading
    self.heading = heading
  }

  /// Does what the app asks for the time `step`.
  ///
  /// - Parameter needsSweep: Whether the app reports that moving from side to side would still help.
  mutating func act(on phase: FindingApp.Phase, needsSweep: Bool, after step: Duration) {
    let dt = step / .seconds(1)
    seconds += dt
    var (sway, lift) = (0.0, 0.0)
    switch phase {
    case .connecting, .stopped: break
    case .moveSideToSide:
      sway = sin(seconds * 2 * .pi / 3)
      walk(0.25 * dt)
    case .followArrow(let angle, _): turnAndWalk(angle, dt, pace: Self.pace)
    case .moveUpAndDown(let angle, let distance):
      lift = sin(seconds * 2 * .pi / 2.5)
      if needsSweep { sway = sin(seconds * 2 * .pi / 4) }
      if distance > Self.reach { turnAndWalk(angle, dt, pace: 0.6 * Self.pace) }
    case .placed(let angle, let distance):
      if distance > Self.reach { turnAndWalk(angle ?? 0, dt, pace: 0.6 * Self.pace) }
    }
    hold(sway: sway, lift: lift, dt)
  }

  private mutating func turnAndWalk(_ angle: Float, _ dt: Double, pace: Double) {
    let turn = min(Self.turning * dt, max(-Self.turning * dt, Double(angle)))
    gaze += turn
    if abs(angle) < 0.6 { walk(pace * dt) }
  }

  private mutating func walk(_ way: Double) { feet += SIMD3(sin(gaze), cos(gaze), 0) * way }

  /// Holds the phone at arm's length, swung around the body by `sway` and raised by `lift`, each −1 to 1.
  private mutating func hold(sway: Double, lift: Double, _ dt: Double) {
    let swing = sway * 1.1
    heading = gaze + swing
    let arm = SIMD3(sin(heading), cos(heading), 0) * 0.6 - SIMD3(sin(gaze), cos(gaze), 0) * 0.6
    let next = feet + arm + SIMD3(0, 0, 0.55 * lift)
    let way = next - hand
    speed = (way * way).sum().squareRoot() / dt
    hand = next
  }
}
