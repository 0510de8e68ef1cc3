import NearbyMaths

/// A reproducible stream of random numbers for one purpose, such as one link at one time or one radio's
/// crystal.
///
/// A stream is seeded by hashing the world's seed with the keys of its purpose, so the presence of one device
/// never changes another device's numbers.
@usableFromInline
package struct NoiseStream: RandomNumberGenerator, Sendable {
  @usableFromInline var generator: SplitMix64
  @usableFromInline var spareNormal: Double?

  /// The stream for four keys under `seed`; the order of the keys matters.
  @inlinable
  package init(
    seed: UInt64, _ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0,
    _ fourth: UInt64 = 0
  ) {
    var state = SplitMix64.hash(of: seed)
    state = SplitMix64.hash(of: state ^ first)
    state = SplitMix64.hash(of: state ^ second)
    state = SplitMix64.hash(of: state ^ third)
    generator = SplitMix64(seed: SplitMix64.hash(of: state ^ fourth))
  }

  /// The stream for a key that is already well mixed.
  @inlinable
  package init(state: UInt64) { generator = SplitMix64(seed: state) }

  @inlinable
  package mutating func next() -> UInt64 { generator.next() }

  /// Uniformly distributed in 0 ..< 1.
  @inlinable
  package mutating func uniform() -> Double { generator.uniform() }

  /// Normally distributed with mean 0 and standard deviation 1 (Box and Muller, 1958). Numbers are generated
  /// in pairs; the second is kept for the next call.
  @inlinable
  package mutating func normal() -> Double {
    if let spare = spareNormal {
      spareNormal = nil
      return spare
    }
    let radius = (-2 * Maths.log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spareNormal = radius * Maths.sin(angle)
    return radius * Maths.cos(angle)
  }
}
