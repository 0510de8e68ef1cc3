extension Maths {
  /// Natural logarithm of a positive normal number, accurate to 1e-10 and identical on every machine.
  ///
  /// With `m` in √½ to √2 and `s = (m − 1)/(m + 1)`: log m = 2 (s + s³/3 + s⁵/5 + …).
  @inlinable @inline(__always)
  package static func quickLog(_ x: Double) -> Double {
    let bits = x.bitPattern
    // Choose the exponent that leaves the mantissa between √½ and √2: 0x3FE6A09E… is √½.
    let shifted = bits &- 0x3FE6_A09E_0000_0000
    let exponent = Int64(bitPattern: shifted) >> 52
    let m = Double(bitPattern: bits &- UInt64(bitPattern: exponent << 52))
    let s = (m - 1) / (m + 1)
    let q = s * s
    let series = 1 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11)))))
    // ln 2.
    return 2 * s * series + 0.6931471805599453 * Double(exponent)
  }

  /// The same of four numbers.
  @inlinable @inline(__always)
  package static func quickLog(_ x: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(quickLog(x[0]), quickLog(x[1]), quickLog(x[2]), quickLog(x[3]))
  }
}
