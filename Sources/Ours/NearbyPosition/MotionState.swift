import NearbyMaths
import NearbyStateOctets

/// A Kalman filter of a tag's position, velocity and vertical accelerometer error, and of the errors that up
/// to nine anchors' measurements share.
///
/// An anchor's error (antenna, echoes, a blocked path) lasts for about a second. A filter that takes it for
/// noise claims centimetres and is wrong by decimetres; as a state it is averaged no faster than it changes,
/// so that the covariance is honest.
///
/// The state is one vector of sixteen numbers: position, velocity, accelerometer error, nine anchor errors.
struct MotionState: Sendable {
  static let slots = 9
  private static let accelerometer = 6
  private static let firstSlot = 7

  private(set) var mean = SIMD16<Double>.zero
  /// The covariance: symmetric, sixteen rows, allocated once.
  private var rows = [SIMD16<Double>](repeating: .zero, count: 16)
  /// Stationary variances of the anchors' errors, m².
  private var slotVariances = SIMD16<Double>.zero
  private let options: PositionOptions

  /// Standard deviation, m/s², and lifetime, s, of the vertical accelerometer's error.
  private static let accelerometerSigma = 0.06
  private static let accelerometerTime = 100.0
  /// Random walk of the vertical velocity with an accelerometer, m/s per √s.
  private static let verticalNoise = 0.2

  init(_ options: PositionOptions) { self.options = options }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&mean)
    for index in rows.indices { coder.code(&rows[index]) }
    coder.code(&slotVariances)
  }

  var position: SIMD3<Double> { SIMD3(mean[0], mean[1], mean[2]) }
  var velocity: SIMD3<Double> { SIMD3(mean[3], mean[4], mean[5]) }

  /// Starts at a position at rest, with its covariance's columns, m².
  mutating func start(at position: SIMD3<Double>, _ covariance: InlineArray<3, SIMD3<Double>>) {
    mean = .zero
    for index in 0..<16 { rows[index] = .zero }
    for axis in 0..<3 {
      mean[axis] = position[axis]
      for other in 0..<3 { rows[axis][other] = covariance[axis][other] }
      rows[axis + 3][axis + 3] = options.speed * options.speed
    }
    rows[Self.accelerometer][Self.accelerometer] = Self.accelerometerSigma * Self.accelerometerSigma
    for index in Self.firstSlot..<16 { rows[index][index] = slotVariances[index] }
  }

  /// Gives a slot to another anchor, whose error is unknown.
  mutating func assign(slot: Int, variance: Double) {
    let index = Self.firstSlot + slot
    for row in 0..<16 { rows[row][index] = 0 }
    rows[index] = .zero
    rows[index][index] = variance
    slotVariances[index] = variance
    mean[index] = 0
  }

  // MARK: Time

  /// Advances by `interval` seconds, at most about 0.1.
  ///
  /// - Parameter lift: Measured vertical acceleration, m/s²; `nil` without an accelerometer.
  mutating func advance(by interval: Double, lift: Double?) {
    let decay = decay(by: interval, keepsLift: lift != nil)
    for axis in 0..<3 { mean[axis] += interval * mean[axis + 3] }
    mean *= decay
    if let lift {
      let corrected = lift - mean[Self.accelerometer]
      mean[2] += 0.5 * corrected * interval * interval
      mean[5] += corrected * interval
    }
    for axis in 0..<3 { rows[axis] += interval * rows[axis + 3] }
    if lift != nil { rows[5] -= interval * rows[Self.accelerometer] }
    for index in 0..<16 {
      var row = rows[index]
      row[0] += interval * row[3]
      row[1] += interval * row[4]
      row[2] += interval * row[5]
      if lift != nil { row[5] -= interval * row[Self.accelerometer] }
      rows[index] = row * decay * decay[index]
    }
    addNoise(interval, decay, hasLift: lift != nil)
  }

  /// The share of each state that remains after an interval.
  private func decay(by interval: Double, keepsLift: Bool) -> SIMD16<Double> {
    let bias = Maths.exp(-interval / options.biasTime)
    let motion = Maths.exp(-interval / options.motionTime)
    var decay = SIMD16<Double>(repeating: bias)
    for axis in 0..<3 {
      decay[axis] = 1
      decay[axis + 3] = motion
    }
    if keepsLift { decay[5] = 1 }
    decay[Self.accelerometer] = 1 - min(1, interval / Self.accelerometerTime)
    return decay
  }

  /// Adds what each state gains in uncertainty: what decayed returns as noise, so that the variances are
  /// stationary.
  private mutating func addNoise(_ interval: Double, _ decay: SIMD16<Double>, hasLift: Bool) {
    var stationary = slotVariances
    let speed = options.speed * options.speed
    stationary[3] = speed
    stationary[4] = speed
    stationary[5] = speed
    stationary[Self.accelerometer] = Self.accelerometerSigma * Self.accelerometerSigma
    var noise = stationary * (1 - decay * decay)
    if hasLift { noise[5] = Self.verticalNoise * Self.verticalNoise * interval }
    for index in 3..<16 { rows[index][index] += noise[index] }
  }

  // MARK: Measurements

  /// A measurement's derivatives: by the position, and by the errors of one or two anchors' slots.
  struct Gradient {
    var position: SIMD3<Double>
    var plus: Int?
    var minus: Int?
  }

  /// The sum of the states' errors in a measurement, metres.
  func bias(_ gradient: Gradient) -> Double {
    (gradient.plus.map { mean[Self.firstSlot + $0] } ?? 0)
      - (gradient.minus.map { mean[Self.firstSlot + $0] } ?? 0)
  }

  /// Covariance of the state with a measurement, and the measurement's own variance, m².
  func spread(_ gradient: Gradient) -> (covariance: SIMD16<Double>, variance: Double) {
    var across = gradient.position.x * rows[0] + gradient.position.y * rows[1]
    across += gradient.position.z * rows[2]
    if let plus = gradient.plus { across += rows[Self.firstSlot + plus] }
    if let minus = gradient.minus { across -= rows[Self.firstSlot + minus] }
    var variance = (gradient.position * SIMD3(across[0], across[1], across[2])).sum()
    if let plus = gradient.plus { variance += across[Self.firstSlot + plus] }
    if let minus = gradient.minus { variance -= across[Self.firstSlot + minus] }
    return (across, max(variance, 0))
  }

  /// Corrects the state by a measurement.
  ///
  /// - Parameters:
  ///   - residual: Measured minus expected, metres.
  ///   - covariance: From `spread`.
  ///   - variance: That of the residual, m², positive.
  mutating func correct(residual: Double, covariance: SIMD16<Double>, variance: Double) {
    let gain = covariance / variance
    mean += gain * residual
    for index in 0..<16 { rows[index] -= gain[index] * covariance }
    // Rounding must not make a variance negative.
    for index in 0..<16 where rows[index][index] < 1e-10 { rows[index][index] = 1e-10 }
  }

  /// Moves the mean as `correct` does, without becoming more certain.
  mutating func move(residual: Double, covariance: SIMD16<Double>, variance: Double) {
    guard variance > 0 else { return }
    mean += covariance / variance * residual
  }

  // MARK: Results

  /// Position after `interval` seconds, and the columns of its covariance, m².
  func predicted(after interval: Double) -> (
    position: SIMD3<Double>, columns: InlineArray<3, SIMD3<Double>>
  ) {
    var columns = InlineArray<3, SIMD3<Double>>(repeating: .zero)
    for axis in 0..<3 {
      for other in 0..<3 {
        let along = rows[axis][other] + interval * (rows[axis][other + 3] + rows[axis + 3][other])
        columns[axis][other] = along + interval * interval * rows[axis + 3][other + 3]
      }
    }
    return (position + interval * velocity, columns)
  }
}
