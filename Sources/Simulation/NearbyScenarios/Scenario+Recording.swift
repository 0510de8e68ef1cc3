import NearbyExchange
import NearbyRecordings
import NearbySchedule
import NearbySimulator

extension Scenario {
  /// Records the scenario from one device's point of view: ranges to its peers, and its true and tracked
  /// paths.
  ///
  /// The ranges come straight from the world, without chips or octets. A caller with better ones, from chips,
  /// replaces `ranges` and `extraColumns` and keeps the rest.
  /// - Parameters:
  ///   - device: Index into `devices`.
  ///   - rangeInterval: Time between two ranges of a pair, > 0.
  ///   - poseInterval: Time between two poses, > 0.
  package func recording(
    of device: Int, rangeInterval: Duration = .milliseconds(200),
    poseInterval: Duration = .milliseconds(50)
  ) -> Recording {
    precondition(rangeInterval > .zero && poseInterval > .zero, "intervals must be above 0")
    precondition(devices.indices.contains(device), "no device \(device)")
    var recorder = Recorder(self, device: device)
    var nextRange = Duration.zero
    var nextPose = Duration.zero
    while min(nextRange, nextPose) <= duration {
      let now = min(nextRange, nextPose)
      recorder.performEvents(until: now)
      if now == nextPose {
        recorder.takePose(at: now)
        nextPose += poseInterval
      }
      if now == nextRange {
        recorder.takeRanges(at: now)
        nextRange += rangeInterval
      }
    }
    return recorder.finished()
  }

  /// Accumulates a recording while the scenario runs.
  private struct Recorder {
    let scenario: Scenario
    let device: Int
    let peers: [Int]
    var world: SimulatedWorld
    var drift: TrackerDrift
    var eventsDone = 0
    var recording: Recording
    var powers: [Double] = []
    var sights: [String] = []
    var judged: [String] = []
    var azimuths: [Double] = []
    var elevations: [Double] = []

    init(_ scenario: Scenario, device: Int) {
      self.scenario = scenario
      self.device = device
      peers = scenario.pairs.compactMap { pair in
        pair.first == device ? pair.second : pair.second == device ? pair.first : nil
      }
      world = SimulatedWorld(scenario)
      drift = TrackerDrift(seed: scenario.seed)
      let resting = peers.filter { scenario.rests($0) }
      recording = Recording(
        ranges: [],
        objects: resting.map { peer in
          let name = scenario.devices[peer].name
          let pose = SimulatedWorld(scenario).pose(of: BodyID(index: peer), at: .zero)
          return RecordedPoint(name: name, position: pose.positionInWorld)
        },
        tags: [RecordedPoint(name: "0", position: .zero)],
        meta: [
          "source": .text("simulated"), "device": .text(scenario.devices[device].name),
          "seed": .number(Double(scenario.seed)), "duration_s": .number(scenario.duration.inSeconds),
        ])
    }

    mutating func performEvents(until now: Duration) {
      while eventsDone < scenario.events.count, scenario.events[eventsDone].time <= now {
        world.perform(scenario.events[eventsDone])
        eventsDone += 1
      }
    }

    mutating func takePose(at now: Duration) {
      let pose = world.pose(of: BodyID(index: device), at: now)
      recording.truePath.append(RecordedPose(pose, at: now))
      recording.trackedPath.append(RecordedPose(drift.track(pose, at: now), at: now))
    }

    mutating func takeRanges(at now: Duration) {
      for (order, peer) in peers.enumerated() {
        // One slot per peer, because a radio ranges with one peer at a time.
        let start = now + .milliseconds(10 * order)
        let outcome = world.exchange(
          ExchangePlan(
            initiator: RadioID(index: device), responder: RadioID(index: peer), start: start))
        guard let range = outcome.distance, let view = outcome.atInitiator else { continue }
        let truth = world.truth(from: device, to: peer, at: start)
        recording.ranges.append(
          RecordedRange(
            time: start, tag: "0", object: scenario.devices[peer].name, range: range,
            trueRange: truth.range))
        powers.append(view.rssiDBm)
        sights.append(truth.isLineOfSight ? "1" : "0")
        judged.append(view.looksNonLineOfSight ? "1" : "0")
        azimuths.append(view.angle.map { $0.azimuth * 180 / .pi } ?? .nan)
        elevations.append(view.angle.map { $0.elevation * 180 / .pi } ?? .nan)
      }
    }

    /// The recording, including its extra columns.
    func finished() -> Recording {
      var recording = recording
      recording.extraColumns = [
        RecordedColumn(name: "rx_dbm", values: .numbers(powers)),
        RecordedColumn(name: "los", values: .text(sights)),
        RecordedColumn(name: "judged_nlos", values: .text(judged)),
        RecordedColumn(name: "azimuth_deg", values: .numbers(azimuths)),
        RecordedColumn(name: "elevation_deg", values: .numbers(elevations)),
      ]
      return recording
    }
  }

  /// Whether a device never moves from its position.
  package func rests(_ device: Int) -> Bool {
    guard case .standing = devices[device].motion else { return false }
    return !events.contains { event in
      guard event.device == device else { return false }
      return switch event.action {
      case .place, .walk: true
      case .suspend, .resume, .allow, .deny, .switchOff, .switchOn, .lose, .turn, .build: false
      }
    }
  }
}

extension RecordedPose {
  /// Converts a pose of the simulated world.
  package init(_ pose: Pose, at time: Duration) {
    self.init(
      time: time, position: pose.positionInWorld, orientation: pose.worldFromDevice.quaternion)
  }
}
