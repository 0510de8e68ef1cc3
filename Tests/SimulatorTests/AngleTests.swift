import NearbyExchange
import NearbyMaths
import Testing

@testable import NearbySimulator

@Suite("Angles from phase differences")
struct AngleTests {
  /// Angles that the first phone measures over `seeds`, with the second phone 4 m away at `azimuth` and
  /// `elevation`.
  static func angles(
    azimuth: Double = 0, elevation: Double = 0, pitch: Double = 0, roll: Double = 0,
    seeds: ClosedRange<UInt64> = 1...300
  ) -> [AngleReading] {
    seeds.compactMap { seed in
      var world = SimulatedWorld(seed: seed)
      let here = world.addBody(
        .standing(SIMD3(0, 0, 10)), facing: .fixed(Rotation(heading: 0, pitch: pitch, roll: roll)))
      let direction = SIMD3(
        Maths.sin(azimuth) * Maths.cos(elevation), Maths.cos(azimuth) * Maths.cos(elevation),
        Maths.sin(elevation))
      let there = world.addBody(.standing(SIMD3(0, 0, 10) + direction * 4), facing: .tracking(here))
      world.addRadio(on: here, .phone)
      world.addRadio(on: there, .phone)
      return world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .zero)).atInitiator?.angle
    }
  }

  @Test(
    "Azimuth is positive to the right and elevation positive up",
    arguments: [
      (0.4, 0.0), (-0.4, 0.0), (0.0, 0.4), (0.0, -0.4), (0.3, 0.3),
    ] as [(Double, Double)])
  func signs(azimuth: Double, elevation: Double) {
    let angles = Self.angles(azimuth: azimuth, elevation: elevation)
    #expect(angles.count > 200)
    #expect(abs(ErrorFigures(angles.map(\.azimuth)).median - azimuth) < 0.03)
    #expect(abs(ErrorFigures(angles.map(\.elevation)).median - elevation) < 0.03)
  }

  @Test("Noise grows towards the edge of the field of view; outside it there is no angle")
  func cone() {
    let spreads = [0, 35, 55].map { degrees in
      ErrorFigures(Self.angles(azimuth: Double(degrees) * .pi / 180).map(\.azimuth)).spread
    }
    #expect(spreads == spreads.sorted(), "\(spreads)")
    #expect(spreads[0] < 0.06, "\(spreads)")
    #expect(spreads[2] > 2 * spreads[0], "\(spreads)")
    #expect(Self.angles(azimuth: 61 * .pi / 180).isEmpty)
    #expect(Self.angles(azimuth: .pi).isEmpty)
    #expect(Self.angles(elevation: 70 * .pi / 180).isEmpty)
  }

  @Test("The stated sigma matches the spread of the errors", arguments: [0.0, 0.5])
  func statedSigma(azimuth: Double) {
    let scores = Self.angles(azimuth: azimuth).map { ($0.azimuth - azimuth) / $0.azimuthSigma }
    #expect(abs(ErrorFigures(scores).spread - 1) < 0.25)
  }

  @Test(
    "A phone on its side measures no direction; one that leans up to 40° does",
    arguments: [
      (30.0, true), (-40.0, true), (50.0, false), (90.0, false), (180.0, false),
    ] as [(Double, Bool)])
  func portrait(roll: Double, measures: Bool) {
    #expect(Self.angles(roll: roll * .pi / 180, seeds: 1...50).isEmpty == !measures)
  }

  @Test("Pitching the phone up lowers the measured elevation")
  func turned() {
    let angles = Self.angles(azimuth: 0.2, pitch: 0.3)
    #expect(abs(ErrorFigures(angles.map(\.elevation)).median + 0.29) < 0.05)
  }
}
