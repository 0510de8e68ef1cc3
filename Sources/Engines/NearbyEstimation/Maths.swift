// The functions that the standard library lacks, from the platform's C library.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exponential, sine and the like of a `Double`.
enum Maths {
  static func exp(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.exp(x)
    #elseif canImport(Musl)
      Musl.exp(x)
    #elseif canImport(Darwin)
      Darwin.exp(x)
    #endif
  }
  static func log(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.log(x)
    #elseif canImport(Musl)
      Musl.log(x)
    #elseif canImport(Darwin)
      Darwin.log(x)
    #endif
  }
  /// Logarithm of a positive normal number, good to 1e-10, the same on every machine.
  ///
  /// With `m` in √½ to √2 and `s = (m − 1)/(m + 1)`: log m = 2 (s + s³/3 + s⁵/5 + …).
  @inline(__always)
  static func quickLog(_ x: Double) -> Double {
    let bits = x.bitPattern
    // The exponent that leaves the mantissa between √½ and √2: 0x3FE6A09E… is √½.
    let shifted = bits &- 0x3FE6_A09E_0000_0000
    let exponent = Int64(bitPattern: shifted) >> 52
    let m = Double(bitPattern: bits &- UInt64(bitPattern: exponent << 52))
    let s = (m - 1) / (m + 1)
    let q = s * s
    let series = 1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11)))))
    return 2 * s * series + 0.6931471805599453 * Double(exponent)
  }
  static func sin(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.sin(x)
    #elseif canImport(Musl)
      Musl.sin(x)
    #elseif canImport(Darwin)
      Darwin.sin(x)
    #endif
  }
  static func cos(_ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.cos(x)
    #elseif canImport(Musl)
      Musl.cos(x)
    #elseif canImport(Darwin)
      Darwin.cos(x)
    #endif
  }
  static func atan2(_ y: Double, _ x: Double) -> Double {
    #if canImport(Glibc)
      Glibc.atan2(y, x)
    #elseif canImport(Musl)
      Musl.atan2(y, x)
    #elseif canImport(Darwin)
      Darwin.atan2(y, x)
    #endif
  }
}

extension Duration {
  /// Seconds, to the precision of a `Double`.
  package var inSeconds: Double { self / .seconds(1) }
}
