import NearbyDeviceMachine
import NearbyEstimation

/// A peer as a session measured it at one moment. Immutable: each update delivers a new object.
public final class NINearbyObject: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// Why a session no longer reports a peer.
  public enum RemovalReason: Int, Sendable {
    /// No signal from the peer for some time.
    case timeout = 0
    /// The peer ended its session.
    case peerEnded = 1
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// The peer's vertical position relative to this device, for guidance between floors.
  public enum VerticalDirectionEstimate: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// On roughly the same level.
    case same = 1
    /// Above.
    case above = 2
    /// Below.
    case below = 3
    /// On another level, not yet known which.
    case aboveOrBelow = 4
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// The token in the session's configuration.
  public let discoveryToken: NIDiscoveryToken
  /// Metres between the devices' antennas; `nil` if out of range.
  public let distance: Float?
  /// Unit vector to the peer in the device's frame, held in portrait: +x right, +y up, −z out of the back;
  /// `nil` outside the antennas' field of view.
  public let direction: simd_float3?
  /// Horizontal angle to the peer in radians, positive to the right; `nil` without camera assistance.
  public let horizontalAngle: Float?
  /// The peer's vertical position; `unknown` without camera assistance.
  public let verticalDirectionEstimate: VerticalDirectionEstimate

  init(
    token: NIDiscoveryToken, distance: Float? = nil, direction: simd_float3? = nil,
    horizontalAngle: Float? = nil, vertical: VerticalDirectionEstimate = .unknown
  ) {
    discoveryToken = token
    self.distance = distance
    self.direction = direction
    self.horizontalAngle = horizontalAngle
    verticalDirectionEstimate = vertical
    super.init()
  }

  /// Converts estimates in `Double` to Apple's `Float`. Distances are in metres, angles in radians.
  convenience init(
    token: NIDiscoveryToken, estimate: PeerEstimate, assisted: AssistedEstimate = AssistedEstimate()
  ) {
    self.init(
      token: token, distance: estimate.distance.map { Float($0.distance) },
      direction: estimate.direction.map { simd_float3($0.direction) },
      horizontalAngle: assisted.horizontalAngle.map { Float($0) },
      vertical: VerticalDirectionEstimate(assisted.vertical))
  }

  /// Returns the object itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both describe the same peer at the same place.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NINearbyObject else { return false }
    return discoveryToken == other.discoveryToken && distance == other.distance
      && direction == other.direction && horizontalAngle == other.horizontalAngle
      && verticalDirectionEstimate == other.verticalDirectionEstimate
  }

  /// Equal for equal objects.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(discoveryToken)
    hasher.combine(distance)
    hasher.combine(direction)
    return hasher.finalize()
  }

  // MARK: NSSecureCoding

  private enum Key {
    static let token = "discoveryToken"
    static let distance = "distance"
    static let direction = ["directionX", "directionY", "directionZ"]
    static let angle = "horizontalAngle"
    static let vertical = "verticalDirectionEstimate"
  }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an archived object; returns `nil` if the archive has no token.
  public required init?(coder: NSCoder) {
    guard let token = coder.decodeObject(of: NIDiscoveryToken.self, forKey: Key.token) else { return nil }
    func number(_ key: String) -> Float? {
      coder.containsValue(forKey: key) ? coder.decodeFloat(forKey: key) : nil
    }
    discoveryToken = token
    distance = number(Key.distance)
    let axes = Key.direction.compactMap(number)
    direction = axes.count == 3 ? simd_float3(axes[0], axes[1], axes[2]) : nil
    horizontalAngle = number(Key.angle)
    verticalDirectionEstimate =
      VerticalDirectionEstimate(rawValue: coder.decodeInteger(forKey: Key.vertical)) ?? .unknown
    super.init()
  }

  /// Writes the object.
  public func encode(with coder: NSCoder) {
    coder.encode(discoveryToken, forKey: Key.token)
    if let distance { coder.encode(distance, forKey: Key.distance) }
    if let direction {
      for (axis, key) in Key.direction.enumerated() { coder.encode(direction[axis], forKey: key) }
    }
    if let horizontalAngle { coder.encode(horizontalAngle, forKey: Key.angle) }
    coder.encode(verticalDirectionEstimate.rawValue, forKey: Key.vertical)
  }
}

extension NINearbyObject.VerticalDirectionEstimate {
  init(_ estimate: VerticalEstimate) {
    switch estimate {
    case .unknown: self = .unknown
    case .same: self = .same
    case .above: self = .above
    case .below: self = .below
    case .aboveOrBelow: self = .aboveOrBelow
    }
  }
}
