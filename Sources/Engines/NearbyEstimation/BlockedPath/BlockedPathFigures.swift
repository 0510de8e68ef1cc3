import NearbyMaths

/// The numbers that `BlockedPathModel` weighs, derived from what a receiver reports.
///
/// `Docs/blocked-paths.md` explains each of them. `Scripts/fit-nlos` computes the same.
struct BlockedPathFigures: Equatable, Sendable {
  typealias Values = SIMD8<Double>

  /// Which of a receiver's figures are known. Each combination has its own coefficients.
  struct Known: OptionSet, Sendable {
    let rawValue: Int
    static let range = Self(rawValue: 1)
    static let power = Self(rawValue: 2)
    static let firstPathPower = Self(rawValue: 4)
    static let amplitudes = Self(rawValue: 8)
    static let noise = Self(rawValue: 16)
  }

  /// Shorter ranges count as this, metres: antennas this close see each other's near field.
  private static let shortestRange = 0.3
  /// Accumulating this many symbols averages a receiver's own noise away, which then says nothing about the path.
  private static let longAccumulation = 150.0
  /// Typical logarithm of the noise, which makes the figure 0.
  private static let usualNoise = 3.6
  /// Typical power, dBm, which makes the product with the range 0.
  private static let usualPower = -80.0

  let known: Known
  /// Difference of the powers (dB), power, first-path power (dBm), log range, its square, log range times power, log
  /// amplitude per symbol, log noise; 0 where unknown.
  let values: Values

  init(_ receiver: ReceiverFigures) {
    var known: Known = []
    var (power, first, range, amplitude, noise) = (0.0, 0.0, 0.0, 0.0, 0.0)
    if receiver.power.isFinite {
      known.insert(.power)
      power = receiver.power
    }
    if receiver.firstPathPower.isFinite {
      known.insert(.firstPathPower)
      first = receiver.firstPathPower
    }
    if receiver.range.isFinite {
      known.insert(.range)
      range = Maths.quickLog(max(receiver.range, Self.shortestRange))
    }
    if let largest = Self.largestAmplitude(receiver), receiver.accumulatedSymbols > 0 {
      known.insert(.amplitudes)
      let symbols = max(receiver.accumulatedSymbols, 1)
      amplitude = Maths.quickLog((largest + 1) / symbols)
      if receiver.noise.isFinite, receiver.noise >= 0 {
        known.insert(.noise)
        if symbols < Self.longAccumulation { noise = Maths.quickLog(receiver.noise + 1) - Self.usualNoise }
      }
    }
    let hasBoth = known.contains([.power, .firstPathPower])
    let product = known.contains(.power) ? (power - Self.usualPower) * range : 0
    self.known = known
    values = Values(
      hasBoth ? power - first : 0, power, first, range, range * range, product, amplitude, noise)
  }

  /// The largest amplitude of the first path; `nil` unless all three and the count of symbols are known.
  private static func largestAmplitude(_ receiver: ReceiverFigures) -> Double? {
    let (a, b, c) = (
      receiver.firstPathAmplitudes.x, receiver.firstPathAmplitudes.y, receiver.firstPathAmplitudes.z
    )
    // False for NaN.
    let areAmplitudes = a >= 0 && b >= 0 && c >= 0
    let largest = max(a, b, c)
    return areAmplitudes && largest.isFinite && receiver.accumulatedSymbols.isFinite ? largest : nil
  }
}
