/// How far the device has moved in each direction, which decides what the geometry can show.
struct MotionSpread: Equatable, Sendable {
  var mean = SIMD3<Double>.zero
  /// Principal axes, longest first; unit vectors.
  var axes = (SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1))
  /// Largest standard deviation of the motion, along its main horizontal line or in height, metres.
  var length = 0.0
  /// Standard deviation across the main line of the horizontal motion, and of the height, metres.
  var horizontalWidth = 0.0
  var height = 0.0
  private var scatter = SIMD8<Double>.zero

  static func == (a: Self, b: Self) -> Bool {
    a.mean == b.mean && a.axes == b.axes && a.length == b.length
      && a.horizontalWidth == b.horizontalWidth && a.height == b.height
  }

  /// Computes mean and spread of the constraints' positions.
  mutating func measure(_ frames: [RangeKeyframe]) {
    guard !frames.isEmpty else { return }
    var sum = SIMD3<Double>.zero
    for frame in frames { sum += frame.position }
    mean = sum / Double(frames.count)
    var c = SIMD8<Double>.zero
    for frame in frames {
      let d = frame.position - mean
      c += SIMD8(d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z, 0, 0)
    }
    c /= Double(frames.count)
    let half = (c[0] + c[3]) / 2
    let root = ((c[0] - c[3]) * (c[0] - c[3]) / 4 + c[1] * c[1]).squareRoot()
    horizontalWidth = max(0, half - root).squareRoot()
    height = c[5].squareRoot()
    scatter = c
    length = max(max(0, half + root).squareRoot(), height)
  }

  /// Standard deviation of the positions along a unit vector, metres.
  func deviation(along u: SIMD3<Double>) -> Double {
    let c = scatter
    let across = c[1] * u.x * u.y + c[2] * u.x * u.z + c[4] * u.y * u.z
    return max(0, c[0] * u.x * u.x + c[3] * u.y * u.y + c[5] * u.z * u.z + 2 * across).squareRoot()
  }

  /// Computes the principal axes by power iteration.
  mutating func findAxes() {
    let c = scatter
    let trace = max(c[0] + c[3] + c[5], 1e-12)
    // The shortest axis of `c` is the longest one of `trace − c`.
    let short = Self.longest(SIMD8(trace - c[0], -c[1], -c[2], trace - c[3], -c[4], trace - c[5], 0, 0))
    var long = Self.longest(c)
    long -= (long * short).sum() * short
    let length = (long * long).sum().squareRoot()
    let fallback = abs(short.z) < 0.9 ? SIMD3(0.0, 0, 1) : SIMD3(1.0, 0, 0)
    long = length > 1e-6 ? long / length : Self.unit(Self.cross(short, fallback))
    axes = (long, Self.cross(short, long), short)
  }

  /// The direction in which a symmetric matrix stretches most, from its powers by repeated squaring.
  private static func longest(_ matrix: SIMD8<Double>) -> SIMD3<Double> {
    var m = matrix
    for _ in 0..<8 {
      m /= max(m[0] + m[3] + m[5], 1e-300)
      m = SIMD8(
        m[0] * m[0] + m[1] * m[1] + m[2] * m[2], m[0] * m[1] + m[1] * m[3] + m[2] * m[4],
        m[0] * m[2] + m[1] * m[4] + m[2] * m[5], m[1] * m[1] + m[3] * m[3] + m[4] * m[4],
        m[1] * m[2] + m[3] * m[4] + m[4] * m[5], m[2] * m[2] + m[4] * m[4] + m[5] * m[5], 0, 0)
    }
    let columns = (SIMD3(m[0], m[1], m[2]), SIMD3(m[1], m[3], m[4]), SIMD3(m[2], m[4], m[5]))
    if m[0] >= m[3], m[0] >= m[5] { return unit(columns.0) }
    return unit(m[3] >= m[5] ? columns.1 : columns.2)
  }

  private static func unit(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let length = (v * v).sum().squareRoot()
    return length > 1e-150 ? v / length : SIMD3(0, 0, 1)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
