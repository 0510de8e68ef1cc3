import Foundation
import NearbyPosition
import NearbySchedule

/// A tag that circles among eight anchors in a room and measures differences or ranges: noise, errors that an
/// anchor's measurements share for a second, and wild values.
struct SimulatedTag {
  static let anchors: [PositionAnchor] = [
    (-4.0, -4.0, 0.2), (-4, 4, 3), (4, 4, 0.2), (4, -4, 3), (-4, -4, 3), (4, -4, 0.2), (4, 4, 3),
    (-4, 4, 0.2),
  ].enumerated().map {
    PositionAnchor(id: 100 + $0.offset, position: SIMD3($0.element.0, $0.element.1, $0.element.2))
  }

  /// Standard deviations, metres.
  var noise = 0.08
  var bias = 0.1
  /// Share of wild values.
  var wild = 0.03
  /// m/s along the circle.
  var speed = 0.8
  /// Metres.
  var radius = 2.0
  /// Measurements a second.
  var rate = 200.0
  /// Where the anchors really are, if not where the solver believes.
  var places = Self.anchors.map(\.position)
  /// Constant error of each anchor's measurements, metres.
  var offsets = [Double](repeating: 0, count: 8)

  private var random: NoiseStream
  private var uniform: SplitMix64
  private var biases: [Double]
  private(set) var time = 0.0

  init(seed: UInt64) {
    random = NoiseStream(seed: seed)
    uniform = SplitMix64(keys: seed, 1)
    biases = []
    for _ in 0..<8 { biases.append(bias * random.normal()) }
  }

  func position(at time: Double) -> SIMD3<Double> {
    guard radius > 0 else { return SIMD3(0.7, -0.4, 1.3) }
    let angle = speed * time / radius
    return SIMD3(radius * cos(angle), radius * sin(angle), 1.4 + 0.4 * sin(0.5 * angle))
  }

  private mutating func step() {
    time += 1 / rate
    let decay = exp(-1 / rate)
    let noise = bias * (1 - decay * decay).squareRoot()
    for index in biases.indices { biases[index] = biases[index] * decay + noise * random.normal() }
  }

  private func distance(_ anchor: Int) -> Double {
    let across = position(at: time) - places[anchor]
    return (across * across).sum().squareRoot() + biases[anchor] + offsets[anchor]
  }

  mutating func difference(anchors: Int = 8) -> PositionMeasurement {
    step()
    let from = Int(uniform.next() % UInt64(anchors))
    let to = (from + 1 + Int(uniform.next() % UInt64(anchors - 1))) % anchors
    var metres = distance(to) - distance(from) + noise * random.normal()
    if uniform.uniform() < wild { metres += 40 * (uniform.uniform() - 0.5) }
    return PositionMeasurement(
      time: time, kind: .difference(from: 100 + from, to: 100 + to), metres: metres)
  }

  mutating func range(anchors: Int = 8) -> PositionMeasurement {
    step()
    let to = Int(uniform.next() % UInt64(anchors))
    return PositionMeasurement(
      time: time, kind: .range(to: 100 + to), metres: distance(to) + noise * random.normal())
  }
}

/// Errors of the estimates after a start of five seconds.
struct ErrorTally {
  var squares = SIMD3<Double>.zero
  var normalised = 0.0
  var count = 0.0
  /// Estimates that were off by more than three stated standard deviations and a metre.
  var wrong = 0
  var missing = 0

  mutating func add(_ estimate: PositionEstimate, _ truth: SIMD3<Double>) {
    guard let position = estimate.position else { return missing += 1 }
    let error = position - truth
    squares += error * error
    normalised += (error * error / (estimate.positionSigma * estimate.positionSigma)).sum() / 3
    count += 1
    let length = (error * error).sum().squareRoot()
    if length > 1, length > 3 * estimate.positionSigma.max() { wrong += 1 }
  }

  var rmse: Double { (squares.sum() / count).squareRoot() }
  var meanNormalised: Double { normalised / count }
}
