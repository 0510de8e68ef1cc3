import Foundation
import NearbyCommandLine
import NearbyPosition
import NearbyRecordings
import NearbySchedule

/// Learns the anchors' lasting errors from recordings with the ground truth.
struct BiasLesson {
  /// One of this many differences counts, because neighbours share their errors. Drawn by a hash: anchors take
  /// turns, so that every third difference could belong to the same anchors.
  private static let share: UInt64 = 3
  /// Least height that counts, metres above the lowest anchor: signals along a floor arrive late.
  private static let leastHeight = 0.1

  private(set) var recordings = 0
  private(set) var used = 0
  private(set) var bias: AnchorBias

  /// - Parameter path: A recording, or a folder whose subfolders are recordings.
  init(_ path: String, _ context: CommandContext) throws(CommandError) {
    let folders = try Self.folders(path)
    var learner: AnchorBiasLearner?
    for folder in folders {
      if context.interrupt.isRaised { throw .interrupted }
      let recording = try AnchorFolder.read(folder, "tdoa.csv") { url throws(RecordingError) in
        try PositionRecording(folder: url)
      }
      guard !recording.truePath.isEmpty else {
        throw .badData("\(folder): no truth.csv; biases are learned from recordings with the ground truth")
      }
      do throws(PositionError) {
        if learner == nil { learner = try AnchorBiasLearner(anchors: recording.positionAnchors) }
        guard var current = learner else { continue }
        try Self.add(recording, to: &current)
        learner = current
      } catch {
        throw .badData("\(folder): \(error)")
      }
    }
    guard let learner, learner.used > 0 else {
      throw .badData("\(path): no difference has the true place at its time; nothing was learned")
    }
    recordings = folders.count
    used = learner.used
    bias = learner.learned()
  }

  private static func add(
    _ recording: PositionRecording, to learner: inout AnchorBiasLearner
  ) throws(PositionError) {
    try learner.check(recording.positionAnchors)
    var antenna = RecordedAntenna(recording)
    let lowest = recording.anchors.map(\.position.z).min() ?? 0
    for (number, difference) in recording.differences.enumerated() {
      guard SplitMix64.mixed(UInt64(truncatingIfNeeded: number)) % share == 0 else { continue }
      guard let place = antenna.place(at: difference.time), place.z > lowest + leastHeight else { continue }
      learner.add(
        PositionMeasurement(
          time: difference.time, kind: .difference(from: difference.from, to: difference.to),
          metres: difference.metres), at: place)
    }
  }

  private static func folders(_ path: String) throws(CommandError) -> [String] {
    let files = FileManager.default
    if files.fileExists(atPath: path + "/tdoa.csv") { return [path] }
    let names = ((try? files.contentsOfDirectory(atPath: path)) ?? []).sorted()
    let found = names.map { "\(path)/\($0)" }.filter { files.fileExists(atPath: $0 + "/tdoa.csv") }
    guard !found.isEmpty else {
      throw .noInput("\(path): expected a folder with a tdoa.csv, or one with such folders")
    }
    return found
  }
}
