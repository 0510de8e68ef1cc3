import NearbySchedule

extension SplitMix64 {
  /// Returns an approximately normal number with mean 0 and standard deviation 1: twelve uniform numbers
  /// minus six, never beyond ±6.
  ///
  /// It takes three numbers from the generator and calls no C library function, because particles need many
  /// such numbers and no exact tail.
  mutating func lightNormal() -> Double {
    var sum = -6.0
    for _ in 0..<3 {
      let bits = next()
      for shift in stride(from: 0, to: 64, by: 16) { sum += Double(bits >> UInt64(shift) & 0xFFFF) * 0x1p-16 }
    }
    return sum
  }
}
