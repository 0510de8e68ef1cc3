import NearbyMaths
import NearbySchedule

/// A radio's counter: 40 bits of 15.65 ps ticks, off by some parts per million.
package struct RadioClock: Equatable, Sendable {
  /// Ticks a second: 128 × 499.2 MHz.
  package static let rate = 63_897_600_000.0
  /// The counter's 40 bits; it wraps after 17.2 s.
  package static let mask: UInt64 = (1 << 40) - 1

  /// The counter's value at time 0.
  package var phase: UInt64
  /// Mean deviation of the crystal, ppm.
  package var offset: Double
  /// Slow drift: amplitude, ppm; angular rate, radians a second; angle at time 0.
  package var driftAmplitude: Double
  package var driftRate: Double
  package var driftPhase: Double

  /// Draws a radio's crystal.
  package init(_ characteristics: RadioCharacteristics, noise: inout NoiseStream) {
    phase = noise.next() & Self.mask
    let drawn = noise.normal() * characteristics.clockOffsetSigma
    offset = characteristics.clockOffset ?? drawn
    driftAmplitude = characteristics.clockDrift
    driftRate = 2 * .pi / max(characteristics.clockDriftPeriod, 1)
    driftPhase = noise.uniform() * 2 * .pi
  }

  /// Deviation of the rate from nominal, ppm.
  package func deviation(at seconds: Double) -> Double {
    offset + driftAmplitude * Maths.sin(driftRate * seconds + driftPhase)
  }

  /// The counter's value at the start of a round, to whole ticks of true time.
  ///
  /// Only differences within a round matter, so double precision is enough for the drift accumulated since
  /// time 0.
  func reading(atNanoseconds nanoseconds: Int64, seconds: Double) -> UInt64 {
    longReading(atNanoseconds: nanoseconds, seconds: seconds) & Self.mask
  }

  /// The same counter in 64 bits, in which it does not wrap.
  func longReading(atNanoseconds nanoseconds: Int64, seconds: Double) -> UInt64 {
    let whole = UInt64(bitPattern: nanoseconds / 1_000_000_000) &* 63_897_600_000
    let part = UInt64(bitPattern: (nanoseconds % 1_000_000_000) &* 638_976 / 10_000)
    let turn = driftRate * seconds + driftPhase
    let swing =
      driftRate > 0 ? driftAmplitude / driftRate * (Maths.cos(driftPhase) - Maths.cos(turn)) : 0
    let gained = ((offset * seconds + swing) * 1e-6 * Self.rate).rounded()
    let gainedTicks = Int64(exactly: gained) ?? 0
    return phase &+ whole &+ part &+ UInt64(bitPattern: gainedTicks)
  }

  /// Ticks from `earlier` to `later` on one counter, allowing for one wrap.
  static func ticks(from earlier: UInt64, to later: UInt64) -> Double {
    Double((later &- earlier) & mask)
  }
}
