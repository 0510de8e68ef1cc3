@_exported import MultipeerConnectivity
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
@_exported import NearbyInteraction

/// One other device, as `PeerFinder` knows it at one time.
public struct NearbyPeer: Identifiable, Hashable, Sendable {
  /// How far things are with a peer.
  public enum State: Hashable, Sendable {
    /// Connected; the tokens go to and fro.
    case meeting
    /// Measured.
    case ranging
    /// Was measured, and is heard no more; it is looked for.
    case lost
    /// Its sessions ended several times in a row without a measurement, last for this reason; it is taken up again
    /// when it connects anew.
    case failed(NIError)
  }

  /// Who it is; the same for as long as it is known.
  public let id: MCPeerID
  /// How far things are.
  public internal(set) var state = State.meeting
  /// Metres; `nil` while not known.
  public internal(set) var distance: Float?
  /// Unit vector in this device's frame: +x right, +y up, −z out of the back, seen in portrait; `nil` while not
  /// known.
  public internal(set) var direction: simd_float3?
  /// Radians in the horizontal plane, positive to the right; `nil` without camera assistance.
  public internal(set) var horizontalAngle: Float?
  /// Where it is in the vertical; `unknown` without camera assistance.
  public internal(set) var verticalDirectionEstimate = NINearbyObject.VerticalDirectionEstimate.unknown

  init(_ id: MCPeerID) { self.id = id }

  /// What it calls itself; not unique.
  public var name: String { id.displayName }
  /// Radians, positive to the right; by the camera where the antennas do not see it.
  public var azimuth: Float? { direction?.azimuth ?? horizontalAngle }
  /// Radians, positive up.
  public var elevation: Float? { direction?.elevation }

  /// Whether this device points at the other, as Apple's sample has it.
  ///
  /// - Parameter angle: Radians to each side.
  public func isPointedAt(within angle: Float = 15 * .pi / 180) -> Bool {
    azimuth.map { abs($0) <= angle } ?? false
  }
}

extension SIMD3<Float> {
  /// Of a direction in the device's frame: radians from straight ahead, positive to the right, −π to π.
  public var azimuth: Float { atan2(x, -z) }
  /// Of a direction in the device's frame: radians above the horizon of the device, positive up, −π/2 to π/2.
  public var elevation: Float { atan2(y, (x * x + z * z).squareRoot()) }
}

/// Whether the user lets this app find devices nearby.
public enum NearbyPermission: Sendable {
  /// Not asked yet: the first session that runs will ask.
  case notDetermined
  /// Yes, for now or for good.
  case allowed
  /// No: sessions end with `NIError.userDidNotAllow`.
  case denied

  /// The answer as it is, without a session to probe with.
  public static var current: NearbyPermission {
    switch NearbyDevice.bound.sessions.permission {
    case .notDetermined: .notDetermined
    case .allowed, .allowedOnce: .allowed
    case .denied: .denied
    }
  }
}
