import NearbySchedule

extension SplitMix64 {
  /// Of mean 0 and standard deviation 1: twelve uniform numbers less six, without a tail past 6.
  ///
  /// Three numbers of the source, and none of the C library's functions: particles need many and no exact tail.
  mutating func lightNormal() -> Double {
    var sum = -6.0
    for _ in 0..<3 {
      let bits = next()
      for shift in stride(from: 0, to: 64, by: 16) { sum += Double(bits >> UInt64(shift) & 0xFFFF) * 0x1p-16 }
    }
    return sum
  }
}
