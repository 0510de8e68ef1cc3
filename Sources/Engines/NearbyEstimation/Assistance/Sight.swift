/// The geometry of four measurements: from where and how long ago the object was sensed.
package struct Sight: Sendable {
  /// Position of the antenna now, in the track's frame, metres.
  package var antenna: SIMD3<Double>
  /// From there to where the antenna was then, as tracked, metres.
  package var offset: LaneVector
  /// Change of that offset per unit of yaw rate, metres per rad/s.
  package var swingX: Lanes
  package var swingY: Lanes
  /// From the antenna's stated place to where it receives, according to the hypothesis, metres.
  package var shift: LaneVector
  /// Velocity of the antenna then, m/s.
  package var velocity: LaneVector
  /// Age of the measurement in seconds.
  package var age: Lanes

  @inline(__always)
  package init(
    antenna: SIMD3<Double>, offset: LaneVector, swingX: Lanes, swingY: Lanes, shift: LaneVector = .zero,
    velocity: LaneVector, age: Lanes
  ) {
    self.antenna = antenna
    self.offset = offset
    (self.swingX, self.swingY) = (swingX, swingY)
    self.shift = shift
    self.velocity = velocity
    self.age = age
  }

  /// Vectors from the antenna then to an object at rest, in the frame of now, metres.
  ///
  /// The state is that of `PointRangeModel`.
  @inline(__always)
  package func acrossToPoint(_ state: SIMD8<Double>) -> LaneVector {
    let place = LaneVector(repeating: SIMD3(state[0], state[1], state[2]) - antenna)
    let stretch = Lanes(repeating: 1 + state[6])
    let (yawRate, late) = (Lanes(repeating: state[5]), Lanes(repeating: state[7]))
    var across = place - shift - stretch * offset - late * velocity
    across.x -= yawRate * swingX
    across.y -= yawRate * swingY
    return across
  }

  /// Vectors from the antenna then to where a moving object was then, metres; the state is that of
  /// `MovingRangeModel`.
  @inline(__always)
  package func acrossToMoving(_ state: SIMD8<Double>) -> LaneVector {
    let place = LaneVector(repeating: SIMD3(state[0], state[1], state[2]) - antenna)
    let walked = age * LaneVector(repeating: SIMD3(state[4], state[5], state[6]))
    return place - shift - offset - walked - Lanes(repeating: state[7]) * velocity
  }
}
