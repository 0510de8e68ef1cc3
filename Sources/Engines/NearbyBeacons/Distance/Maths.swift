// The functions that the standard library lacks, from the platform's C library.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exponential, logarithm and the normal distribution.
enum Maths {
  static func exponential(_ x: Double) -> Double { exp(x) }

  static func logarithm(_ x: Double) -> Double { log(x) }

  /// How much of a normal distribution lies below so many of its standard deviations.
  static func normalShare(below x: Double) -> Double { 0.5 * (1 + erf(x * 0.707_106_781_186_547_6)) }
}

extension Duration {
  /// Seconds, to the precision of a `Double`.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
