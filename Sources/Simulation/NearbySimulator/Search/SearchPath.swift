import NearbyMaths
import NearbySchedule

/// The device's path in a synthetic search: smooth functions of time, so it can be evaluated at any time.
struct SearchPath {
  private let motion: SearchGround.Motion
  private let speed: Double
  private let extent: Double
  /// Three waves per axis: amplitude share, angular frequency share, phase.
  private var waves: [SIMD3<Double>] = []
  private let heading: Double
  private let height: Double

  init(_ ground: SearchGround, seed: UInt64) {
    var random = NoiseStream(seed: seed, 12)
    motion = ground.motion
    speed = ground.speed
    extent = ground.extent
    heading = 2 * .pi * random.uniform()
    height = 1 + 0.6 * random.uniform()
    for _ in 0..<9 {
      waves.append(SIMD3(0.5 + random.uniform(), 0.4 + 1.2 * random.uniform(), 2 * .pi * random.uniform()))
    }
  }

  /// Position relative to the centre of motion, metres, and world from device (x, y, z, w).
  func pose(at time: Double) -> (place: SIMD3<Double>, turn: SIMD4<Double>) {
    // Chosen: a hand that trembles by 4 mm, and turns by up to 0.7 rad about its course.
    let tremble = 0.004 * SIMD3(wave(0, 9 * time), wave(1, 8 * time), wave(2, 7 * time))
    let course = heading + 0.7 * wave(1, 0.5 * time)
    let pitch = 0.1 * wave(2, time)
    let upright = SearchGround.product(
      SearchGround.yaw(course), SIMD4(0, Maths.sin(pitch), 0, Maths.cos(pitch)))
    // A phone held upright: −z points ahead, +y up, +x to the right.
    let turn = SearchGround.product(upright, SIMD4(0.5, -0.5, -0.5, 0.5))
    return (tremble + place(at: time), turn)
  }

  private func place(at time: Double) -> SIMD3<Double> {
    let phase = speed * time / extent
    let along = SIMD3(Maths.cos(heading), Maths.sin(heading), 0)
    switch motion {
    case .still: return .zero
    case .vertical: return SIMD3(0, 0, 0.6 * wave(0, speed * time / 0.6))
    case .line: return extent * Maths.sin(phase + heading) * along
    case .circle:
      return SIMD3(
        extent * Maths.cos(phase + heading), extent * Maths.sin(phase + heading), 0.04 * wave(2, time))
    case .planar: return SIMD3(extent * wave(0, phase), extent * wave(1, phase), 0.04 * wave(2, 2 * time))
    case .dive:
      return SIMD3(extent * wave(0, phase), extent * wave(1, phase), height * wave(2, speed * time / height))
    case .sweep: return swept(time)
    }
  }

  /// An arm's swing of 0.35 m with 0.15 m of height, carried over the ground at half the speed.
  private func swept(_ time: Double) -> SIMD3<Double> {
    let phase = 0.5 * speed * time / extent
    // Chosen: about one swing of the arm in 4 s.
    let swing = 1.6 * time
    return SIMD3(extent * wave(0, phase), extent * wave(1, phase), 0)
      + SIMD3(
        0.35 * Maths.sin(swing) * Maths.sin(heading), -0.35 * Maths.sin(swing) * Maths.cos(heading),
        0.15 * Maths.sin(0.7 * swing) + 0.02 * Maths.sin(11 * time))
  }

  /// A sum of three sines with an amplitude of about 1.
  private func wave(_ axis: Int, _ phase: Double) -> Double {
    var (sum, total) = (0.0, 0.0)
    for part in waves[(3 * axis)..<(3 * axis + 3)] {
      sum += part.x * Maths.sin(part.y * phase + part.z)
      total += part.x
    }
    return sum / total * 1.5
  }
}
