import Testing
import simd

@Suite("Vector functions")
struct VectorFunctionTests {
  @Test("Lane functions give the scalar result in each lane")
  func lanes() {
    let x = SIMD4<Float>(-1.5, 0, 0.25, 2.75)
    #expect(abs(x) == SIMD4(1.5, 0, 0.25, 2.75))
    #expect(sign(x) == SIMD4(-1, 0, 1, 1))
    #expect(floor(x) == SIMD4(-2, 0, 0, 2))
    #expect(ceil(x) == SIMD4(-1, 0, 1, 3))
    #expect(trunc(x) == SIMD4(-1, 0, 0, 2))
    #expect(fract(x) == SIMD4(0.5, 0, 0.25, 0.75))
    #expect(recip(SIMD2<Double>(4, -0.5)) == SIMD2(0.25, -2))
    #expect(rsqrt(SIMD2<Double>(4, 0.25)) == SIMD2(0.5, 2))
    #expect(abs(SIMD2<Double>(-0.0, -1)).x.sign == .plus)
  }

  @Test("fract is below 1 even where rounding would give 1")
  func fractionBelowOne() {
    #expect(fract(SIMD2<Float>(-1e-12, 0)).x == Float(1).nextDown)
    #expect(fract(SIMD2<Double>(-1e-30, 0)).x == 1.0.nextDown)
    #expect(fract(SIMD2<Float>(.nan, 0)).x.isNaN)
  }

  @Test("min and max prefer a number to NaN")
  func minimumAndMaximum() {
    let x = SIMD3<Double>(1, .nan, -3)
    let y = SIMD3<Double>(2, 5, .nan)
    #expect(min(x, y) == SIMD3(1, 5, -3))
    #expect(max(x, y) == SIMD3(2, 5, -3))
    #expect(min(SIMD2<Float>(1, 3), 2) == SIMD2(1, 2))
    #expect(max(SIMD2<Float>(1, 3), 2) == SIMD2(2, 3))
    #expect(simd_min(x, y) == min(x, y))
    #expect(simd_max(x, y) == max(x, y))
  }

  @Test("clamp accepts one bound for all lanes or one for each")
  func clamping() {
    let x = SIMD3<Float>(-2, 0.5, 7)
    #expect(clamp(x, min: 0, max: 1) == SIMD3(0, 0.5, 1))
    #expect(clamp(x, min: SIMD3(-3, 1, 0), max: SIMD3(-1, 2, 6)) == SIMD3(-2, 1, 6))
    #expect(simd_clamp(x, SIMD3(-3, 1, 0), SIMD3(-1, 2, 6)) == SIMD3(-2, 1, 6))
    #expect(simd_clamp(5, 0, 1) == 1)
  }

  @Test("mix interpolates from the first vector to the second")
  func mixing() {
    let (x, y) = (SIMD2<Double>(0, 10), SIMD2<Double>(4, 20))
    #expect(mix(x, y, t: 0) == x)
    #expect(mix(x, y, t: 1) == y)
    #expect(mix(x, y, t: 0.25) == SIMD2(1, 12.5))
    #expect(mix(x, y, t: SIMD2(0.5, 2)) == SIMD2(2, 30))
    #expect(simd_mix(x, y, SIMD2(0.5, 2)) == SIMD2(2, 30))
    #expect(simd_mix(2.0, 4.0, 0.5) == 3)
  }

  @Test("step takes the value first in Swift style and the edge first in C style")
  func steps() {
    let (x, edge) = (SIMD3<Float>(1, 2, 3), SIMD3<Float>(repeating: 2))
    #expect(step(x, edge: edge) == SIMD3(0, 1, 1))
    #expect(simd_step(edge, x) == SIMD3(0, 1, 1))
    #expect(simd_step(2.0, 1.0) == 0)
    #expect(simd_step(1.0, 2.0) == 1)
  }

  @Test("smoothstep takes the value first in Swift style and the edges first in C style")
  func smoothSteps() {
    let x = SIMD4<Double>(-1, 1, 2, 9)
    let (edge0, edge1) = (SIMD4<Double>(repeating: 0), SIMD4<Double>(repeating: 4))
    let expected = SIMD4<Double>(0, 0.15625, 0.5, 1)
    #expect(smoothstep(x, edge0: edge0, edge1: edge1) == expected)
    #expect(simd_smoothstep(edge0, edge1, x) == expected)
    #expect(simd_smoothstep(0.0, 4.0, 1.0) == 0.15625)
  }

  @Test("Products, lengths and norms match values calculated by hand")
  func geometry() {
    let x = SIMD3<Float>(2, -3, 6)
    let y = SIMD3<Float>(1, 2, 3)
    #expect(dot(x, y) == 14)
    #expect(cross(x, y) == SIMD3(-21, 0, 7))
    #expect(cross(SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0)) == SIMD3(0, 0, 1))
    #expect(cross(SIMD2<Double>(1, 2), SIMD2(3, 4)) == SIMD3(0, 0, -2))
    #expect(length(x) == 7)
    #expect(length_squared(x) == 49)
    #expect(norm_one(x) == 11)
    #expect(norm_inf(x) == 6)
    #expect(distance(x, x + SIMD3(0, 3, 4)) == 5)
    #expect(distance_squared(x, x + SIMD3(0, 3, 4)) == 25)
    #expect(normalize(SIMD2<Double>(0, -4)) == SIMD2(0, -1))
    #expect(reduce_add(x) == 5)
    #expect(reduce_min(x) == -3)
    #expect(reduce_max(x) == 6)
  }

  @Test("C-style functions give the same results as Swift-style ones")
  func cStyle() {
    let (x, y) = (SIMD3<Double>(2, -3, 6), SIMD3<Double>(1, 2, 3))
    #expect(simd_dot(x, y) == 14)
    #expect(simd_cross(x, y) == SIMD3(-21, 0, 7))
    #expect(simd_length(x) == 7)
    #expect(simd_length_squared(x) == 49)
    #expect(simd_distance(x, y) == simd_length(x - y))
    #expect(simd_distance_squared(x, y) == 35)
    #expect(simd_normalize(SIMD2<Float>(0, 2)) == SIMD2(0, 1))
    #expect(simd_abs(x) == SIMD3(2, 3, 6))
    #expect(simd_reduce_add(x) == 5)
    #expect(simd_reduce_min(x) == -3)
    #expect(simd_reduce_max(x) == 6)
    #expect(simd_equal(x, x))
    #expect(!simd_equal(x, y))
  }

  @Test("Normalising the zero vector gives NaN")
  func zeroHasNoDirection() {
    let float = normalize(SIMD3<Float>.zero)
    let double = simd_normalize(SIMD2<Double>.zero)
    #expect(float.x.isNaN)
    #expect(float.y.isNaN)
    #expect(float.z.isNaN)
    #expect(double.x.isNaN)
    #expect(double.y.isNaN)
    #expect(project(SIMD2<Float>(1, 2), .zero).x.isNaN)
  }

  @Test("project, reflect and refract match values calculated by hand")
  func rays() {
    let ray = SIMD3<Double>(0.6, -0.8, 0)
    let up = SIMD3<Double>(0, 1, 0)
    #expect(project(SIMD2<Double>(3, 4), SIMD2(2, 0)) == SIMD2(3, 0))
    #expect(reflect(ray, n: up) == SIMD3(0.6, 0.8, 0))
    #expect(distance(refract(ray, n: up, eta: 1), ray) < 1e-15)
    let broken = refract(ray, n: up, eta: 0.5)
    #expect(distance(broken, SIMD3(0.3, -(0.91.squareRoot()), 0)) < 1e-15)
    #expect(refract(ray, n: up, eta: 2) == .zero)
    #expect(simd_reflect(ray, up) == reflect(ray, n: up))
    #expect(simd_refract(ray, up, 0.5) == broken)
  }

  @Test("Functions of the maths library work lane by lane")
  func elementwise() {
    let x = SIMD3<Double>(0.1, -0.5, 0.9)
    let y = SIMD3<Double>(0.3, 0.7, -0.2)
    for lane in 0..<3 {
      #expect(sin(x)[lane] == sin(x[lane]))
      #expect(cos(x)[lane] == cos(x[lane]))
      #expect(tan(x)[lane] == tan(x[lane]))
      #expect(asin(x)[lane] == asin(x[lane]))
      #expect(acos(x)[lane] == acos(x[lane]))
      #expect(atan(x)[lane] == atan(x[lane]))
      #expect(atan2(y, x)[lane] == atan2(y[lane], x[lane]))
      #expect(exp(x)[lane] == exp(x[lane]))
      #expect(log(abs(x))[lane] == log(abs(x[lane])))
      #expect(pow(abs(x), y)[lane] == pow(abs(x[lane]), y[lane]))
    }
    #expect(sin(SIMD2<Float>(0, .pi / 2)) == SIMD2(0, 1))
    #expect(distance(atan2(SIMD2<Float>(1, 0), SIMD2(0, 1)), SIMD2(.pi / 2, 0)) < 1e-6)
  }

  @Test("simd_make functions combine, shorten and extend vectors")
  func making() {
    #expect(simd_make_float2(1, 2) == SIMD2(1, 2))
    #expect(simd_make_float2(SIMD4(1, 2, 3, 4)) == SIMD2(1, 2))
    #expect(simd_make_float3(1, 2, 3) == SIMD3(1, 2, 3))
    #expect(simd_make_float3(SIMD2(1, 2), 3) == SIMD3(1, 2, 3))
    #expect(simd_make_float3(1, SIMD2(2, 3)) == SIMD3(1, 2, 3))
    #expect(simd_make_float3(SIMD2(1, 2)) == SIMD3(1, 2, 0))
    #expect(simd_make_float4(SIMD3(1, 2, 3), 4) == SIMD4(1, 2, 3, 4))
    #expect(simd_make_float4(1, SIMD2(2, 3), 4) == SIMD4(1, 2, 3, 4))
    #expect(simd_make_float4(SIMD2(1, 2), SIMD2(3, 4)) == SIMD4(1, 2, 3, 4))
    #expect(simd_make_float4(7) == SIMD4(7, 0, 0, 0))
    #expect(simd_make_double3(SIMD4(1, 2, 3, 4)) == SIMD3(1, 2, 3))
  }
}
