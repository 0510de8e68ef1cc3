import NearbyMaths
import NearbyRecordings
import NearbySchedule
import NearbySimulator

extension Scenario {
  /// In which order anchors send, and which of their differences a listener measures.
  package enum AnchorOrder: String, CaseIterable, Sendable {
    /// Anchors take turns; each is compared with the one before it.
    case centralised
    /// Any two anchors are compared; now and then stamps of different rounds are taken for one.
    case decentralised
  }

  /// A listening tag's recording: what to measure, and how often.
  package struct ListeningPlan: Sendable {
    /// Index into `devices` of the tag.
    package var device: Int
    /// At least three.
    package var anchors: [ListenedAnchor]
    /// Time in which every anchor is heard once, > 0.
    package var round: Duration
    package var order: AnchorOrder
    /// Whether the tag has an accelerometer and a gyroscope.
    package var hasInertial: Bool

    package init(
      device: Int, anchors: [ListenedAnchor], round: Duration, order: AnchorOrder = .centralised,
      hasInertial: Bool = true
    ) {
      self.device = device
      self.anchors = anchors
      self.round = round
      self.order = order
      self.hasInertial = hasInertial
    }
  }

  /// Records what a tag measures that listens to anchors: differences of its distances to them.
  ///
  /// The differences come straight from the world, without chips, rounds or octets. Of an anchor's faults, its wrong
  /// survey, its own time, its losses and missed polls, and its late, wild and wrapped stamps have an effect.
  ///
  /// - Parameter isCancelled: Asked once per round; `nil` is returned if it says so.
  package func listening(
    _ plan: ListeningPlan, isCancelled: () -> Bool = { false }
  ) -> PositionRecording? {
    // Bounded: the command checks both before.
    precondition(plan.round > .zero && plan.anchors.count >= 3, "no round of three anchors")
    var listener = Listener(self, plan)
    var start = Duration.zero
    while start < duration {
      if isCancelled() { return nil }
      listener.hearRound(from: start)
      start += plan.round
    }
    return listener.finished()
  }

  private struct Listener {
    /// Time between two true poses.
    private static let poseInterval = Duration.milliseconds(10)
    /// Chance that stamps of different rounds are taken for one, and the largest error, metres.
    private static let mixUp = (chance: 0.005, metres: 40.0)

    let scenario: Scenario
    let plan: ListeningPlan
    var world: SimulatedWorld
    var recording: PositionRecording
    var noise: NoiseStream
    var eventsDone = 0
    var nextPose = Duration.zero
    let radios: ListenedRadios
    /// The frame before, in the centralised order; `anchor` is an index into the plan's.
    var before: (anchor: Int, frame: SimulatedWorld.HeardFrame)?

    init(_ scenario: Scenario, _ plan: ListeningPlan) {
      self.scenario = scenario
      self.plan = plan
      var world = SimulatedWorld(scenario)
      radios = ListenedRadios(plan.anchors, of: scenario, in: &world)
      recording = PositionRecording(
        anchors: plan.anchors.map { PositionRecording.Anchor(id: $0.id, position: $0.surveyed) })
      self.world = world
      // Bounded: an index into a list.
      noise = NoiseStream(seed: scenario.seed, StableHash.of("listening"), UInt64(plan.device))
      recording.notes = [
        "source": .text("simulated"), "mode": .text(plan.order.rawValue),
        "device": .text(scenario.devices[plan.device].name),
        "obstacles": .text(scenario.walls.isEmpty ? "none" : "\(scenario.walls.count) walls"),
        "seed": .number(Double(scenario.seed)), "duration_s": .number(scenario.duration.inSeconds),
        "sign": .text("tdoa_m = |p - b| - |p - a|, p the antenna, a and b the anchors anchor_a and anchor_b"),
      ]
    }

    mutating func hearRound(from start: Duration) {
      let count = plan.anchors.count
      for turn in 0..<count {
        let time = start + plan.round * turn / count
        guard time < scenario.duration else { return }
        takePoses(until: time)
        switch plan.order {
        case .centralised: hear(turn, at: time)
        case .decentralised:
          // Bounded: a plan has at least three anchors.
          let first = Int(noise.next() % UInt64(count))
          // Bounded: a plan has at least three anchors.
          let second = (first + 1 + Int(noise.next() % UInt64(count - 1))) % count
          compare(first, second, at: time)
        }
      }
    }

    private mutating func hear(_ anchor: Int, at time: Duration) {
      let frame = frame(of: anchor, at: time)
      if let frame, let before, before.anchor != anchor {
        append(before.anchor, before.frame, anchor, frame, at: time)
      }
      before = frame.map { (anchor, $0) }
    }

    private mutating func compare(_ first: Int, _ second: Int, at time: Duration) {
      let isMixedUp = noise.uniform() < Self.mixUp.chance
      let wild = isMixedUp ? (2 * noise.uniform() - 1) * Self.mixUp.metres : 0
      guard let one = frame(of: first, at: time), let other = frame(of: second, at: time) else { return }
      append(first, one, second, other, at: time, wild: wild)
    }

    /// A frame of an anchor with what the anchor's faults do to it; `nil` if it does not arrive.
    private mutating func frame(of anchor: Int, at time: Duration) -> SimulatedWorld.HeardFrame? {
      guard let fault = radios.fault(anchor, noise: &noise),
        var frame = world.hear(from: radios.radio(anchor), by: plan.device, at: time)
      else { return nil }
      frame.error += fault
      return frame
    }

    private mutating func append(
      _ from: Int, _ first: SimulatedWorld.HeardFrame, _ to: Int, _ second: SimulatedWorld.HeardFrame,
      at time: Duration, wild: Double = 0
    ) {
      let metres = second.distance + second.error - first.distance - first.error + wild
      recording.differences.append(
        PositionRecording.Difference(
          // Bounded: indices of the plan's anchors.
          time: time.inSeconds, from: plan.anchors[from].id, to: plan.anchors[to].id, metres: metres))
    }

    private mutating func takePoses(until time: Duration) {
      while nextPose <= time {
        while eventsDone < scenario.events.count, scenario.events[eventsDone].time <= nextPose {
          world.perform(scenario.events[eventsDone])
          radios.perform(scenario.events[eventsDone], in: &world)
          eventsDone += 1
        }
        let pose = world.pose(of: BodyID(index: plan.device), at: nextPose)
        recording.truePath.append(RecordedPose(pose, at: nextPose))
        if plan.hasInertial { takeInertial(pose, at: nextPose) }
        nextPose += Self.poseInterval
      }
    }

    /// Rotation rate and specific force from central differences of the true motion, plus noise.
    private mutating func takeInertial(_ pose: Pose, at time: Duration) {
      let step = Self.poseInterval
      guard time >= step else { return }
      let earlier = world.pose(of: BodyID(index: plan.device), at: time - step)
      let later = world.pose(of: BodyID(index: plan.device), at: time + step)
      let interval = 2 * step.inSeconds
      let gravity = SIMD3(0, 0, 9.80665)
      // Bounded: the lanes of vectors, here and below.
      let acceleration = (later.velocityInWorld - earlier.velocityInWorld) / interval
      // Bounded: the lanes of a vector.
      let turn = (earlier.worldFromDevice.inverse * later.worldFromDevice).quaternion
      let sign = turn.w < 0 ? -2.0 : 2
      // Bounded: the lanes of a vector.
      let rate = SIMD3(turn.x, turn.y, turn.z) * (sign / interval)
      func jitter(_ sigma: Double) -> SIMD3<Double> {
        // Bounded: the lanes of a vector.
        SIMD3(noise.normal(), noise.normal(), noise.normal()) * sigma
      }
      recording.inertial.append(
        PositionRecording.Inertial(
          time: time.inSeconds, rotationRate: rate + jitter(0.01),
          acceleration: pose.worldFromDevice.inverse * (acceleration + gravity) + jitter(0.05)))
    }

    consuming func finished() -> PositionRecording { recording }
  }
}
