import NearbyMaths
import NearbySchedule

/// Intervals by the bootstrap's percentile method (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
/// section 13.3), with fixed seeds: the same sample always gives the same interval.
package enum Bootstrap {
  private static let resamples = 1000
  /// Samples larger than this draw the resampled median's rank from its normal approximation.
  private static let largestResampled = 20_000

  /// The interval that contains the median with this confidence.
  ///
  /// - Parameters:
  ///   - sorted: In ascending order.
  ///   - seed: Of the resampling.
  /// - Returns: `nil` for an empty sample.
  package static func median(ofSorted sorted: [Double], confidence: Double = 0.95, seed: UInt64)
    -> ClosedRange<
      Double
    >?
  {
    guard !sorted.isEmpty else { return nil }
    var noise = NoiseStream(seed: seed)
    var counts = [Int32](repeating: 0, count: min(sorted.count, largestResampled))
    var medians: [Double] = []
    for _ in 0..<resamples {
      medians.append(
        sorted.count > largestResampled
          ? approximateMedian(sorted, &noise) : resampledMedian(sorted, &counts, &noise))
    }
    medians.sort()
    let tail = (1 - confidence) / 2
    guard let low = Quantile.ofSorted(medians, tail), let high = Quantile.ofSorted(medians, 1 - tail) else {
      return nil
    }
    return low...max(low, high)
  }

  /// The median of as many draws with replacement as there are values.
  private static func resampledMedian(
    _ sorted: [Double], _ counts: inout [Int32], _ noise: inout NoiseStream
  ) -> Double {
    let count = sorted.count
    for index in counts.indices { counts[index] = 0 }
    // Bounded: the high word of a product with the count is below it.
    for _ in 0..<count { counts[Int(noise.next().multipliedFullWidth(by: UInt64(count)).high)] += 1 }
    let lower = (count - 1) / 2
    let upper = count / 2
    var seen = 0
    var low: Double?
    for index in 0..<count {
      seen += Int(counts[index])
      if low == nil, seen > lower { low = sorted[index] }
      if seen > upper { return ((low ?? sorted[index]) + sorted[index]) / 2 }
    }
    return sorted[count - 1]
  }

  /// The median's rank in a resample is nearly normal, with mean n/2 and standard deviation √n/2.
  private static func approximateMedian(_ sorted: [Double], _ noise: inout NoiseStream) -> Double {
    let count = Double(sorted.count)
    let rank = count / 2 + noise.normal() * count.squareRoot() / 2
    return sorted[Int(min(max(rank, 0), count - 1))]
  }
}
