import NearbyMaths
import NearbySchedule
import Testing

@testable import NearbySimulator

@Suite("Clocks and formulas")
struct ClockTests {
  static func clock(offset: Double, drift: Double = 0) -> RadioClock {
    var kind = RadioCharacteristics()
    kind.clockOffset = offset
    kind.clockDrift = drift
    var noise = NoiseStream(seed: 4)
    return RadioClock(kind, noise: &noise)
  }

  @Test("A clock gains its offset in parts per million", arguments: [-20.0, 0, 0.5, 40])
  func gain(offset: Double) {
    let clock = Self.clock(offset: offset)
    let from = clock.reading(atNanoseconds: 5_000_000_000, seconds: 5)
    let to = clock.reading(atNanoseconds: 6_000_000_000, seconds: 6)
    let expected = RadioClock.rate * (1 + offset * 1e-6)
    #expect(abs(RadioClock.ticks(from: from, to: to) - expected) <= 1)
  }

  @Test("A drifting clock's reading is the integral of its rate")
  func drift() {
    let clock = Self.clock(offset: 2, drift: 3)
    var gained = 0.0
    for step in 0..<1000 { gained += clock.deviation(at: (Double(step) + 0.5) * 0.01) * 0.01 }
    let from = clock.reading(atNanoseconds: 0, seconds: 0)
    let to = clock.reading(atNanoseconds: 10_000_000_000, seconds: 10)
    let expected = RadioClock.rate * (10 + gained * 1e-6)
    #expect(abs(RadioClock.ticks(from: from, to: to) - expected) <= 2)
    let deviations = (0..<600).map { clock.deviation(at: Double($0)) }
    #expect(abs((deviations.max() ?? 0) - 5) < 0.01)
    #expect(abs((deviations.min() ?? 0) + 1) < 0.01)
  }

  @Test("A clock can be read at any time", arguments: [Int64.min, -1, 0, .max])
  func extremes(nanoseconds: Int64) {
    let reading = Self.clock(offset: 20).reading(
      atNanoseconds: nanoseconds, seconds: Double(nanoseconds) * 1e-9)
    #expect(reading <= RadioClock.mask)
  }

  @Test("Both ranging formulas give hand-computed distances, also when a counter wraps")
  func formulas() throws {
    // 1000 ticks of flight; replies after 2,000,000 and 3,000,000 ticks; A's counter wraps in between.
    let mask = RadioClock.mask
    let a: UInt64 = mask - 1_000_000
    let b: UInt64 = 77
    let stamps = RangingTimestamps(
      pollSent: a, pollReceived: b + 1000, responseSent: b + 2_001_000,
      responseReceived: (a + 2_002_000) & mask, finalSent: (a + 5_002_000) & mask,
      finalReceived: b + 5_003_000)
    let expected = 1000 * speedOfLight / RadioClock.rate
    #expect(abs(stamps.singleSided() - expected) < 1e-9)
    #expect(abs(try #require(stamps.doubleSided()) - expected) < 1e-9)
    // The clock of a responder that is 10 ppm fast counts 20 ticks too many in its reply; half of them enter
    // the result.
    #expect(abs(stamps.singleSided(rateCorrection: 10) - expected * 1.01) < 1e-9)
    let nothing = RangingTimestamps(
      pollSent: 0, pollReceived: 0, responseSent: 0, responseReceived: 0)
    #expect(nothing.doubleSided() == nil)
  }

  @Test("Streams with different keys differ; their numbers are uniform and normal as requested")
  func streams() {
    var firsts: [UInt64] = []
    for keys in [(1, 2), (2, 1), (0, 3), (3, 0)] as [(UInt64, UInt64)] {
      var stream = NoiseStream(seed: 9, keys.0, keys.1)
      firsts.append(stream.next())
    }
    #expect(Set(firsts).count == 4)
    var stream = NoiseStream(seed: 9)
    let even = (0..<20_000).map { _ in stream.uniform() }
    let normal = (0..<20_000).map { _ in stream.normal() }
    #expect(abs(even.reduce(0, +) / 20_000 - 0.5) < 0.01)
    #expect(abs(normal.reduce(0, +) / 20_000) < 0.03)
    #expect(abs(normal.reduce(0) { $0 + $1 * $1 } / 20_000 - 1) < 0.04)
  }

  @Test("The multipath field has mean 0 and deviation 1 over places, and changes little within a millimetre")
  func field() {
    var noise = NoiseStream(seed: 2)
    var values: [Double] = []
    for key in UInt64(1)...2000 {
      let field = MultipathField(key: SplitMix64.mixed(key), wavelength: 0.8)
      let here = SIMD3(noise.uniform(), noise.uniform(), noise.uniform()) * 10
      let value = field.value(here, .zero)
      values.append(value)
      #expect(abs(field.value(here + SIMD3(0.001, 0, 0), .zero) - value) < 0.03)
      #expect(abs(value) < 2.5)
    }
    #expect(abs(values.reduce(0, +) / 2000) < 0.08)
    #expect(abs(values.reduce(0) { $0 + $1 * $1 } / 2000 - 1) < 0.08)
  }
}
