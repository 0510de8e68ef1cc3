/// Numbers that look random and are the same for the same seed.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct NoiseSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// 0 to below 1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Of mean 0 and standard deviation 1: twelve uniform numbers less six, without a tail past 6.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<3 {
      let bits = next()
      for shift in stride(from: 0, to: 64, by: 16) { sum += Double(bits >> UInt64(shift) & 0xFFFF) * 0x1p-16 }
    }
    return sum
  }
}
