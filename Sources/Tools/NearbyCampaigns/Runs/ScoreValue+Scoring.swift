import NearbyMaths
import NearbyScenarios
import NearbySchedule
import NearbyTextForms

extension ScoreValue {
  /// - Parameters:
  ///   - reports: Of all pairs of the run.
  ///   - end: When the run ended.
  init(_ score: Scenario.Score, in reports: [ReportedPair], end: Duration) {
    let window = Window(start: score.from, end: min(score.to ?? end, end))
    let chosen = reports.filter {
      (score.device == nil || score.device == $0.device) && (score.peer == nil || score.peer == $0.peer)
    }
    let value = Self.value(of: score, in: chosen, window)
    self.init(
      name: score.name, value: value,
      failure: Self.failure(named: score.name, of: value, atLeast: score.atLeast, atMost: score.atMost))
  }

  /// A window of time; its ends belong to it.
  struct Window: Sendable {
    let start: Duration
    let end: Duration

    func contains(_ time: Duration) -> Bool { time >= start && time <= end }
  }

  private static func value(
    of score: Scenario.Score, in reports: [ReportedPair], _ window: Window
  ) -> Double? {
    let samples = reports.flatMap {
      $0.samples.filter { window.contains($0.time) && (score.path == nil || score.path == $0.path) }
    }
    switch score.measure {
    case .error(let quantile): return Quantile.of(samples.map { abs($0.error) }, quantile)
    case .directionError(let quantile):
      return Quantile.of(samples.compactMap(\.directionError), quantile)
    case .coverage: return share(samples.map { abs($0.error) <= Self.covered * $0.sigma })
    case .directionCoverage:
      return share(
        samples.compactMap { sample in
          guard let error = sample.directionError, let sigma = sample.directionSigma else { return nil }
          return error <= Self.covered * sigma
        })
    case .bias: return samples.isEmpty ? nil : samples.reduce(0) { $0 + $1.error } / Double(samples.count)
    case .heard: return heard(reports, window)
    case .firstDistance:
      return samples.map(\.time).min().map { ($0 - window.start).inSeconds }
    case .longestGap: return reports.compactMap { longestGap($0, window) }.max()
    case .event(let wanted):
      return times(of: wanted, reports, window).min().map { ($0 - window.start).inSeconds }
    case .events(let wanted): return Double(times(of: wanted, reports, window).count)
    }
  }

  /// Within this many stated standard deviations an error counts as covered.
  private static let covered = 2.5

  private static func share(_ answers: [Bool]) -> Double? {
    answers.isEmpty ? nil : Double(answers.count { $0 }) / Double(answers.count)
  }

  private static func times(
    of wanted: Scenario.Score.AppEvent, _ reports: [ReportedPair], _ window: Window
  ) -> [Duration] {
    reports.flatMap { $0.events.filter { $0.event == wanted && window.contains($0.time) }.map(\.time) }
  }

  /// Rounds that gave a range over rounds that took place while sessions ran.
  private static func heard(_ reports: [ReportedPair], _ window: Window) -> Double? {
    var count = 0
    var rounds = 0.0
    for report in reports {
      count += report.heard.filter(window.contains).count
      for span in report.spans {
        let length = min(span.end ?? window.end, window.end) - max(span.start, window.start)
        if length > .zero { rounds += length / report.interval }
      }
    }
    return rounds < 1 ? nil : min(1, Double(count) / rounds)
  }

  private static func longestGap(_ report: ReportedPair, _ window: Window) -> Double? {
    let times = report.samples.map(\.time).filter(window.contains)
    guard !times.isEmpty else { return nil }
    return zip(times, times.dropFirst() + [window.end]).map { ($1 - $0).inSeconds }.max()
  }

  /// Why a value is outside its bounds; `nil` if it is within, or has none.
  static func failure(named name: String, of value: Double?, atLeast: Double?, atMost: Double?) -> String? {
    let bounds = [atLeast.map { "at least \($0)" }, atMost.map { "at most \($0)" }]
      .compactMap(\.self).joined(separator: " and ")
    guard !bounds.isEmpty else { return nil }
    guard let value else { return "\(name): no value, expected \(bounds)" }
    guard value < atLeast ?? value || value > atMost ?? value else { return nil }
    return "\(name): found \(NumberFormat.fixed(value, 4)), expected \(bounds)"
  }
}
