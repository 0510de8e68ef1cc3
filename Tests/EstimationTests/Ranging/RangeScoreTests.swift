import NearbyEstimation
import TestSupport
import Testing

@Suite("Range score")
struct RangeScoreTests {
  private func samples(bias: Double, lag: Double = 0, errors: [Double]) -> [RangeScore.Comparison] {
    errors.enumerated().map { index, error in
      let time = 0.1 * Double(index)
      // Up and down at 1 m/s, turning every 5 s.
      func truth(_ t: Double) -> Double {
        let phase = (t / 10).truncatingRemainder(dividingBy: 1)
        return phase < 0.5 ? 3 + 10 * phase : 13 - 10 * phase
      }
      return RangeScore.Comparison(
        time: .seconds(time), estimate: truth(time - lag) + bias + error, truth: truth(time), sigma: 0.1,
        range: truth(time))
    }
  }

  @Test("Removes the bias of each pair separately")
  func bias() {
    let none = Array(repeating: 0.0, count: 101)
    let score = RangeScore(series: [samples(bias: 0.4, errors: none), samples(bias: -2, errors: none)])
    #expect(score.count == 202)
    #expect(score.missing == 0)
    #expect(score.rmse < 1e-12)
    #expect(score.largest < 1e-12)
  }

  @Test("Counts estimates that are wrong by over a metre, and missing ones")
  func wrong() {
    var errors = Array(repeating: 0.0, count: 99)
    errors[50] = 1.5
    errors[51] = 0.3
    var list = samples(bias: 0.1, errors: errors)
    list[20].estimate = nil
    let score = RangeScore(series: [list])
    #expect(score.wronglyFar == 1)
    #expect(score.missing == 1)
    #expect(score.count == 98)
    #expect((score.largest - 1.5).magnitude < 1e-9)
    #expect((score.rmse - ((1.5 * 1.5 + 0.3 * 0.3) / 98).squareRoot()).magnitude < 1e-9)
    #expect(score.withinTwoSigma.map { ($0 - 96.0 / 98).magnitude < 1e-9 } == true)
  }

  @Test("Finds the lag of the estimates", arguments: [0.0, 0.1, 0.3])
  func lag(seconds: Double) {
    let list = samples(bias: 0, lag: seconds, errors: Array(repeating: 0, count: 600))
    let found = RangeScore(series: [Array(list.dropFirst(10))]).lag
    #expect(found.map { ($0 - seconds).magnitude < 0.02 } == true, "\(String(describing: found))")
  }

  @Test("Computes quantiles as numpy does")
  func quantiles() {
    #expect(RangeScore.quantile([1, 2, 3, 4], 0.5) == 2.5)
    #expect(RangeScore.quantile([1, 2, 3, 4, 5], 0.95) == 4.8)
    #expect(RangeScore.quantile([], 0.5) == 0)
    #expect(RangeScore.median([3, 1, 2]) == 2)
  }

  @Test("Without series the score is empty")
  func empty() {
    let score = RangeScore(series: [])
    #expect(score.count == 0)
    #expect(score.rmse == 0)
    #expect(score.lag == nil)
    #expect(score.normalisedError == nil)
  }
}
