/// How far the device has moved in each direction: what the geometry can tell at all.
struct MotionSpread: Equatable, Sendable {
  var mean = SIMD3<Double>.zero
  /// Principal axes, longest first, unit vectors.
  var axes = (SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1))
  /// Standard deviation along the longest way, metres.
  var length = 0.0
  /// Standard deviation across the main line of the horizontal motion, metres; and of the height.
  var horizontalWidth = 0.0
  var height = 0.0
  private var scatter = SIMD8<Double>.zero

  static func == (a: Self, b: Self) -> Bool {
    a.mean == b.mean && a.axes == b.axes && a.length == b.length
      && a.horizontalWidth == b.horizontalWidth && a.height == b.height
  }

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

  /// Finds the principal axes by Jacobi's rotations: four sweeps leave nothing that matters.
  mutating func findAxes() {
    let c = scatter
    var a = [SIMD3(c[0], c[1], c[2]), SIMD3(c[1], c[3], c[4]), SIMD3(c[2], c[4], c[5])]
    var v = [SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1)]
    for _ in 0..<4 {
      for (p, q) in [(0, 1), (0, 2), (1, 2)] where abs(a[p][q]) > 1e-15 {
        let theta = 0.5 * Maths.atan2(2 * a[p][q], a[p][p] - a[q][q])
        let (s, co) = (Maths.sin(theta), Maths.cos(theta))
        for k in 0..<3 {
          let (x, y) = (a[k][p], a[k][q])
          a[k][p] = co * x + s * y
          a[k][q] = co * y - s * x
        }
        (a[p], a[q]) = (co * a[p] + s * a[q], co * a[q] - s * a[p])
        (v[p], v[q]) = (co * v[p] + s * v[q], co * v[q] - s * v[p])
      }
    }
    let order = [0, 1, 2].sorted { a[$0][$0] > a[$1][$1] }
    axes = (v[order[0]], v[order[1]], v[order[2]])
  }
}
