import NearbySchedule

/// A seeded random source for tests.
///
/// It has the numbers of `SplitMix64` and no other methods, so that tests need no import beside this module's.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Starts the sequence that belongs to a seed.
  package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// The next number of the sequence.
  package mutating func next() -> UInt64 { generator.next() }
}
