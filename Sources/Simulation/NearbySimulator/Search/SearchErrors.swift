import NearbyMaths
import NearbySchedule

/// The range and angle errors of the radio in a synthetic search.
struct SearchErrors {
  private let radio: SearchGround.RadioErrors
  private var random: NoiseStream
  private var echo: Double
  private var place: SIMD3<Double>?
  private var isBlocked = false
  private var before = 0.0

  init(_ radio: SearchGround.RadioErrors, seed: UInt64) {
    self.radio = radio
    random = NoiseStream(seed: seed, 13)
    echo = radio.echo * random.normal()
  }

  /// The error of the next range, metres.
  mutating func error(at position: SIMD3<Double>, distance: Double, seconds: Double) -> Double {
    // Echoes depend on the place, so the process runs over distance travelled, not over time.
    let way = place.map { (position - $0).length } ?? 0
    place = position
    let keep = Maths.exp(-way / radio.correlation)
    echo = keep * echo + radio.echo * (1 - keep * keep).squareRoot() * random.normal()
    block(for: seconds - before)
    before = seconds
    // Chosen: the curve is 0 at 5 m, and the half metre keeps it finite at 0.
    var error = radio.bias + radio.curve * Maths.log((distance + 0.5) / 5.5)
    error += echo + radio.noise * random.normal()
    if isBlocked { error += radio.blockedDelay * (0.7 + 0.6 * random.uniform()) }
    let lot = random.uniform()
    let length = radio.outlierLength * random.uniform()
    if lot < radio.outliers {
      // One outlier in five is too short; the range stays positive.
      error = lot < 0.2 * radio.outliers ? -min(length, 0.8 * distance) : length
    }
    return error
  }

  /// The array's azimuth and elevation for a direction in the device frame, rad; `nil` if it is out of sight.
  mutating func angles(to direction: SIMD3<Double>) -> SIMD2<Double>? {
    guard radio.angleSigma > 0 else { return nil }
    let level = (direction.x * direction.x + direction.z * direction.z).squareRoot()
    let azimuth = Maths.atan2(direction.x, -direction.z)
    let elevation = Maths.atan2(direction.y, level)
    let noise = SIMD2(random.normal(), random.normal()) * radio.angleSigma
    guard !isBlocked, abs(azimuth) < .pi / 3, abs(elevation) < .pi / 3 else { return nil }
    return SIMD2(azimuth, elevation) + noise
  }

  /// Starts and ends stays behind walls at random.
  private mutating func block(for interval: Double) {
    let ends = 1 - Maths.exp(-interval / radio.blockedSeconds)
    let begins =
      1 - Maths.exp(-interval * radio.blocked / max(1e-9, 1 - radio.blocked) / radio.blockedSeconds)
    let lot = random.uniform()
    isBlocked = isBlocked ? lot >= ends : lot < begins
  }
}

/// The visual-inertial tracker in a synthetic search.
struct SearchTracker {
  private let drift: SearchGround.Drift
  private var random: NoiseStream
  private var before: SIMD3<Double>?
  private var time = 0.0
  private(set) var position = SIMD3<Double>.zero
  private(set) var yaw = 0.0

  init(_ drift: SearchGround.Drift, seed: UInt64) {
    self.drift = drift
    random = NoiseStream(seed: seed, 14)
  }

  /// Advances the tracked position and yaw to the device's true position at `seconds`.
  mutating func move(to place: SIMD3<Double>, at seconds: Double) {
    let interval = seconds - time
    time = seconds
    yaw += drift.yawRate * interval + drift.yawWalk * interval.squareRoot() * random.normal()
    let step = place - (before ?? .zero)
    before = place
    let noise = SIMD3(random.normal(), random.normal(), random.normal())
    position += SearchGround.turned(step, by: SearchGround.yaw(yaw)) / (1 + drift.scale)
    position += drift.positionWalk * step.length.squareRoot() * noise
  }
}
