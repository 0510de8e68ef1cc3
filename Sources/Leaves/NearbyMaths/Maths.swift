// Functions missing from the standard library, taken from the platform's C library.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The C library's functions of a `Double`, and functions built directly on them.
///
/// The only place outside the facades that calls them, so that every engine gets the same results: recorded
/// runs are compared octet by octet.
@usableFromInline
package enum Maths {
  @inlinable package static func exp(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.exp(x)
    #elseif canImport(Musl)
      Musl.exp(x)
    #elseif canImport(Darwin)
      Darwin.exp(x)
    #endif
  }

  @inlinable package static func log(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.log(x)
    #elseif canImport(Musl)
      Musl.log(x)
    #elseif canImport(Darwin)
      Darwin.log(x)
    #endif
  }

  @inlinable package static func sin(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.sin(x)
    #elseif canImport(Musl)
      Musl.sin(x)
    #elseif canImport(Darwin)
      Darwin.sin(x)
    #endif
  }

  @inlinable package static func cos(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.cos(x)
    #elseif canImport(Musl)
      Musl.cos(x)
    #elseif canImport(Darwin)
      Darwin.cos(x)
    #endif
  }

  @inlinable package static func atan2(_ y: Double, _ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.atan2(y, x)
    #elseif canImport(Musl)
      Musl.atan2(y, x)
    #elseif canImport(Darwin)
      Darwin.atan2(y, x)
    #endif
  }

  /// The arc sine of `x` clamped to −1 to 1, so that a rounding error does not produce NaN.
  @inlinable package static func asin(clamping x: Double) -> Double {
    let clamped = min(1, max(-1, x))
    #if canImport(Glibc)
      return Glibc.asin(clamped)
    #elseif canImport(Musl)
      return Musl.asin(clamped)
    #elseif canImport(Darwin)
      return Darwin.asin(clamped)
    #endif
  }

  /// The arc cosine of `x` clamped to −1 to 1, so that a rounding error does not produce NaN.
  @inlinable package static func acos(clamping x: Double) -> Double {
    let clamped = min(1, max(-1, x))
    #if canImport(Glibc)
      return Glibc.acos(clamped)
    #elseif canImport(Musl)
      return Musl.acos(clamped)
    #elseif canImport(Darwin)
      return Darwin.acos(clamped)
    #endif
  }

  /// The cumulative distribution function of the standard normal distribution.
  @inlinable package static func normalShare(below x: Double) -> Double {
    // Φ(x) = ½ (1 + erf(x/√2)), with √½ written out.
    #if canImport(Glibc)
      0.5 * (1 + Glibc.erf(x * 0.707_106_781_186_547_6))
    #elseif canImport(Musl)
      0.5 * (1 + Musl.erf(x * 0.707_106_781_186_547_6))
    #elseif canImport(Darwin)
      0.5 * (1 + Darwin.erf(x * 0.707_106_781_186_547_6))
    #endif
  }

  /// A power ratio greater than 0, in decibels.
  @inlinable package static func decibels(_ ratio: Double) -> Double {
    #if canImport(Glibc)
      10 * Glibc.log10(ratio)
    #elseif canImport(Musl)
      10 * Musl.log10(ratio)
    #elseif canImport(Darwin)
      10 * Darwin.log10(ratio)
    #endif
  }

  /// The power ratio of a value in decibels: 10^(x/10), computed as e^(x·ln 10/10).
  @inlinable package static func powerRatio(_ decibels: Double) -> Double {
    exp(decibels * 0.230258509299404568)
  }
}
