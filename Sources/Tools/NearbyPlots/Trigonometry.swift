import Foundation

/// The trigonometric functions used by the pictures.
package enum Trigonometry {
  package static func sine(_ angle: Double) -> Double { sin(angle) }
  package static func cosine(_ angle: Double) -> Double { cos(angle) }
  package static func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
  /// Clamps values slightly outside −1 to 1 from rounding.
  package static func arcSine(_ value: Double) -> Double { asin(min(max(value, -1), 1)) }
  package static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
