import NearbyMaths
import NearbySchedule

/// An error caused by echoes: constant while both ends rest, and changing smoothly as either moves.
///
/// A sum of plane waves with random directions over both ends' positions. Across many places it is nearly
/// normal, with mean 0 and standard deviation 1; its absolute value never exceeds 2.5.
struct MultipathField {
  /// Chosen. The largest sum of three waves, √6, is the bound above.
  private static let terms = 3
  let key: UInt64
  /// Scale of motion over which the error changes sign, metres.
  let wavelength: Double

  /// The error for these two positions, in multiples of its standard deviation.
  func value(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    var noise = NoiseStream(state: key)
    var sum = 0.0
    for _ in 0..<Self.terms {
      let a = SIMD3(noise.uniform(), noise.uniform(), noise.uniform()) - 0.5
      let b = SIMD3(noise.uniform(), noise.uniform(), noise.uniform()) - 0.5
      let turn = (a.dot(first) + b.dot(second)) * 2 / wavelength + noise.uniform()
      sum += Maths.cos(2 * .pi * turn)
    }
    return sum * (2 / Double(Self.terms)).squareRoot()
  }
}
