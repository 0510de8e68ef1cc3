import NearbyEstimation
import NearbyMaths
import NearbyStateOctets

extension PositionSolver {
  /// How much larger than the anchors' distance a difference may be, metres.
  static let margin = 0.3
  /// Longest range, metres.
  static let longestRange = 10_000.0
  /// Weight below which a measurement counts as rejected.
  static let leastWeight = 0.02
  /// Deviation from which a measurement's weight falls, in standard deviations.
  static let robustness = 0.5

  func check(_ measurement: PositionMeasurement) -> Result<CheckedMeasurement, MeasurementRejection> {
    let sigma = measurement.sigma ?? options.measurementSigma
    let numbers = measurement.time.isFinite && measurement.metres.isFinite
    guard numbers, sigma > 0, sigma.isFinite else { return .failure(.notFinite) }
    let (from, to) =
      switch measurement.kind {
      case .difference(let from, let to): (Int?.some(from), to)
      case .range(let to): (Int?.none, to)
      }
    guard from != to else { return .failure(.sameAnchor) }
    guard let number = table.number(of: to) else { return .failure(.unknownAnchor) }
    var checked = CheckedMeasurement(
      time: measurement.time, from: nil, to: number, metres: measurement.metres, sigma: sigma)
    if let blocked = BlockedPathError.checked(measurement.blockedProbability) {
      checked.sigma = (sigma * sigma + BlockedPathError.variance(blocked)).squareRoot()
      if from == nil { checked.lengthening = BlockedPathError.lengthening(blocked) }
      // The square of a huge sigma is infinite.
      guard checked.sigma.isFinite else { return .failure(.notFinite) }
    }
    var longest = Self.longestRange
    var shortest = -Self.margin
    if let from {
      guard let other = table.number(of: from) else { return .failure(.unknownAnchor) }
      checked.from = other
      longest = (table.place(other) - table.place(number)).length + Self.margin
      shortest = -longest
    }
    guard (shortest...longest).contains(measurement.metres) else { return .failure(.impossible) }
    guard measurement.time >= latest else { return .failure(.outOfOrder) }
    return .success(checked)
  }

  // MARK: Start

  /// Tries to find a first position, more and more rarely, from a tenth of a second to half of one.
  mutating func start(at time: Double) {
    guard time - lastAttempt > attemptInterval else { return }
    let count = window.fresh(at: time)
    guard count >= 6 else { return }
    lastAttempt = time
    attemptInterval = min(0.5, 1.5 * attemptInterval)
    switch FirstFix(anchors: table, window: window, count: count, options: options).solve() {
    case .failed(let reason): failure = reason
    case .found(let place, let covariance):
      begin(at: time, place, covariance)
    }
  }

  private mutating func begin(
    at time: Double, _ place: SIMD3<Double>, _ covariance: InlineArray<3, SIMD3<Double>>
  ) {
    state.start(at: place, covariance)
    hasTrack = true
    attemptInterval = Self.firstInterval
    agreement = Agreement()
    trust.reset()
    stateTime = time
    latestUsed = time
    trackStart = time
  }

  // MARK: Track

  /// Longest step of the motion model, seconds.
  private static let longestStep = 0.1

  mutating func advance(to time: Double) {
    let lift = motion.takeLift(until: time)
    // Bounded: a gap is at most `longestGap`, or the track is dropped.
    while time - stateTime > 1e-9 {
      let step = min(time - stateTime, Self.longestStep)
      state.advance(by: step, lift: lift)
      stateTime = time - stateTime - step > 1e-9 ? stateTime + step : time
    }
  }

  /// Corrects the state by a measurement, weighted by its deviation as in Cauchy's distribution.
  mutating func fuse(_ measurement: CheckedMeasurement) -> MeasurementOutcome {
    guard trust.trusts(measurement) else { return test(measurement) }
    let plus = slot(of: measurement.to)
    let minus = measurement.from.map { slot(of: $0) }
    let (metres, direction) = measurement.expected(at: state.position, table)
    let gradient = MotionState.Gradient(position: direction, plus: plus, minus: minus)
    var residual = measurement.metres - metres - state.bias(gradient) + lift() * direction.z
    // An obstacle only lengthens: at most the part of the range beyond the track is put down to it.
    residual -= min(measurement.lengthening, max(0, residual))
    let (covariance, variance) = state.spread(gradient)
    let noise = measurement.sigma * measurement.sigma
    let square = residual * residual / (variance + noise)
    agreement.add(square, at: measurement.time)
    trust.add(square, of: measurement)
    let weight = 1 / (1 + square / (Self.robustness * Self.robustness))
    if agreement.isSuspect { reconsider(at: measurement.time) }
    guard weight >= Self.leastWeight else { return reject(.disagrees) }
    state.correct(residual: residual, covariance: covariance, variance: variance + noise / weight)
    limitHeight()
    used += 1
    latestUsed = measurement.time
    return .used(weight: weight)
  }

  /// Time for which a lift counts, seconds.
  private static let liftInterval = 0.25

  /// The lift of the learned biases at the present position, metres; computed now and then.
  private mutating func lift() -> Double {
    guard table.hasBiases else { return 0 }
    if (stateTime - liftTime).magnitude > Self.liftInterval {
      liftTime = stateTime
      biasLift = table.lift(at: state.position)
    }
    return biasLift
  }

  /// Compares a measurement of an anchor that is not trusted with the track, so that it can be trusted again.
  private mutating func test(_ measurement: CheckedMeasurement) -> MeasurementOutcome {
    let (metres, direction) = measurement.expected(at: state.position, table)
    let spread = state.spread(MotionState.Gradient(position: direction)).variance
    let noise = measurement.sigma * measurement.sigma + 2 * options.biasSigma * options.biasSigma
    let residual = measurement.metres - metres
    trust.add(residual * residual / (spread + noise), of: measurement)
    return reject(.disagrees)
  }

  /// The slot of an anchor's error; an anchor that is new takes that of the one not heard for longest.
  private mutating func slot(of anchor: Int) -> Int {
    if let slot = slots.slot(of: anchor) { return slot }
    let slot = slots.admit(anchor)
    let survey = table.anchors[anchor].surveySigma
    state.assign(slot: slot, variance: options.biasSigma * options.biasSigma + survey * survey)
    return slot
  }

  /// Moves a height that is out of bounds to the nearer one. That measured nothing, so the covariance stays.
  private mutating func limitHeight() {
    guard let heights = options.heights, !heights.contains(state.position.z) else { return }
    let bound = state.position.z < heights.lowerBound ? heights.lowerBound : heights.upperBound
    let (covariance, variance) = state.spread(MotionState.Gradient(position: SIMD3(0, 0, 1)))
    state.move(residual: bound - state.position.z, covariance: covariance, variance: variance)
  }

  /// Seconds for which inertial readings are ignored after the track failed.
  private static let distrust = 5.0

  /// Replaces a track that the measurements contradict, if they agree on another place.
  private mutating func reconsider(at time: Double) {
    guard time - lastAttempt > 1 else { return }
    motion.distrust(until: time + Self.distrust)
    lastAttempt = time
    let count = window.fresh(at: time)
    guard count >= 12 else { return }
    let fix = FirstFix(anchors: table, window: window, count: count, options: options).solve()
    guard case .found(let place, let covariance) = fix, (place - state.position).length > 1 else { return }
    begin(at: time, place, covariance)
  }
}

extension MeasurementRejection: Error {}

/// Which anchors' errors are states of the filter.
struct AnchorSlots: Sendable {
  private var slotOfAnchor: [Int8]
  private var anchors = InlineArray<9, Int>(repeating: -1)
  private var heard = InlineArray<9, UInt64>(repeating: 0)
  private var clock: UInt64 = 0

  init(anchors count: Int) { slotOfAnchor = Array(repeating: -1, count: count) }

  mutating func code(_ coder: inout StateCoder) {
    let count = slotOfAnchor.count
    for slot in anchors.indices {
      coder.code(&anchors[slot], in: -1...(count - 1))
      coder.code(&heard[slot])
    }
    coder.code(&clock)
    guard coder.isReading, !coder.isBroken else { return }
    slotOfAnchor = Array(repeating: -1, count: count)
    for slot in anchors.indices where anchors[slot] >= 0 {
      // Bounded: a slot, 0 to 8.
      slotOfAnchor[anchors[slot]] = Int8(slot)
    }
  }

  /// The slot of an anchor, which counts as heard.
  mutating func slot(of anchor: Int) -> Int? {
    let slot = Int(slotOfAnchor[anchor])
    guard slot >= 0 else { return nil }
    clock &+= 1
    heard[slot] = clock
    return slot
  }

  /// Gives the slot of the anchor that was not heard for longest to another.
  mutating func admit(_ anchor: Int) -> Int {
    var oldest = 0
    for slot in 1..<MotionState.slots where heard[slot] < heard[oldest] { oldest = slot }
    if anchors[oldest] >= 0 { slotOfAnchor[anchors[oldest]] = -1 }
    anchors[oldest] = anchor
    // Bounded: a slot, 0 to 8.
    slotOfAnchor[anchor] = Int8(oldest)
    clock &+= 1
    heard[oldest] = clock
    return oldest
  }
}

/// How well the measurements of the last seconds agree with the track.
struct Agreement: Sendable {
  /// Mean square of the deviations, in expected variances, each limited to `limit`.
  private(set) var square = 0.5
  private var latest: Double?
  /// Mean interval between measurements, seconds. Those of one round come together, and each of them counts alike.
  private var pace = 0.005
  private static let limit = 16.0
  /// Measurements over which the interval is averaged.
  private static let paceMemory = 16.0
  /// Seconds that are averaged.
  private static let memory = 1.0
  /// Mean square while everything is as usual.
  private static let usual = 0.6
  /// Mean square from which the track is probably wrong, as it is near a floor along which signals arrive
  /// late; rare elsewhere.
  private static let unusual = 2.5

  mutating func code(_ coder: inout StateCoder) {
    coder.code(finite: &square)
    coder.code(&latest)
    coder.code(finite: &pace)
    coder.require((0...1).contains(pace))
  }

  mutating func add(_ deviation: Double, at time: Double) {
    let interval = min(max(time - (latest ?? time), 0.001), 0.2)
    latest = time
    pace += (interval - pace) / Self.paceMemory
    square += (min(deviation, Self.limit) - square) * pace / Self.memory
  }

  /// Factor for the stated variances, 1 or more.
  var scale: Double {
    let excess = max(1, square / Self.unusual)
    return max(1, square / Self.usual) * excess * excess
  }
  /// Whether another place may explain the measurements better.
  var isSuspect: Bool { square > 4 }
  /// Whether the track explains practically nothing.
  var isBroken: Bool { square > 6.5 }
}
