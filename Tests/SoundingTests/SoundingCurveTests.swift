import NearbyEstimation
import NearbySounding
import Testing

@Suite("Sounding curve")
struct SoundingCurveTests {
  /// A device at `truth` whose methods all measure with the curve's excess and nothing else.
  private func estimate(at truth: Double, _ parameters: SoundingParameters) throws -> (
    distance: Double, sigma: Double
  ) {
    var filter = SoundingFilter(parameters: parameters)
    let measured = truth + SoundingCurve.outdoors.excess(at: truth)
    for step in 0..<60 {
      filter.update(
        SoundingResult(
          time: .milliseconds(500 * step), impulseResponse: measured, phaseSlope: measured,
          roundTrip: measured,
          power: -60))
    }
    let estimate = try #require(filter.estimate)
    return (estimate.distance, estimate.sigma)
  }

  @Test(
    "The excess falls with distance, is bounded near the device, and averages zero where constants are measured"
  )
  func shape() {
    let curve = SoundingCurve.outdoors
    let distances = [5.0, 15, 25, 35, 45]
    let excesses = distances.map { curve.excess(at: $0) }
    #expect(excesses == excesses.sorted(by: >))
    #expect((excesses.reduce(0, +) / 5).magnitude < 0.01)
    #expect(curve.excess(at: 0) == curve.excess(at: 5))
    #expect(distances.allSatisfy { SoundingCurve.none.excess(at: $0) == 0 })
  }

  @Test("The filter removes the excess", arguments: [1.0, 4.9, 5, 5.1, 10, 20, 45, 300])
  func removed(truth: Double) throws {
    #expect((try estimate(at: truth, .outdoors).distance - truth).magnitude < 1e-6)
    let excess = SoundingCurve.outdoors.excess(at: truth)
    #expect((try estimate(at: truth, SoundingParameters()).distance - truth - excess).magnitude < 1e-6)
  }

  @Test("Where the measured distance changes less than the true one, the sigma grows by as much")
  func sigma() throws {
    let step = 1e-3
    for truth in [5.5, 8, 30] {
      let ahead = step + SoundingCurve.outdoors.excess(at: truth + step)
      let slope = (ahead - SoundingCurve.outdoors.excess(at: truth)) / step
      var flat = SoundingParameters.outdoors
      flat.curve = .none
      let ratio = try estimate(at: truth, .outdoors).sigma / estimate(at: truth, flat).sigma
      #expect((ratio * slope - 1).magnitude < 0.01, "at \(truth) m")
    }
  }
}
