import Foundation
import NearbyChipTools
import NearbyCommandLine
import NearbyDeviceMachine
import NearbyEstimation
import NearbyLive
import NearbyRadioLinks
import NearbyRecordings
import NearbyUCI
import Synchronization

/// Records a chip's measurements and the poses from `NEARBY_CAMERA`.
final class RadioRecorder: Sendable {
  private struct State {
    var ranges: [RadioRange] = []
    var path: [RecordedPose] = []
    /// Offset from the poses' clock to the radio's, set by the first pose.
    var offset: Duration?
  }

  /// Maximum number of ranges and of poses, which stay in memory until the end: 27 hours at ten per second.
  static let limit = 1_000_000

  private let folder: OutputFolder
  private let radio: RadioAddress
  private let poses: LivePoses?
  private let state = Mutex(State())

  /// - Parameter camera: The value of `NEARBY_CAMERA`.
  init(_ folder: OutputFolder, _ radio: RadioAddress, camera: String?) throws(CommandError) {
    self.folder = folder
    self.radio = radio
    guard let camera, !camera.isEmpty else {
      poses = nil
      return
    }
    do throws(LinkError) {
      poses = LivePoses(try PoseAddress(camera))
    } catch {
      throw .unavailable("NEARBY_CAMERA=\(camera): \(error)")
    }
  }

  /// Starts recording poses.
  ///
  /// - Parameter now: The time on the ranges' clock.
  func begin(now: @escaping @Sendable () -> Duration) {
    poses?.start { [weak self] frame in
      self?.state.withLock { state in
        let offset = state.offset ?? now() - frame.time
        state.offset = offset
        let time = frame.time + offset
        // The other program's clock may be set back.
        guard time >= state.path.last?.time ?? time, state.path.count < Self.limit else { return }
        state.path.append(
          RecordedPose(
            time: time, position: frame.pose.positionInWorld, orientation: frame.pose.worldFromDevice))
      }
    }
  }

  func add(_ range: RadioRange) {
    guard range.range != nil else { return }
    state.withLock { state in
      if state.ranges.count < Self.limit { state.ranges.append(range) }
    }
  }

  /// Whether the limit is reached.
  var isFull: Bool { state.withLock { max($0.ranges.count, $0.path.count) >= Self.limit } }

  /// Writes the recording, unless nothing was measured.
  ///
  /// - Returns: A sentence for the reader.
  func finish() throws(CommandError) -> String {
    poses?.close()
    let (ranges, path) = state.withLock { ($0.ranges, $0.path) }
    guard !ranges.isEmpty else { return "no range was measured; \(folder.path) was not written" }
    try folder.write(recording(ranges, path))
    return "\(folder.path): \(ranges.count) ranges, \(path.count) poses"
  }

  private func recording(_ ranges: [RadioRange], _ path: [RecordedPose]) -> Recording {
    func column(_ name: String, _ value: (RadioRange) -> Double?) -> RecordedColumn {
      RecordedColumn(name: name, values: .numbers(ranges.map { value($0) ?? .nan }))
    }
    return Recording(
      ranges: ranges.map {
        RecordedRange(time: $0.time, tag: "0", object: UCIWords.address($0.peer), range: $0.range ?? .nan)
      },
      extraColumns: [
        column("rx_dbm", \.rssiDBm), column("looks_nlos") { $0.looksNonLineOfSight.map { $0 ? 1 : 0 } },
        column("azimuth_deg", \.azimuth), column("elevation_deg", \.elevation),
      ],
      trackedPath: path, tags: [RecordedPoint(name: "0", position: .zero)],
      meta: [
        "source": .text("nearby radio range"), "radio": .text("\(radio)"),
        "ranges": .text("as the chip reported them over UCI"),
      ])
  }
}
