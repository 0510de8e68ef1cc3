import NearbySchedule

/// A seeded random source for tests.
///
/// It generates the numbers of `SplitMix64` and has no other methods, so that tests need to import only this
/// module.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// The next number of the sequence.
  package mutating func next() -> UInt64 { generator.next() }
}
