import NearbySchedule

/// Deterministic random numbers: the same seed gives the same octets on every machine.
struct FuzzRandom: RandomNumberGenerator {
  private var generator: SplitMix64

  init(state: UInt64) { generator = SplitMix64(seed: state) }

  mutating func next() -> UInt64 { generator.next() }

  /// A number from 0 to `limit - 1`, or 0 if `limit` is not positive.
  mutating func below(_ limit: Int) -> Int { limit <= 0 ? 0 : Int(next() % UInt64(limit)) }

  mutating func octet() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}

/// Mutates corpus entries, usually a little and sometimes a lot.
struct Mutator {
  let corpus: [[UInt8]]
  /// Words to insert; empty for octets without a language.
  var words: [[UInt8]] = []
  /// The longest input in octets.
  var longest = 4096
  var frames: FrameShape?
  var random: FuzzRandom

  mutating func next() -> [UInt8] {
    var octets = corpus.isEmpty ? [] : corpus[random.below(corpus.count)]
    // A copy, because mutations of octets also read the rest of the mutator.
    var random = random
    for _ in 0...random.below(4) {
      if let frames, random.below(2) == 0 {
        octets = frames.mutate(octets, using: &random) { changed($0, using: &$1) }
      } else {
        octets = changed(octets, using: &random)
      }
    }
    self.random = random
    return Array(octets.prefix(longest))
  }

  private func changed(_ octets: [UInt8], using random: inout FuzzRandom) -> [UInt8] {
    var octets = octets
    let position = random.below(octets.count)
    if !words.isEmpty, random.below(3) == 0 {
      octets.insert(contentsOf: words[random.below(words.count)], at: position)
      return octets
    }
    switch random.below(8) {
    case 0 where !octets.isEmpty: octets[position] ^= 1 << UInt8(random.below(8))
    case 1 where !octets.isEmpty: octets[position] = random.octet()
    case 2 where !octets.isEmpty: octets[position] = [0x00, 0x01, 0x7F, 0x80, 0xFF][random.below(5)]
    case 3 where !octets.isEmpty: octets.removeSubrange(position...)
    case 4 where !octets.isEmpty: octets.remove(at: position)
    case 5: octets.insert(random.octet(), at: position)
    case 6 where !corpus.isEmpty: octets += corpus[random.below(corpus.count)]
    default: octets += (0..<random.below(40)).map { _ in random.octet() }
    }
    return octets
  }
}
