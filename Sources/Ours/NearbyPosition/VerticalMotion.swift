import NearbyMaths
import NearbyStateOctets

/// Derives the vertical acceleration of a body from its gyroscope and accelerometer, without its heading.
///
/// The gyroscope turns the body's upward direction; the accelerometer corrects it slowly. An axis across
/// gravity that vibrates strongly is ignored: on small aircraft such axes are wrong by metres per second
/// squared, while the upright axis is good to a few hundredths.
struct VerticalMotion: Sendable {
  /// m/s², at sea level at 45° latitude; the filter estimates the difference.
  private static let gravity = 9.806_65
  /// Seconds that are averaged for the first upward direction.
  private static let levelling = 0.3
  /// Seconds in which the accelerometer corrects the upward direction.
  private static let correction = 2.0
  /// Seconds of the mean that vibration is measured against, and of the vibration's own mean.
  private static let smoothing = 0.1
  private static let memory = 0.5
  /// Vibration from which an axis counts half, m/s².
  private static let vibration = 0.7
  /// A reading that is older than the newest one by this much restarts the clock, seconds.
  private static let longestReturn = 1.0
  /// Root mean square of the vertical acceleration from which it is not one of a tag, m/s².
  private static let wildest = 5.0
  /// Longest gap between readings, seconds.
  private static let longestGap = 0.1

  private var up = SIMD3<Double>(0, 0, 1)
  private var smooth = SIMD3<Double>.zero
  private var variance = SIMD3<Double>(repeating: 0.01)
  private var levelled = 0.0
  private(set) var latest = -Double.infinity
  private var sum = 0.0
  private var count = 0.0
  private var last: Double?
  private var square = 0.0
  private var distrusted = -Double.infinity

  /// Adds a reading; ignores one that is not finite, out of order or impossible.
  mutating func add(_ reading: InertialReading) {
    let (force, rate) = (reading.acceleration, reading.rotationRate)
    let isPossible = (force * force).sum() < 1e6 && (rate * rate).sum() < 1e4 && reading.time.isFinite
    let isLate = reading.time <= latest && latest - reading.time < Self.longestReturn
    guard isPossible, !isLate else { return }
    let interval = reading.time - latest
    latest = reading.time
    guard (0...Self.longestGap).contains(interval) else { return restart(force) }
    guard levelled < Self.levelling else { return follow(force, rate, interval) }
    levelled += interval
    smooth += (force - smooth) * min(1, interval / max(levelled, interval))
    up = smooth.normalised(or: SIMD3(0, 0, 1))
  }

  mutating func code(_ coder: inout StateCoder) {
    for vector in [\Self.up, \Self.smooth, \Self.variance] { coder.code(&self[keyPath: vector]) }
    for number in [\Self.levelled, \Self.latest, \Self.sum, \Self.count, \Self.square, \Self.distrusted] {
      coder.code(&self[keyPath: number])
    }
    coder.code(&last)
  }

  /// Ignores the readings until a time, because the position that they led to was wrong.
  mutating func distrust(until time: Double) { distrusted = time }

  private mutating func restart(_ force: SIMD3<Double>) {
    smooth = force
    levelled = 0
    variance = SIMD3(repeating: 0.01)
    (sum, count, last, square) = (0, 0, nil, 0)
  }

  private mutating func follow(_ force: SIMD3<Double>, _ rate: SIMD3<Double>, _ interval: Double) {
    up -= interval * rate.cross(up)
    smooth += (force - smooth) * min(1, interval / Self.smoothing)
    let away = force - smooth
    variance += (away * away - variance) * min(1, interval / Self.memory)
    let excess = variance / (Self.vibration * Self.vibration)
    var weights = 1 / (1 + excess * excess)
    weights[uprightAxis] = 1
    let trusted = force * weights
    up += (trusted.normalised(or: up) - up) * (interval / Self.correction)
    up = up.normalised(or: SIMD3(0, 0, 1))
    let lift = trusted.dot(up) - Self.gravity
    square += (min(lift * lift, 1000) - square) * min(1, interval / Self.memory)
    sum += lift
    count += 1
    last = lift
  }

  private var uprightAxis: Int {
    let size = SIMD3(up.x.magnitude, up.y.magnitude, up.z.magnitude)
    return size.z >= size.x && size.z >= size.y ? 2 : size.y >= size.x ? 1 : 0
  }

  /// The mean vertical acceleration since the last call, m/s², or the newest one if there was no reading in
  /// between; `nil` if the readings ended before `time`.
  mutating func takeLift(until time: Double) -> Double? {
    defer { (sum, count) = (0, 0) }
    let isUsable = time > distrusted && square < Self.wildest * Self.wildest
    guard (time - latest).magnitude <= Self.longestGap, isUsable, let last else { return nil }
    return count > 0 ? sum / count : last
  }
}
