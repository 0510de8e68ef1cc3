import NearbyMaths
import NearbySchedule

/// How one place's radio differs from another's: factors drawn once for a world, from its seed.
///
/// Recordings of one kind of radio differ more between places than within one, so no single figure describes them all.
/// Each factor is log-normal with median 1; its spread is that between the recordings named beside it, and
/// `Docs/simulator.md` lists the figures.
struct PlaceFigures: Sendable {
  /// Of the error from echoes. Moving radios differ from 0.04 to 0.11 m (starloc, lias_planar, rcv, hanyang_outdoor).
  let echoes: Double
  /// Of the excess length of a blocked path. The medians of room pairs differ by a factor of 1.9 (graz_university).
  let blocked: Double
  /// How much of a change in power a module's receiver reports. Exponents from 0.1 (graz_university) over 0.6
  /// (hanyang_static, hanyang_outdoor) to 1.9 (rcv) at the same 20 dB a decade.
  let powerSlope: Double
  /// Of the share of late ranges: 0.2 % (lias_planar) to 8 % (starloc).
  let late: Double
  /// Of the share of wild ranges: 0.02 % (lias_planar) to 0.8 % (rcv), and of how far off they are.
  let wild: Double
  let wildLength: Double
  /// Of the frames lost at any power: 0.5 % to 10 % of the exchanges.
  let losses: Double

  /// - Parameter noise: What the factors are drawn from.
  init(_ noise: NoiseStream) {
    var noise = noise
    func factor(_ sigma: Double) -> Double { Maths.exp(sigma * min(2.5, max(-2.5, noise.normal()))) }
    echoes = factor(0.33)
    blocked = factor(0.5)
    powerSlope = factor(0.8)
    late = factor(1.1)
    wild = factor(1)
    wildLength = factor(0.7)
    losses = factor(1.1)
  }
}
