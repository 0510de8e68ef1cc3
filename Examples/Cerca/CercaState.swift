import NearbyInteraction
import simd

/// What Cerca shows.
public enum CercaState: Equatable, Sendable {
  /// This device cannot measure distances.
  case unsupported
  /// No peer found yet.
  case searching
  /// Connected; the two devices are exchanging tokens.
  case meeting(peer: String)
  /// Ranging.
  case near(Sighting)
  /// The peer was near, but no longer answers.
  case lost(peer: String)
  /// The app is not in the foreground.
  case suspended
  /// The user denied permission.
  case refused
  /// The network can't be used. The app keeps trying.
  case noNetwork
  /// The app can't continue.
  case failed(reason: String)
}

/// The peer, as this device last measured it.
public struct Sighting: Equatable, Sendable {
  /// Closer than this counts as close up, in metres, as in Apple's sample.
  public static let closeDistance: Float = 0.3
  /// The peer counts as pointed at up to this angle to either side, in radians.
  public static let pointingAngle: Float = 15 * .pi / 180

  /// The peer's display name.
  public var peer: String
  /// Metres, or `nil` while unknown.
  public var distance: Float?
  /// A unit vector in this device's frame (+x right, +y up, −z out of the back), or `nil` while unknown.
  public var direction: simd_float3?

  /// Creates a sighting.
  public init(peer: String, distance: Float?, direction: simd_float3?) {
    self.peer = peer
    self.distance = distance
    self.direction = direction
  }

  /// Radians, positive to the right.
  public var azimuth: Float? { direction.map { atan2($0.x, -$0.z) } }
  /// Radians, positive up.
  public var elevation: Float? { direction.map { asin(min(1, max(-1, $0.y))) } }
  /// Whether the two devices almost touch.
  public var isCloseUp: Bool { distance.map { $0 < Self.closeDistance } ?? false }
  /// Whether this device points at the other.
  public var isPointedAt: Bool { azimuth.map { abs($0) <= Self.pointingAngle } ?? false }
}
