import NearbyUCI

/// Decides which rounds are reported to the host (SESSION_INFO_NTF_CONFIG).
///
/// In the level modes every round inside the bounds is reported; in the edge modes only a change between
/// inside and outside. A failed measurement counts as neither, because the peer's position is unknown. A
/// session begins outside.
struct NotificationGate: Sendable {
  var configuration: UInt8
  /// Centimetres.
  var near: UInt16
  var far: UInt16
  var bounds: AngleBounds
  private(set) var wasInside = false

  init(_ store: ParameterStore) {
    configuration = store.octet(ParameterID.notificationConfiguration, 1)
    near = UInt16(truncatingIfNeeded: store.number(ParameterID.nearProximity, 0))
    far = UInt16(truncatingIfNeeded: store.number(ParameterID.farProximity, 20_000))
    bounds = store[ParameterID.angleBounds].map { AngleBounds($0) } ?? .all
  }

  /// Applies new bounds while the session runs, without changing whether the peer counts as inside.
  mutating func update(_ store: ParameterStore) {
    let inside = wasInside
    self = NotificationGate(store)
    wasInside = inside
  }

  /// Whether a round's result is to be reported.
  mutating func passes(_ measurements: [UCITwoWayMeasurement]) -> Bool {
    switch configuration {
    case 0: return false
    case 1: return true
    default: break
    }
    let known = measurements.contains { $0.status == .ok || $0.status == .okNegativeDistance }
    guard known else { return false }
    let inside = measurements.contains { isInside($0) }
    defer { wasInside = inside }
    return configuration >= 5 ? inside != wasInside : inside
  }

  private func isInside(_ measurement: UCITwoWayMeasurement) -> Bool {
    switch configuration {
    case 2, 5: isNear(measurement)
    case 3, 6: isAhead(measurement)
    default: isNear(measurement) && isAhead(measurement)
    }
  }

  /// Whether the distance is between NEAR_PROXIMITY_CONFIG and FAR_PROXIMITY_CONFIG. A negative distance
  /// counts as 0.
  private func isNear(_ measurement: UCITwoWayMeasurement) -> Bool {
    switch measurement.status {
    case .ok: near <= far && (near...far).contains(measurement.distanceCentimetres)
    case .okNegativeDistance: near == 0
    default: false
    }
  }

  /// Whether both angles are within AOA_BOUND_CONFIG. An angle that was not measured is outside.
  private func isAhead(_ measurement: UCITwoWayMeasurement) -> Bool {
    guard measurement.status == .ok || measurement.status == .okNegativeDistance else { return false }
    return Self.contains(bounds.azimuth, measurement.azimuth)
      && Self.contains(bounds.elevation, measurement.elevation)
  }

  private static func contains(_ range: (Int16, Int16), _ angle: UCIAngle) -> Bool {
    angle.figureOfMerit > 0 && range.0 <= angle.degreesQ9_7 && angle.degreesQ9_7 <= range.1
  }
}
