import Foundation

/// Angles as shown on the page, degrees.
enum PageAngle {
  static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
  static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  /// Heading of a direction, degrees clockwise from north.
  static func heading(of direction: SIMD3<Double>) -> Double { degrees(atan2(direction.x, direction.y)) }

  /// Half axes of the one-sigma ellipse, metres, and heading of the longer axis, from the covariance xx, xy,
  /// yy.
  static func ellipse(_ spread: SIMD3<Double>) -> (major: Double, minor: Double, heading: Double) {
    let middle = (spread.x + spread.z) / 2
    let half = (spread.x - spread.z) / 2
    let reach = (half * half + spread.y * spread.y).squareRoot()
    // Direction of the longer axis: atan2(2xy, xx − yy) / 2 from east, anticlockwise.
    let fromEast = atan2(spread.y, half) / 2
    return (
      max(0, middle + reach).squareRoot(), max(0, middle - reach).squareRoot(), 90 - degrees(fromEast)
    )
  }
}
