/// A seeded random number generator: the same seed gives the same numbers on every machine.
///
/// It passes BigCrush and costs one chain of multiplications per number. Source: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014, with the constants of David Stafford's mix 13.
@usableFromInline
package struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// 2⁶⁴ divided by the golden ratio, rounded to an odd number.
  @inlinable package static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  @inlinable
  package init(seed: UInt64) { state = seed }

  /// The seed of a generator that continues where this one is.
  package var seed: UInt64 { state }

  /// The stream for several keys; the order of the keys matters.
  @inlinable
  package init(keys: UInt64...) {
    state = 0
    for key in keys { state = Self.hash(of: state ^ key) }
  }

  @inlinable
  package mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mixed(state)
  }

  /// Uniformly distributed in 0 ..< 1, in steps of 2⁻⁵³.
  @inlinable
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Uniformly distributed in 0 ..< `limit`, which must be greater than 0.
  @inlinable
  package mutating func below(_ limit: Int64) -> Int64 {
    Int64(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: limit)).high)
  }

  /// The generator's finalizer: every bit of the result depends on every bit of `value`. Maps 0 to 0.
  @inlinable
  package static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A well-mixed hash of a word: the first number of the stream with this seed.
  @inlinable
  package static func hash(of value: UInt64) -> UInt64 { mixed(value &+ increment) }
}
