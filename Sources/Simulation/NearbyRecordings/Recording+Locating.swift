import NearbyEstimation

/// Which of a recording's paths is used as the camera track.
package enum RecordedTrackChoice: String, CaseIterable, Equatable, Sendable {
  /// The true path; the estimator assumes that it does not drift.
  case truth
  /// The drifting path of a visual-inertial tracker.
  case vio
}

/// A recorded range and the object's estimated position after it.
package struct LocateRow: Equatable, Sendable {
  package var time: Duration
  package var object: String
  package var tag: String?
  package var estimate: AssistanceEstimate?
  /// Metres, antenna delay removed.
  package var range: Double
  /// Distance from the antenna to the object, from the ranges and the position combined; `nil` while too
  /// uncertain to report.
  package var distance: RangeEstimate?
  /// Metres; `nil` if it is neither recorded nor computable from the recording.
  package var trueRange: Double?
  package var hypotheses: [ObjectHypothesis]
  /// Pose of the device in the track's frame.
  package var pose: DevicePose
  /// The object's true position relative to the device, expressed in the track's frame; `nil` if not
  /// recorded.
  package var truePosition: SIMD3<Double>?
}

/// The estimators of a recording: one locator per object, shared by all antennas of the device, and one
/// distance filter per pair of antenna and object.
private struct Searches {
  let parameters: AssistanceParameters
  var locators: [ObjectLocator] = []
  var filters: [AssistedRangeFilter] = []
  var verticals: [VerticalEstimate] = []
  private var objects: [String: Int] = [:]
  private var pairs: [RecordedPair: Int] = [:]

  init(_ parameters: AssistanceParameters) { self.parameters = parameters }

  /// Indices of the estimators of a pair, which are created on first use.
  mutating func numbers(of pair: RecordedPair) -> (object: Int, pair: Int) {
    let object = objects[pair.object, default: locators.count]
    if object == locators.count {
      objects[pair.object] = object
      locators.append(ObjectLocator(parameters))
    }
    let number = pairs[pair, default: filters.count]
    if number == filters.count {
      pairs[pair] = number
      filters.append(AssistedRangeFilter())
      verticals.append(.unknown)
    }
    return (object, number)
  }
}

extension Recording {
  /// Runs every range through its object's locator, in order of time.
  ///
  /// - Parameters:
  ///   - choice: The track to use; a recording without it yields no rows.
  ///   - rangeOffset: The radio's antenna delay, metres, subtracted from every range.
  ///   - forwardInDevice: Direction that the recorded body calls forward; vehicles use x.
  ///   - parameters: The estimator's parameters; `nil` uses those that suit the track.
  ///   - usesReceiverFigures: Whether to judge from the receiver's figures, if recorded, which paths were blocked.
  ///   - visit: Called with every row; returning `false` stops the run.
  package func locate(
    along choice: RecordedTrackChoice, rangeOffset: Double = 0,
    forwardInDevice: SIMD3<Double> = SIMD3(1, 0, 0), parameters: AssistanceParameters? = nil,
    usesReceiverFigures: Bool = true, visit: (LocateRow) -> Bool
  ) {
    var track = RecordedTrack(choice == .truth ? truePath : trackedPath)
    var truth = RecordedTrack(truePath)
    let parameters =
      parameters ?? AssistanceParameters(track: choice == .truth ? .surveyed : .visualInertial)
    let arms = Dictionary(tags.map { ($0.name, $0.position) }) { first, _ in first }
    let places = Dictionary(objects.map { ($0.name, $0.position) }) { first, _ in first }
    let trueRanges = trueRanges()
    let blocked = usesReceiverFigures ? blockedProbabilities(rangeOffset: rangeOffset) : []
    let marks = usesReceiverFigures ? blockedMarks() : []
    var searches = Searches(parameters)
    for (row, entry) in ranges.enumerated() {
      guard let pose = track.pose(at: entry.time),
        let truePose = truth.pose(at: entry.time) ?? track.pose(at: entry.time)
      else { return }
      let (object, number) = searches.numbers(of: entry.pair)
      let reading = AssistanceReading(
        time: entry.time, pose: pose, antennaInDevice: entry.tag.flatMap { arms[$0] } ?? .zero,
        range: entry.range - rangeOffset, isObstructed: marks.isEmpty ? nil : marks[row],
        blockedProbability: blocked.isEmpty ? nil : blocked[row])
      searches.locators[object].update(reading)
      var distance = searches.filters[number].update(
        reading, hypotheses: searches.locators[object].hypotheses)
      let shared = searches.filters[number].sharedVariance
      if let sigma = distance?.sigma, PeerEstimator.isLost(sigma, shared: shared) { distance = nil }
      let estimate = searches.locators[object].estimate(
        at: entry.time, pose: pose, forwardInDevice: forwardInDevice, previous: searches.verticals[number])
      searches.verticals[number] = estimate?.vertical ?? .unknown
      let place = truePath.isEmpty ? nil : places[entry.object]
      let located = LocateRow(
        time: entry.time, object: entry.object, tag: entry.tag, estimate: estimate,
        range: reading.range, distance: distance,
        trueRange: trueRanges[row],
        hypotheses: searches.locators[object].hypotheses, pose: pose,
        truePosition: place.map { Self.carried($0, from: truePose, to: pose) })
      if !visit(located) { return }
    }
  }

  /// Moves a point of the true world into the track's frame, keeping its position relative to the device.
  private static func carried(
    _ point: SIMD3<Double>, from truePose: DevicePose, to pose: DevicePose
  ) -> SIMD3<Double> {
    let q = truePose.worldFromDevice
    let inverse = DevicePose(positionInWorld: .zero, worldFromDevice: SIMD4(-q.x, -q.y, -q.z, q.w))
    return pose.inWorld(inverse.turned(point - truePose.positionInWorld))
  }
}

extension ReplayRow {
  /// The distance part of a located object's row; its range has the antenna delay removed.
  package init(_ row: LocateRow) {
    self.init(
      time: row.time, object: row.object, tag: row.tag, range: row.range, trueRange: row.trueRange,
      distance: row.distance?.distance, sigma: row.distance?.sigma)
  }
}

extension RangeScore {
  /// Scores the distances of located objects against the recorded truth; `nil` if the recordings have none.
  package init?(located: [[LocateRow]]) { self.init(replays: located.map { $0.map(ReplayRow.init) }) }
}
