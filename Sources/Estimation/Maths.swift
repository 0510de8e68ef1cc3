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
