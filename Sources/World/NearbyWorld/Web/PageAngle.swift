import Foundation

/// Angles as the page shows them, degrees.
enum PageAngle {
  static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
  static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  /// Clockwise from north.
  static func heading(of direction: SIMD3<Double>) -> Double { degrees(atan2(direction.x, direction.y)) }

  /// One standard deviation's half axes, metres, and the heading of the longer, of xx, xy, yy of a covariance.
  static func ellipse(_ spread: SIMD3<Double>) -> (major: Double, minor: Double, heading: Double) {
    let middle = (spread.x + spread.z) / 2
    let half = (spread.x - spread.z) / 2
    let reach = (half * half + spread.y * spread.y).squareRoot()
    // Along the longer axis: atan2(2xy, xx − yy) / 2 from east, counter-clockwise.
    let fromEast = atan2(spread.y, half) / 2
    return (
      max(0, middle + reach).squareRoot(), max(0, middle - reach).squareRoot(), 90 - degrees(fromEast)
    )
  }
}
