#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The C library's functions that the physics needs; the only file here that imports it.
enum Maths {
  static func sine(_ x: Double) -> Double { sin(x) }
  static func cosine(_ x: Double) -> Double { cos(x) }
  static func arcTangent(_ y: Double, over x: Double) -> Double { atan2(y, x) }
  static func arcSine(_ x: Double) -> Double { asin(min(1, max(-1, x))) }
  static func arcCosine(_ x: Double) -> Double { acos(min(1, max(-1, x))) }
  static func exponential(_ x: Double) -> Double { exp(x) }
  static func logarithm(_ x: Double) -> Double { log(x) }
  /// Decibels of a power ratio > 0.
  static func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }
  /// Power ratio of decibels.
  static func powerRatio(_ decibels: Double) -> Double { exp(decibels * 0.230258509299404568) }
  /// An angle brought into −π to π.
  static func wrapped(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded() }
}

/// Metres a second, in vacuum.
package let speedOfLight = 299_792_458.0

extension SIMD3<Double> {
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }
  var length: Double { (self * self).sum().squareRoot() }
  /// Length 1 in the same direction; `fallback` where there is no direction.
  func normalised(or fallback: SIMD3<Double>) -> SIMD3<Double> {
    let length = length
    return length > 1e-12 ? self / length : fallback
  }
}

extension Duration {
  /// Seconds as a floating-point number, good to 1 ns in the first hundred days.
  package var inSeconds: Double {
    // A 128-bit integer converts to a double 20 times slower than these two halves.
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
  /// Whole nanoseconds, rounded down; saturates instead of trapping.
  package var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return whole &+ attoseconds / 1_000_000_000
  }
}
