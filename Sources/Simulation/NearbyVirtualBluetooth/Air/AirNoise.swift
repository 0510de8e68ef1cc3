/// A reproducible stream of numbers for one occasion, so that no device's presence shifts another's.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct AirNoise: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(_ keys: UInt64...) {
    state = 0
    for key in keys { state = Self.mixed((state ^ key) &+ Self.increment) }
  }

  static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// 0 up to `limit`, which is > 0.
  mutating func below(_ limit: Int64) -> Int64 {
    Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
  }
}

/// Nanoseconds, as the air counts; saturates.
func nanoseconds(_ time: Duration) -> Int64 {
  let (seconds, attoseconds) = time.components
  let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  return overflow ? (seconds < 0 ? .min / 2 : .max / 2) : whole &+ attoseconds / 1_000_000_000
}
