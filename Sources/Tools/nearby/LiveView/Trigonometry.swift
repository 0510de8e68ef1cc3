import Foundation

/// The trigonometry of the picture.
enum Trigonometry {
  static func sine(_ angle: Double) -> Double { sin(angle) }
  static func cosine(_ angle: Double) -> Double { cos(angle) }
  static func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
  /// Values a rounding error outside −1 to 1 count as the bound.
  static func arcSine(_ value: Double) -> Double { asin(min(max(value, -1), 1)) }
  static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
