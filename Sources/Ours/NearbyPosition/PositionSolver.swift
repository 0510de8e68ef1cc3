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
/// it. After an outage of five seconds it starts again.
///
/// **Invariants:** time never runs backwards; variances are positive. Cost and memory per measurement are
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
  var failure = PositionUnavailable.startingUp
  /// Measurements that were used, including those of the first fix.
  public internal(set) var used = 0
  var rejections = InlineArray<7, Int>(repeating: 0)

  /// Least time between the first two attempts at a first position, seconds.
  static let firstInterval = 0.1
  /// Gap after which the track is dropped, seconds.
  static let longestGap = 5.0

  /// - Throws: `PositionError` if the anchors can't be used.
  public init(
    anchors: [PositionAnchor], options: PositionOptions = PositionOptions()
  ) throws(PositionError) {
    table = try AnchorTable(anchors, heights: options.heights)
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
    case .failure(let reason): return reject(reason)
    }
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
    guard hasTrack else { return estimate }
    let (position, columns) = state.predicted(after: min(time - stateTime, Self.longestGap))
    estimate.columns = stated(columns)
    estimate.unavailable = doubt(at: time, position, estimate)
    guard estimate.unavailable == nil else { return estimate }
    estimate.position = position
    estimate.velocity = state.velocity
    return estimate
  }

  /// The covariance that is stated: the filter's, a floor for errors that never change, and more while the
  /// measurements disagree.
  private func stated(
    _ columns: InlineArray<3, SIMD3<Double>>
  ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let scale = agreement.scale
    let floor = Self.floor * Self.floor
    return (
      scale * columns[0] + SIMD3(floor, 0, 0), scale * columns[1] + SIMD3(0, floor, 0),
      scale * columns[2] + SIMD3(0, 0, floor)
    )
  }

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
