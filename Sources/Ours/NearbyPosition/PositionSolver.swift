import NearbyMaths

/// Computes where a tag is from time differences or ranges to anchors, one measurement at a time.
///
/// A tag that only listens to anchors learns differences of its distances to them. They are noisy by
/// decimetres, some are wrong by metres (blocked paths, wrapped counters), and an anchor's errors last for
/// about a second, so that they do not average out. This solver is a robust Kalman filter that knows all
/// three: a measurement's weight falls with its deviation as in Cauchy's distribution, impossible
/// measurements are dropped, and each anchor's lasting error is a state of its own.
///
/// **Input:** `add` takes measurements in order of time, and optionally inertial readings of the tag, which
/// steady the height.
///
/// **Output:** `estimate(at:)` returns position, velocity and covariance, or the reason why there is none.
///
/// **States:** without a track, the solver collects measurements until a `FirstFix` is unambiguous. With a
/// track, it filters. If the measurements disagree with the track for half a second, a new first fix replaces
/// it. After an outage of five seconds, or when the clock of the measurements was restarted, it starts again.
///
/// **Invariants:** a track's time never runs backwards; variances are positive. Cost and memory per measurement are
/// constant, and nothing is allocated while there is a track that agrees.
///
/// `Docs/position.md` has the derivation and the measured accuracy.
public struct PositionSolver: Sendable {
  let table: AnchorTable
  let options: PositionOptions
  var state: MotionState
  var slots: AnchorSlots
  var window = MeasurementWindow()
  var motion = VerticalMotion()
  var agreement = Agreement()
  var trust: AnchorTrust
  var hasTrack = false
  /// Time of the state, and of the newest measurement that was used.
  var stateTime = -Double.infinity
  var latest = -Double.infinity
  var latestUsed = -Double.infinity
  var lastAttempt = -Double.infinity
  var attemptInterval = Self.firstInterval
  /// How much the learned biases lift a position, metres, and when that was computed.
  var biasLift = 0.0
  var liftTime = -Double.infinity
  /// Time of the first fix that the track began with.
  var trackStart = -Double.infinity
  /// Measurements in a row that were lost to the clock.
  var clockFailures = 0
  var failure = PositionUnavailable.startingUp
  /// Measurements that were used, including those of the first fix.
  public internal(set) var used = 0
  var rejections = InlineArray<7, Int>(repeating: 0)

  /// Least time between the first two attempts at a first position, seconds.
  static let firstInterval = 0.1
  /// Gap after which the track is dropped, seconds.
  static let longestGap = 5.0
  /// Clock failures in a row after which no position is reported, and after which a clock that ran backwards
  /// counts as restarted.
  static let doubtfulFailures = 3
  static let mostFailures = 10

  /// - Throws: `PositionError` if the anchors can't be used.
  public init(
    anchors: [PositionAnchor], options: PositionOptions = PositionOptions()
  ) throws(PositionError) {
    table = try AnchorTable(anchors, heights: options.heights, bias: options.bias)
    self.options = options
    state = MotionState(options)
    slots = AnchorSlots(anchors: anchors.count)
    trust = AnchorTrust(anchors: anchors.count)
  }

  /// Measurements that were rejected for a reason.
  public func rejected(for reason: MeasurementRejection) -> Int { rejections[reason.rawValue] }

  /// Measurements that were rejected.
  public var rejected: Int { MeasurementRejection.allCases.reduce(0) { $0 + rejected(for: $1) } }

  // MARK: Input

  /// Adds an inertial reading. Its time may be between measurements; readings that are out of order or
  /// impossible are ignored.
  public mutating func add(_ reading: InertialReading) {
    // A time far ahead would block all readings after it.
    guard !latest.isFinite || reading.time - latest < Self.longestGap else { return }
    motion.add(reading)
  }

  /// Adds a measurement.
  ///
  /// - Returns: What became of it; a rejected measurement changes nothing.
  @discardableResult
  public mutating func add(_ measurement: PositionMeasurement) -> MeasurementOutcome {
    let checked: CheckedMeasurement
    switch check(measurement) {
    case .success(let value): checked = value
    case .failure(let reason):
      if reason == .outOfOrder { clockFailed(newTime: measurement.time) }
      return reject(reason)
    }
    clockFailures = 0
    let gap = checked.time - latest
    latest = checked.time
    if hasTrack, gap > Self.longestGap { forget() }
    window.append(checked)
    guard hasTrack else {
      used += 1
      start(at: checked.time)
      return .collected
    }
    advance(to: checked.time)
    return fuse(checked)
  }

  /// Counts a measurement that was dropped before it reached this solver, for example by `AnchorRounds`.
  public mutating func addRejected(_ reason: MeasurementRejection) {
    if reason == .clock { clockFailures = min(clockFailures + 1, Self.mostFailures) }
    rejections[reason.rawValue] += 1
  }

  /// A single late measurement is only dropped; many in a row mean that the clock was set back, or that a wild
  /// stamp lay far ahead.
  private mutating func clockFailed(newTime: Double) {
    clockFailures += 1
    guard clockFailures >= Self.mostFailures else { return }
    forget()
    failure = .clock
    latest = newTime
    latestUsed = newTime
    lastAttempt = newTime
    stateTime = -.infinity
    clockFailures = 0
  }

  mutating func reject(_ reason: MeasurementRejection) -> MeasurementOutcome {
    rejections[reason.rawValue] += 1
    return .rejected(reason)
  }

  private mutating func forget() {
    hasTrack = false
    failure = .startingUp
    window.removeAll()
    agreement = Agreement()
  }

  // MARK: Output

  /// Position at a time from the newest measurement on; earlier times count as that of the newest
  /// measurement.
  public func estimate(at time: Double? = nil) -> PositionEstimate {
    let time = max(time ?? latest, stateTime)
    var estimate = PositionEstimate(
      time: time, position: nil, velocity: nil, unavailable: failure, used: used, rejected: rejected,
      columns: (.zero, .zero, .zero))
    if clockFailures >= Self.doubtfulFailures {
      estimate.unavailable = .clock
      return estimate
    }
    guard hasTrack else { return estimate }
    var (position, columns) = state.predicted(after: min(time - stateTime, Self.longestGap))
    estimate.columns = stated(columns, age: time - trackStart)
    if let prior = options.heightPrior { prior.apply(to: &position, &estimate.columns) }
    estimate.unavailable = doubt(at: time, position, estimate)
    guard estimate.unavailable == nil else { return estimate }
    estimate.position = position
    estimate.velocity = state.velocity
    estimate.floor = table.storeys.storey(at: position.z, sigma: estimate.columns.2.z.squareRoot())
    return estimate
  }

  /// The covariance that is stated: the filter's, a floor for errors that never change, and more while the
  /// measurements disagree or the track is young: a first fix from few measurements can be wrong by a metre
  /// although they agree.
  private func stated(
    _ columns: InlineArray<3, SIMD3<Double>>, age: Double
  ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let scale = agreement.scale
    let youth = Self.youngSigma * Self.youngSigma * Maths.exp(-max(age, 0) / Self.youth)
    let floor = Self.floor * Self.floor + youth
    return (
      scale * columns[0] + SIMD3(floor, 0, 0), scale * columns[1] + SIMD3(0, floor, 0),
      scale * columns[2] + SIMD3(0, 0, floor)
    )
  }

  /// Error of a first fix, metres, and seconds in which the track outgrows it.
  private static let youngSigma = 0.8
  private static let youth = 0.7

  /// Standing error of any position, metres.
  static let floor = 0.05

  private func doubt(
    at time: Double, _ position: SIMD3<Double>, _ estimate: PositionEstimate
  ) -> PositionUnavailable? {
    if time - latestUsed > options.longestOutage { return .outage }
    if agreement.isBroken || !table.reaches(position) { return .inconsistent }
    guard estimate.positionSigma.max() <= options.largestSigma else { return .geometry }
    return nil
  }
}
