/// What no scenario file has more of: a file over a limit is refused with that limit.
package enum ScenarioLimits {
  /// Octets of the file.
  package static let octets = 32 << 20
  /// Values in the file: texts, numbers, lists, objects.
  static let values = 2_000_000
  /// Keys of one object.
  static let keys = 10_000
  /// Devices, beacons, walls, floors and people: entries of each list.
  static let things = 10_000
  static let events = 100_000
  static let pairs = 500_000
  /// Points of a walk, rows of a track.
  static let points = 100_000
  /// Devices up to which every two are a pair if the file lists none.
  static let pairedDevices = 200
}

/// Called now and then while a file is read, with the share of it that is done, 0 to 1.
package typealias ScenarioProgress = @Sendable (Double) -> Void

/// Counts what a reader has done, and reports it now and then.
struct ProgressCounter {
  private static let step = 1 << 16
  private let total: Int
  private let first: Double
  private let share: Double
  private let report: ScenarioProgress?
  private var next = Self.step

  /// - Parameters:
  ///   - total: What there is to do.
  ///   - part: The part of the whole work that this is, 0 to 1.
  init(total: Int, part: ClosedRange<Double>, _ report: ScenarioProgress?) {
    self.total = max(1, total)
    self.report = report
    first = part.lowerBound
    share = part.upperBound - part.lowerBound
  }

  mutating func reached(_ done: Int) {
    guard let report, done >= next else { return }
    next = done &+ Self.step
    report(first + share * Double(done) / Double(total))
  }
}
