import NearbyMaths

/// Estimates the probability that something stood in the direct path of a range, from what the receiver reports.
///
/// A logistic regression, fitted to DW1000 radios by `Scripts/fit-nlos`. Each combination of known figures has its own
/// coefficients, so a receiver that reports less gets a weaker judgement instead of none. `Docs/blocked-paths.md` lists
/// the figures, the recordings and how well it judges rooms and radios that it has not seen.
package struct BlockedPathModel: Equatable, Sendable {
  /// The coefficients for one combination of known figures.
  struct Coefficients: Sendable {
    let intercept: Double
    /// Per standard deviation of each figure.
    let weights: BlockedPathFigures.Values
    init(_ intercept: Double, _ weights: BlockedPathFigures.Values) {
      self.intercept = intercept
      self.weights = weights
    }
  }

  /// What was fitted to the recordings of one model of radio. One value, because each access to a static property costs
  /// some nanoseconds.
  struct Fit: Sendable {
    let mean: BlockedPathFigures.Values
    let perSpread: BlockedPathFigures.Values
    /// For each set of known figures, by its raw value; `nil` if the set says nothing about the path.
    let table: [Coefficients?]
    /// - Parameters:
    ///   - mean: Mean of each figure.
    ///   - spread: Standard deviation of each figure, above 0.
    init(mean: BlockedPathFigures.Values, spread: BlockedPathFigures.Values, table: [Coefficients?]) {
      self.mean = mean
      perSpread = .init(repeating: 1) / spread
      self.table = table
    }
  }

  /// The probability when nothing usable is known: the fit gives both kinds of path the same weight.
  package static let prior = 0.5
  /// Figures further from the mean than this count as this far, standard deviations.
  private static let furthest = 4.0

  /// Subtracted from every score: what is usual at this site. See `BlockedPathSite`.
  package var shift: Double

  /// - Parameter shift: Log odds, finite.
  package init(shift: Double = 0) { self.shift = shift }

  /// The probability that the direct path was blocked, 0 to 1; `nil` if no figure says anything about it.
  package func probability(_ receiver: ReceiverFigures) -> Double? {
    guard let score = score(receiver) else { return nil }
    return Self.probability(score: score)
  }

  /// The log odds that the direct path was blocked; `nil` if no figure says anything about it.
  package func score(_ receiver: ReceiverFigures) -> Double? {
    let figures = BlockedPathFigures(receiver)
    let fit = Self.dw1000
    // Bounded: the table has an entry for each combination of the five bits.
    guard let coefficients = fit.table[figures.known.rawValue] else { return nil }
    var standard = (figures.values - fit.mean) * fit.perSpread
    standard.replace(with: Self.furthest, where: standard .> Self.furthest)
    standard.replace(with: -Self.furthest, where: standard .< -Self.furthest)
    return coefficients.intercept + (standard * coefficients.weights).sum() - shift
  }

  /// The probability if a receiver only says whether the path looks blocked.
  ///
  /// Receivers mark a path whose total power exceeds that of the first path by 6 dB or so. In the recorded rooms
  /// and halls they mark 70 and 78 % of the blocked paths, and 29 and 23 % of those in sight (`Docs/blocked-paths.md`).
  package static func probability(isMarked: Bool) -> Double {
    probability(score: usualLogOdds + markedLogOdds.intercept + (isMarked ? 1 : -1) * markedLogOdds.weight)
  }

  /// Fitted to the recorded rooms by `Scripts/fit-nlos`, with equal weight for both kinds of path.
  private static let markedLogOdds = (intercept: 0.194, weight: 0.805)
  /// Chosen: one path in ten is blocked, log 1/9. Then 2.5 stated sigmas hold 93 % of the errors behind walls in the
  /// recorded hall.
  private static let usualLogOdds = -2.1972

  /// The probability for log odds.
  package static func probability(score: Double) -> Double { 1 / (1 + Maths.exp(-score)) }
}
