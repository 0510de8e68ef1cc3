/// A reproducible stream of random numbers for one occasion: one link at one time, one radio's crystal.
///
/// Streams are made by hashing the world's seed with what they belong to, so no device's presence can shift
/// another's numbers. The generator is SplitMix64 (Steele, Lea, Flood 2014), which passes BigCrush and costs
/// one multiplication chain a number.
package struct NoiseStream: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private var spareNormal: Double?

  /// The stream of four keys under `seed`; another order of keys is another stream.
  package init(
    seed: UInt64, _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0,
    _ fourth: UInt64 = 0
  ) {
    var state = Self.mixed(seed &+ Self.increment)
    state = Self.mixed((state ^ first) &+ Self.increment)
    state = Self.mixed((state ^ second) &+ Self.increment)
    state = Self.mixed((state ^ third) &+ Self.increment)
    self.state = Self.mixed((state ^ fourth) &+ Self.increment)
  }

  /// The stream of a key that is already well mixed.
  init(state: UInt64) { self.state = state }

  /// 2⁶⁴ over the golden ratio, odd.
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The finaliser of SplitMix64: every bit of the result hangs on every bit given.
  static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// Even in 0 ..< 1.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Normal with mean 0 and standard deviation 1 (Box and Muller).
  package mutating func normal() -> Double {
    if let spare = spareNormal {
      spareNormal = nil
      return spare
    }
    let radius = (-2 * Maths.logarithm(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spareNormal = radius * Maths.sine(angle)
    return radius * Maths.cosine(angle)
  }

  /// Exponential with the given mean.
  package mutating func exponential(mean: Double) -> Double {
    -mean * Maths.logarithm(1 - uniform())
  }
}
