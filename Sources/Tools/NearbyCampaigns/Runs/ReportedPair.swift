import NearbyMaths
import NearbyScenarios
import NearbySimulator

/// What one device's app was told of one peer during a run.
struct ReportedPair: Sendable {
  /// A distance that the app got, beside the truth at that time.
  struct Sample: Sendable {
    let time: Duration
    /// Reported minus true, metres.
    let error: Double
    /// Between the reported direction and the true one, degrees; `nil` if none was reported.
    let directionError: Double?
    /// The stated standard deviations: metres, and degrees.
    let sigma: Double
    let directionSigma: Double?
    /// What was in the direct path.
    let path: Scenario.Score.Path

    /// - Parameters:
    ///   - distance: Metres, with its stated standard deviation.
    ///   - direction: A unit vector in the device's frame, and its stated standard deviation in radians.
    ///   - truth: At the same time.
    init(
      at time: Duration, distance: Double, sigma: Double, direction: (vector: SIMD3<Double>, sigma: Double)?,
      _ truth: SimulatedWorld.LinkTruth
    ) {
      self.time = time
      error = distance - truth.range
      self.sigma = sigma
      directionError = direction.map {
        Maths.acos(clamping: ($0.vector * truth.directionInDevice).sum()) * 180 / .pi
      }
      directionSigma = direction.map { $0.sigma * 180 / .pi }
      path = truth.isLineOfSight ? .sight : .blocked
    }
  }

  /// Indices into the scenario's devices.
  let device: Int
  let peer: Int
  /// Time between two rounds.
  let interval: Duration
  private(set) var samples: [Sample] = []
  /// When a round gave a range.
  private(set) var heard: [Duration] = []
  private(set) var events: [(time: Duration, event: Scenario.Score.AppEvent)] = []
  /// When the session was running; the last is open if it ends at `nil`.
  private(set) var spans: [(start: Duration, end: Duration?)] = []

  init(device: Int, peer: Int, interval: Duration) {
    self.device = device
    self.peer = peer
    self.interval = interval
  }

  mutating func add(_ sample: Sample) { samples.append(sample) }

  /// - Parameter time: Of the last range so far; counted once.
  mutating func add(heardAt time: Duration) {
    if heard.last != time { heard.append(time) }
  }

  mutating func add(_ event: Scenario.Score.AppEvent, at time: Duration) {
    events.append((time, event))
    let isOpen = spans.last.map { $0.end == nil } ?? false
    switch event {
    case .running where !isOpen: spans.append((time, nil))
    case .suspended where isOpen, .invalidated where isOpen: spans[spans.count - 1].end = time
    case .running, .suspended, .invalidated, .resumed, .removed: break
    }
  }
}
