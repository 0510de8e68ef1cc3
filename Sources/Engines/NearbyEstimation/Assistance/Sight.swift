/// The geometry of one measurement: from where and how long ago the object was sensed.
package struct Sight: Equatable, Sendable {
  /// Position of the antenna now, in the track's frame, metres.
  package var antenna: SIMD3<Double>
  /// From there to where the antenna was then, as tracked, metres.
  package var offset: SIMD3<Double>
  /// Change of that offset per unit of yaw rate, metres per rad/s; horizontal.
  package var swing: SIMD2<Double>
  /// From the antenna's stated place to where it receives, according to the hypothesis, metres.
  package var shift = SIMD3<Double>.zero
  /// Velocity of the antenna then, m/s.
  package var velocity: SIMD3<Double>
  /// Age of the measurement in seconds.
  package var age: Double
  package init(
    antenna: SIMD3<Double>, offset: SIMD3<Double>, swing: SIMD2<Double> = .zero,
    shift: SIMD3<Double> = .zero, velocity: SIMD3<Double> = .zero, age: Double = 0
  ) {
    self.shift = shift
    self.antenna = antenna
    self.offset = offset
    self.swing = swing
    self.velocity = velocity
    self.age = age
  }

  /// Vector from the antenna then to an object at rest, in the frame of now, metres.
  ///
  /// The state is that of `PointRangeModel`.
  @inline(__always)
  package func acrossToPoint(_ state: SIMD8<Double>) -> SIMD3<Double> {
    let (yawRate, stretch, late) = (state[5], 1 + state[6], state[7])
    return SIMD3(
      state[0] - antenna.x - stretch * offset.x - shift.x - yawRate * swing.x - late * velocity.x,
      state[1] - antenna.y - stretch * offset.y - shift.y - yawRate * swing.y - late * velocity.y,
      state[2] - antenna.z - stretch * offset.z - shift.z - late * velocity.z)
  }

  /// Vector from the antenna then to where a moving object was then, metres; the state is that of
  /// `MovingRangeModel`.
  @inline(__always)
  package func acrossToMoving(_ state: SIMD8<Double>) -> SIMD3<Double> {
    SIMD3(
      state[0] - state[4] * age - antenna.x - offset.x - shift.x - state[7] * velocity.x,
      state[1] - state[5] * age - antenna.y - offset.y - shift.y - state[7] * velocity.y,
      state[2] - state[6] * age - antenna.z - offset.z - shift.z - state[7] * velocity.z)
  }
}
