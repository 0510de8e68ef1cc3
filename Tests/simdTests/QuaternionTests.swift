import Testing
import simd

@Suite("Quaternions")
struct QuaternionTests {
  let aboutZ = simd_quatd(angle: .pi / 2, axis: SIMD3(0, 0, 1))
  let aboutX = simd_quatd(angle: .pi / 2, axis: SIMD3(1, 0, 0))

  @Test("The vector has the imaginary part first, then the real part")
  func lanes() {
    var q = simd_quatf(ix: 1, iy: 2, iz: 3, r: 4)
    #expect(q.vector == SIMD4(1, 2, 3, 4))
    #expect(q.real == 4)
    #expect(q.imag == SIMD3(1, 2, 3))
    #expect(q == simd_quatf(real: 4, imag: SIMD3(1, 2, 3)))
    #expect(q == simd_quatf(vector: SIMD4(1, 2, 3, 4)))
    #expect(q == simd_quaternion(1, 2, 3, 4))
    #expect(q == simd_quaternion(SIMD4<Float>(1, 2, 3, 4)))
    q.real = 5
    q.imag = SIMD3(6, 7, 8)
    #expect(q.vector == SIMD4(6, 7, 8, 5))
    #expect(simd_quatf().vector == .zero)
    #expect("\(q)" == "simd_quatf(real: 5.0, imag: SIMD3<Float>(6.0, 7.0, 8.0))")
  }

  @Test("A quarter turn about z maps x to y")
  func quarterTurn() {
    #expect(distance(aboutZ.act(SIMD3(1, 0, 0)), SIMD3(0, 1, 0)) < 1e-15)
    #expect(distance(simd_act(aboutX, SIMD3(0, 1, 0)), SIMD3(0, 0, 1)) < 1e-15)
    #expect(abs(aboutZ.angle - .pi / 2) < 1e-15)
    #expect(distance(aboutZ.axis, SIMD3(0, 0, 1)) < 1e-15)
    #expect(simd_angle(aboutZ) == aboutZ.angle)
    #expect(simd_axis(aboutZ) == aboutZ.axis)
    #expect(simd_quaternion(.pi / 2, SIMD3<Double>(0, 0, 1)) == aboutZ)
  }

  @Test("Angle and axis do not depend on a quaternion's length; the identity has no axis")
  func angleOfScaled() {
    #expect(abs((3 * aboutZ).angle - .pi / 2) < 1e-15)
    let identity = simd_quatf(real: 1, imag: .zero)
    #expect(identity.angle == 0)
    #expect(identity.axis.x.isNaN)
  }

  @Test("A product applies its right-hand factor first")
  func order() {
    let point = SIMD3<Double>(0, 1, 0)
    #expect(distance((aboutX * aboutZ).act(point), aboutX.act(aboutZ.act(point))) < 1e-15)
    #expect(distance((aboutX * aboutZ).act(point), SIMD3(-1, 0, 0)) < 1e-15)
    #expect(distance((aboutZ * aboutX).act(point), SIMD3(0, 0, 1)) < 1e-15)
    var changed = aboutX
    changed *= aboutZ
    #expect(changed == simd_mul(aboutX, aboutZ))
    let (i, j) = (simd_quatf(ix: 1, iy: 0, iz: 0, r: 0), simd_quatf(ix: 0, iy: 1, iz: 0, r: 0))
    #expect(i * j == simd_quatf(ix: 0, iy: 0, iz: 1, r: 0))
    #expect(j * i == simd_quatf(ix: 0, iy: 0, iz: -1, r: 0))
  }

  @Test("Arithmetic matches values calculated by hand")
  func arithmetic() {
    let p = simd_quatf(ix: 1, iy: 2, iz: 3, r: 4)
    let q = simd_quatf(ix: 5, iy: 6, iz: 7, r: 8)
    #expect(p * q == simd_quatf(ix: 24, iy: 48, iz: 48, r: -6))
    #expect(p + q == simd_quatf(ix: 6, iy: 8, iz: 10, r: 12))
    #expect(q - p == simd_quatf(ix: 4, iy: 4, iz: 4, r: 4))
    #expect(-p == -1 * p)
    #expect(p != -p)
    #expect(p.conjugate == simd_quatf(ix: -1, iy: -2, iz: -3, r: 4))
    #expect(simd_conjugate(p) == p.conjugate)
    #expect(p / 2 == 0.5 * p)
    let unit = p * p.inverse
    #expect(distance(unit.vector, SIMD4(0, 0, 0, 1)) < 1e-6)
    #expect(distance((p / p).vector, SIMD4(0, 0, 0, 1)) < 1e-6)
    #expect(abs(simd_quatf(ix: 2, iy: 4, iz: 5, r: 6).length - 9) < 1e-6)
    #expect(simd_length(p.normalized) == p.normalized.length)
    #expect(abs(p.normalized.length - 1) < 1e-6)
  }

  @Test("Zero normalises to the identity and has no inverse")
  func zero() {
    #expect(simd_quatd().normalized == simd_quatd(real: 1, imag: .zero))
    #expect(simd_quatd().inverse.real.isNaN)
  }

  @Test(
    "The rotation between two directions maps the first to the second",
    arguments: 1...100 as ClosedRange<UInt64>)
  func betweenDirections(seed: UInt64) {
    var source = Lottery(state: seed)
    let from = normalize(SIMD3<Float>.random(in: -1...1, using: &source))
    let to = normalize(SIMD3<Float>.random(in: -1...1, using: &source))
    let nearlyOpposite = normalize(-from + SIMD3.random(in: -1e-5...1e-5, using: &source))
    for end in [to, from, -from, nearlyOpposite, -to] {
      let rotation = simd_quatf(from: from, to: end)
      #expect(distance(rotation.act(from), end) < 2e-6, "seed \(seed), to \(end)")
      #expect(abs(rotation.length - 1) < 1e-6, "seed \(seed), to \(end)")
    }
    let expectedAngle = acos(Double(clamp(SIMD2(dot(from, to), 0), min: -1, max: 1).x))
    #expect(abs(Double(simd_quaternion(from, to).angle) - expectedAngle) < 2e-3, "seed \(seed)")
  }

  @Test(
    "Opposite directions are half a turn apart",
    arguments: [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(0.6, 0, -0.8)] as [SIMD3<Double>])
  func opposite(direction: SIMD3<Double>) {
    let rotation = simd_quatd(from: direction, to: -direction)
    #expect(abs(rotation.angle - .pi) < 1e-14)
    #expect(distance(rotation.act(direction), -direction) < 1e-14)
  }

  @Test("The rotation between almost opposite directions is correct")
  func roundedOpposite() {
    let from = SIMD3<Float>(1, 0, 0)
    let to = SIMD3<Float>(-(Float(1).nextDown), 0, 0)
    #expect(distance(simd_quatf(from: from, to: to).act(from), to) < 1e-6)
  }

  @Test("A rotation is the same as a matrix and as a quaternion", arguments: 1...100 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) {
    var source = Lottery(state: seed)
    let q = simd_quatd(vector: SIMD4.random(in: -1...1, using: &source)).normalized
    let matrix = simd_double3x3(q)
    #expect(abs(abs(simd_dot(simd_quatd(matrix), q)) - 1) < 1e-14, "seed \(seed)")
    #expect(abs(abs(simd_dot(simd_quatd(simd_double4x4(q)), q)) - 1) < 1e-14, "seed \(seed)")
    let point = SIMD3<Double>.random(in: -9...9, using: &source)
    #expect(distance(matrix * point, q.act(point)) < 1e-13, "seed \(seed)")
    #expect(abs(matrix.determinant - 1) < 1e-14, "seed \(seed)")
    #expect(simd_matrix3x3(q) == matrix)
    #expect(simd_matrix4x4(q) == simd_double4x4(q))
  }

  @Test(
    "Half turns about each axis survive conversion to a matrix and back",
    arguments: [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)] as [SIMD3<Float>])
  func halfTurns(axis: SIMD3<Float>) {
    let matrix = simd_float3x3(simd_quatf(real: 0, imag: axis))
    #expect(simd_quaternion(matrix) == simd_quatf(real: 0, imag: axis))
  }

  @Test("The quaternion of a quarter turn's matrix matches the value calculated by hand")
  func matrixByHand() {
    let matrix = simd_float3x3(rows: [SIMD3(0, -1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)])
    let half = Float(0.5).squareRoot()
    #expect(distance(simd_quatf(matrix).vector, SIMD4(0, 0, half, half)) < 1e-7)
    #expect(simd_float4x4(simd_quatf(real: 1, imag: .zero)) == matrix_identity_float4x4)
  }

  @Test(
    "Interpolation takes the shorter arc at constant speed", arguments: [0, 0.25, 0.5, 0.75, 1] as [Double])
  func shortArc(t: Double) {
    let identity = simd_quatd(real: 1, imag: .zero)
    let expected = simd_quatd(angle: t * .pi / 2, axis: SIMD3(0, 0, 1))
    #expect(distance(simd_slerp(identity, aboutZ, t).vector, expected.vector) < 1e-15)
    #expect(distance(simd_slerp(identity, -aboutZ, t).vector, expected.vector) < 1e-15)
  }

  @Test("Interpolation takes the longer arc when asked", arguments: [0, 0.25, 0.5, 0.75, 1] as [Double])
  func longArc(t: Double) {
    let identity = simd_quatd(real: 1, imag: .zero)
    let expected = simd_quatd(angle: -t * 3 * .pi / 2, axis: SIMD3(0, 0, 1))
    #expect(distance(simd_slerp_longest(identity, aboutZ, t).vector, expected.vector) < 1e-15)
    #expect(distance(simd_slerp_longest(identity, -aboutZ, t).vector, expected.vector) < 1e-15)
  }

  @Test("Interpolation between equal rotations gives the same rotation")
  func noArc() {
    #expect(distance(simd_slerp(aboutX, aboutX, 0.3).vector, aboutX.vector) < 1e-15)
  }
}
