import NearbyMaths
import NearbySchedule
import Testing

@Suite("Random numbers, hashes and durations")
struct NumberTests {
  /// The first numbers of the author's own program (splitmix64.c, Vigna 2015) for the seed 1234567.
  @Test("SplitMix64 generates the published numbers")
  func published() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test("The hash of a number is the first number of the stream with that seed")
  func hash() {
    var random = SplitMix64(seed: 42)
    #expect(SplitMix64.hash(of: 42) == random.next())
  }

  @Test("Streams depend on the order of their keys; a noise stream is the stream of its five keys")
  func keys() {
    var one = SplitMix64(keys: 1, 2, 3, 4, 5)
    var other = SplitMix64(keys: 1, 2, 3, 5, 4)
    var noise = NoiseStream(seed: 1, 2, 3, 4, 5)
    let number = one.next()
    #expect(number == noise.next())
    #expect(number != other.next())
  }

  /// The test vectors of FNV-1a's authors.
  @Test(
    "The stable hash is FNV-1a",
    arguments: [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
      as [(String, UInt64)])
  func stableHash(text: String, expected: UInt64) {
    #expect(StableHash.of(text) == expected)
  }

  @Test("Durations in nanoseconds saturate instead of trapping")
  func saturation() {
    #expect(Duration.nanoseconds(-7).inNanoseconds == -7)
    #expect(Duration.seconds(Int64.max).inNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).inNanoseconds == .min)
    // The whole seconds fit, but not their fraction.
    #expect(
      Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 900_000_000_000_000_000).inNanoseconds
        == .max)
    #expect(AirTime.nanoseconds(.seconds(-1)) == 0)
    #expect(AirTime.nanoseconds(.seconds(Int64.max)) == AirTime.latest)
    #expect(AirTime.sum(AirTime.latest, .max) == AirTime.latest)
  }

  @Test(
    "Durations are rounded up to milliseconds and clamped to 0 and the largest number",
    arguments: [
      (.zero, 0), (.seconds(-2), 0), (.nanoseconds(1), 1), (.milliseconds(7), 7), (.microseconds(7_001), 8),
      (.seconds(86_400), 86_400_000), (.seconds(Int64.max), .max),
    ] as [(Duration, Int64)])
  func millisecondsUp(duration: Duration, expected: Int64) {
    #expect(duration.inMillisecondsRoundedUp == expected)
  }

  @Test(
    "Durations are converted to seconds",
    arguments: [(0, 0), (1, 0.001), (2_500, 2.5), (-1_500, -1.5)] as [(Int, Double)])
  func seconds(milliseconds: Int, expected: Double) {
    #expect(Duration.milliseconds(milliseconds).inSeconds == expected)
  }

  @Test("The quick logarithm agrees with the C library's", arguments: [1e-300, 0.1, 0.707, 1, 1.5, 3, 1e300])
  func quickLog(x: Double) {
    #expect(abs(Maths.quickLog(x) - Maths.log(x)) <= 1e-10 * max(1, abs(Maths.log(x))))
  }

  @Test(
    "Arc functions clamp arguments that rounding pushed beyond 1",
    arguments: [1.0000000000000002, -1.0000000000000002])
  func clamping(x: Double) {
    #expect(abs(Maths.asin(clamping: x)) == .pi / 2)
    #expect(Maths.acos(clamping: x).isFinite)
  }

  @Test("Quick conversions of durations equal those of the standard library")
  func quickConversions() {
    var random = SplitMix64(seed: 5)
    for index in 0..<20_000 {
      let octets = Int128(truncatingIfNeeded: random.next()) << 64 | Int128(truncatingIfNeeded: random.next())
      let duration = Duration(attoseconds: octets >> Int128(6 + random.next() % 121))
      #expect(duration.quickComponents == duration.components, "number \(index)")
      #expect(duration.dividedBySecond == duration / .seconds(1), "number \(index)")
    }
    for duration in [Duration.zero, .nanoseconds(-1), .seconds(Int64.max), .seconds(Int64.min)] {
      #expect(duration.quickComponents == duration.components)
      #expect(duration.dividedBySecond == duration / .seconds(1))
    }
  }
}
