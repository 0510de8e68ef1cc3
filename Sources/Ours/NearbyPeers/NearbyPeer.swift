@_exported import MultipeerConnectivity
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
@_exported import NearbyInteraction

/// Another device, as `PeerFinder` knew it at one moment.
public struct NearbyPeer: Identifiable, Hashable, Sendable {
  /// The progress of finding a peer.
  public enum State: Hashable, Sendable {
    /// Connected; the devices are exchanging tokens.
    case meeting
    /// The peer is being measured.
    case ranging
    /// The signal was lost, or the connection broke before a measurement; `PeerFinder` keeps trying.
    case lost
    /// The peer's sessions ended several times in a row without a measurement, the last time with this error.
    /// `PeerFinder` tries again when the peer reconnects.
    case failed(NIError)
  }

  /// Identifies the peer for as long as it is known.
  public let id: MCPeerID
  /// The progress of finding the peer.
  public internal(set) var state = State.meeting
  /// Distance in metres; `nil` if unknown.
  public internal(set) var distance: Float?
  /// Unit vector to the peer in this device's frame, held in portrait: +x right, +y up, −z out of the back;
  /// `nil` if unknown.
  public internal(set) var direction: simd_float3?
  /// Horizontal angle to the peer in radians, positive to the right; `nil` without camera assistance.
  public internal(set) var horizontalAngle: Float?
  /// The peer's vertical position; `unknown` without camera assistance.
  public internal(set) var verticalDirectionEstimate = NINearbyObject.VerticalDirectionEstimate.unknown

  init(_ id: MCPeerID) { self.id = id }

  /// The peer's display name; not unique.
  public var name: String { id.displayName }
  /// Angle to the peer in radians, positive to the right; from camera assistance if `direction` is `nil`.
  public var azimuth: Float? { direction?.azimuth ?? horizontalAngle }
  /// Angle to the peer in radians, positive upwards; `nil` if the antennas give no direction.
  public var elevation: Float? { direction?.elevation }

  /// Whether this device points at the peer, as in Apple's sample app.
  ///
  /// - Parameter angle: The tolerance to each side, in radians.
  public func isPointedAt(within angle: Float = 15 * .pi / 180) -> Bool {
    azimuth.map { abs($0) <= angle } ?? false
  }
}

extension SIMD3<Float> {
  /// For a direction in the device's frame: radians from straight ahead, positive to the right, −π to π.
  public var azimuth: Float { atan2(x, -z) }
  /// For a direction in the device's frame: radians above the horizontal plane, positive upwards, −π/2 to
  /// π/2.
  public var elevation: Float { atan2(y, (x * x + z * z).squareRoot()) }
}

/// Whether the user allows this app to find devices nearby.
public enum NearbyPermission: Sendable {
  /// Not asked yet: the first session that runs asks.
  case notDetermined
  /// Allowed, permanently or until the next launch.
  case allowed
  /// Denied: sessions end with `NIError.userDidNotAllow`.
  case denied

  /// The current permission, found without running a session.
  public static var current: NearbyPermission {
    switch NearbyDevice.bound.sessions.permission {
    case .notDetermined: .notDetermined
    case .allowed, .allowedOnce: .allowed
    case .denied: .denied
    }
  }
}
