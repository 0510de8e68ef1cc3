import NearbyMaths
import NearbySchedule

/// An error that echoes cause between two radios: constant while both rest, and changing on several scales of motion.
///
/// A sum of four plane waves of random direction over both ends' positions, with wavelengths of 0.12, 0.5, 2.5 and 5 m,
/// so that its correlation falls to 0.7 within a decimetre, 0.4 within half a metre and nothing at 2 m. Measured over
/// starloc, lias_planar and rcv, where what remains of a range error after the pair's own bias correlates by 0.4 to 0.7
/// over 0.1 m, 0.2 to 0.6 over 0.2 m, 0.3 to 0.4 over 0.5 m and 0.1 to 0.2 over 1 m.
struct EchoField {
  private static let wavelengths = SIMD4(0.12, 0.5, 2.5, 5)
  /// Amplitudes of the waves, whose halved squares add up to 1: shares of 0.22, 0.22, 0.28 and 0.28.
  static let ofRange = SIMD4(0.6633, 0.6633, 0.7483, 0.7483)
  /// For power, which changes over longer distances: shares of 0.08, 0.1, 0.25 and 0.57. Recorded power correlates by
  /// 0.8 over 0.12 m, 0.7 over 0.25 m, 0.5 over 0.5 m and 0.3 over 1 m (rcv, starloc), outdoors over more.
  static let ofPower = SIMD4(0.4, 0.45, 0.7, 1.07)

  /// The field at the two positions; standard deviation 1 over many places.
  let value: Double
  /// The pair's constant; standard deviation 1 over pairs.
  let bias: Double
  /// How strong echoes are for this pair: 0.65 to 1.55, root mean square 0.99. The spreads of one recording's pairs
  /// differ by 15 % (lias_planar) to 50 % (starloc).
  let strength: Double

  init(
    key: UInt64, amplitudes: SIMD4<Double> = ofRange, _ first: SIMD3<Double>, _ second: SIMD3<Double>
  ) {
    var noise = SplitMix64(seed: key)
    var sum = 0.0
    for wave in 0..<4 {
      let a = Self.threeParts(noise.next()) - 0.5
      let b = Self.threeParts(noise.next()) - 0.5
      let turn = (a.dot(first) + b.dot(second)) * 2 / Self.wavelengths[wave] + noise.uniform()
      sum += Maths.cos(2 * .pi * turn) * amplitudes[wave]
    }
    value = sum
    // The sum of six uniform numbers is nearly normal; its variance is a half.
    bias =
      (Self.threeParts(noise.next()).sum() + Self.threeParts(noise.next()).sum() - 3) * 2.0.squareRoot()
    let draw = noise.uniform()
    strength = 0.65 + 0.9 * draw * draw
  }

  /// Three uniform numbers, 0 to 1, of 21 bits each.
  private static func threeParts(_ bits: UInt64) -> SIMD3<Double> {
    let mask: UInt64 = (1 << 21) - 1
    return SIMD3(Double(bits & mask), Double((bits >> 21) & mask), Double((bits >> 42) & mask))
      * (1 / Double(1 << 21))
  }
}
