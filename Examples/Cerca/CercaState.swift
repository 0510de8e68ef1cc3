import NearbyInteraction
import simd

/// What Cerca shows.
public enum CercaState: Equatable, Sendable {
  /// This device cannot measure distances.
  case unsupported
  /// Nobody there yet.
  case searching
  /// Connected; the tokens go to and fro.
  case meeting(peer: String)
  /// Ranging.
  case near(Sighting)
  /// Was near, and is heard no more.
  case lost(peer: String)
  /// The app is not in front.
  case suspended
  /// The user said no.
  case refused
  /// The network between devices cannot be used; it is tried again.
  case noNetwork
  /// It cannot go on.
  case failed(reason: String)
}

/// The other one, as this device last measured it.
public struct Sighting: Equatable, Sendable {
  /// Nearer than this is close up, metres: as in Apple's sample.
  public static let closeDistance: Float = 0.3
  /// Pointed at up to here to each side, radians.
  public static let pointingAngle: Float = 15 * .pi / 180

  /// What the other one calls itself.
  public var peer: String
  /// Metres; `nil` while unknown.
  public var distance: Float?
  /// In this device's frame: +x right, +y up, −z out of the back; unit length. `nil` while unknown.
  public var direction: simd_float3?

  /// Makes a sighting.
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
