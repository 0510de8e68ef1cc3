/// Upper limits for a scenario file. A file that exceeds one is rejected with an error that names the limit.
package enum ScenarioLimits {
  /// Size of the file, octets.
  package static let octets = 32 << 20
  /// Values in the file: strings, numbers, lists, objects.
  static let values = 2_000_000
  /// Keys in one object.
  static let keys = 10_000
  /// Entries in each list of devices, beacons, walls, floors or people.
  static let things = 10_000
  static let events = 100_000
  static let pairs = 500_000
  static let scores = 1000
  /// Length of a score's name, octets.
  static let scoreName = 200
  /// Points of a walk, or rows of a track.
  static let points = 100_000
  /// Maximum number of devices for which every two form a pair by default.
  static let pairedDevices = 200
}

/// Called occasionally while a file is read, with the share that is done, 0 to 1.
package typealias ScenarioProgress = @Sendable (Double) -> Void

/// Tracks a reader's progress and reports it occasionally.
struct ProgressCounter {
  private static let step = 1 << 16
  private let total: Int
  private let first: Double
  private let share: Double
  private let report: ScenarioProgress?
  private var next = Self.step

  /// - Parameters:
  ///   - total: Amount of work in this part.
  ///   - part: The range of the overall progress that this part covers, within 0 to 1.
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
