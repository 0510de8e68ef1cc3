/// Quantiles of a sample, interpolated between neighbours (definition 7 of Hyndman and Fan, "Sample Quantiles in
/// Statistical Packages", The American Statistician 50, 1996).
package enum Quantile {
  /// - Parameter share: 0 to 1.
  /// - Returns: `nil` for an empty sample.
  package static func of(_ values: [Double], _ share: Double) -> Double? { ofSorted(values.sorted(), share) }

  package static func ofSorted(_ sorted: [Double], _ share: Double) -> Double? {
    guard let last = sorted.indices.last else { return nil }
    let place = min(max(share, 0), 1) * Double(last)
    let below = Int(place)
    guard below < last else { return sorted[last] }
    return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
  }
}
