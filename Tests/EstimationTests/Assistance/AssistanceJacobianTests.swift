import NearbyEstimation
import TestSupport
import Testing

/// Random states, positions and attitudes.
private struct JacobianCase {
  var state = SIMD8<Double>.zero
  var sight: Sight
  var worldFromDevice: SIMD4<Double>
  /// The lane to test.
  var lane: Int

  init(seed: UInt64, isMoving: Bool) {
    var random = RangingRandom(seed: seed)
    func lanes(_ draw: () -> Double) -> SIMD4<Double> { SIMD4(draw(), draw(), draw(), draw()) }
    func vectors(_ scale: Double) -> LaneVector {
      LaneVector(
        scale * lanes { random.normal() }, scale * lanes { random.normal() },
        scale * lanes { random.normal() })
    }
    for index in 0..<3 { state[index] = 5 * random.normal() }
    for index in 3..<8 { state[index] = (isMoving ? 0.5 : 0.05) * random.normal() }
    sight = Sight(
      antenna: SIMD3(0.3, -0.2, 1), offset: vectors(1), swingX: 10 * lanes { random.normal() },
      swingY: 10 * lanes { random.normal() }, shift: vectors(0.05), velocity: vectors(0.7),
      age: 8 * lanes { random.uniform() })
    lane = Int(seed % 4)
    let q = SIMD4(random.normal(), random.normal(), random.normal(), random.normal())
    worldFromDevice = q / (q * q).sum().squareRoot()
  }

  /// Central differences of a prediction with respect to each component of the state.
  func differences(_ predict: (SIMD8<Double>) -> Double) -> SIMD8<Double> {
    var result = SIMD8<Double>.zero
    for index in 0..<8 {
      var (more, less) = (state, state)
      more[index] += 1e-6
      less[index] -= 1e-6
      result[index] = (predict(more) - predict(less)) / 2e-6
    }
    return result
  }
}

@Suite("Jacobians of the measurement models match central differences")
struct AssistanceJacobianTests {
  private static let seeds: [UInt64] = Array(1...40)

  private func largest(_ v: SIMD8<Double>) -> Double { max(v.max(), -v.min()) }

  @Test("Jacobian of the range to an object at rest, from a drifting track", arguments: seeds)
  func pointRange(seed: UInt64) {
    let drawn = JacobianCase(seed: seed, isMoving: false)
    let numeric = drawn.differences { PointRangeModel.predict($0, from: drawn.sight).range[drawn.lane] }
    let exact = PointRangeModel.predict(drawn.state, from: drawn.sight)[drawn.lane]
    #expect(largest(numeric - exact) < 2e-6 * (1 + largest(exact)), "seed \(seed)")
  }

  @Test("Jacobian of the range to an object that moves", arguments: seeds)
  func movingRange(seed: UInt64) {
    let drawn = JacobianCase(seed: seed, isMoving: true)
    let numeric = drawn.differences { MovingRangeModel.predict($0, from: drawn.sight).range[drawn.lane] }
    let exact = MovingRangeModel.predict(drawn.state, from: drawn.sight)[drawn.lane]
    #expect(largest(numeric - exact) < 2e-6 * (1 + largest(exact)), "seed \(seed)")
  }

  @Test("Derivative of the range by the antenna's position", arguments: seeds, [false, true])
  func shift(seed: UInt64, isMoving: Bool) {
    let drawn = JacobianCase(seed: seed, isMoving: isMoving)
    func range(_ sight: Sight) -> PointRangeModel.Prediction {
      isMoving
        ? MovingRangeModel.predict(drawn.state, from: sight)
        : PointRangeModel.predict(drawn.state, from: sight)
    }
    let exact = range(drawn.sight)[drawn.lane]
    for axis in 0..<3 {
      var (more, less) = (drawn.sight, drawn.sight)
      more.shift[drawn.lane][axis] += 1e-6
      less.shift[drawn.lane][axis] -= 1e-6
      // Moving the antenna away has the effect of moving the object closer.
      let numeric = (range(more).range[drawn.lane] - range(less).range[drawn.lane]) / 2e-6
      #expect(abs(numeric + exact[axis]) < 2e-6 * (1 + largest(exact)), "seed \(seed), axis \(axis)")
    }
  }

  @Test("Jacobians of the angles to an object at rest or in motion", arguments: seeds, [false, true])
  func angles(seed: UInt64, isMoving: Bool) {
    let drawn = JacobianCase(seed: seed, isMoving: isMoving)
    func predict(_ state: SIMD8<Double>) -> BearingModel.Prediction {
      let across = isMoving ? drawn.sight.acrossToMoving(state) : drawn.sight.acrossToPoint(state)
      return BearingModel.predict(
        state, isMoving: isMoving, from: drawn.sight, across: across, lane: drawn.lane,
        worldFromDevice: drawn.worldFromDevice)
    }
    let exact = predict(drawn.state)
    let azimuth = drawn.differences { predict($0).azimuth }
    let elevation = drawn.differences { predict($0).elevation }
    let bound = 1e-5 * (1 + largest(exact.azimuthJacobian) + largest(exact.elevationJacobian))
    #expect(largest(azimuth - exact.azimuthJacobian) < bound, "seed \(seed)")
    #expect(largest(elevation - exact.elevationJacobian) < bound, "seed \(seed)")
  }
}
