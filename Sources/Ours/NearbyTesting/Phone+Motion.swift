import NearbySimulated
import NearbySimulator
import simd

extension Phone {
  /// The phone's position now, in metres.
  public var position: SIMD3<Double> {
    let body = body
    return world.pump.withWorld { $0.pose(of: body, at: $1).positionInWorld }
  }

  /// Moves the phone to a position instantly.
  ///
  /// - Parameters:
  ///   - position: Metres; x east, y north, z up.
  ///   - heading: Direction of its back in degrees clockwise from north; `nil` keeps the orientation.
  public func place(at position: SIMD3<Double>, heading: Double? = nil) {
    let body = body
    let rotation = heading.map { Rotation(heading: $0 * .pi / 180) }
    world.pump.withWorld { world, _ in
      world.place(body, at: position, worldFromDevice: rotation)
    }
  }

  /// Walks through points, starting at the present position and keeping the orientation.
  ///
  /// - Parameters:
  ///   - points: Metres, in order.
  ///   - speed: Metres per second, greater than 0.
  public func walk(through points: [SIMD3<Double>], speed: Double = 1.2) {
    let body = body
    world.pump.withWorld { $0.walk(body, through: points, speed: speed, from: $1) }
  }

  /// Walks straight to a point (metres) at `speed` metres per second.
  public func walk(to point: SIMD3<Double>, speed: Double = 1.2) {
    walk(through: [point], speed: speed)
  }

  /// Moves the phone 500 m north instantly, out of radio range; `place` brings it back.
  public func leaveRange() {
    let here = position
    place(at: here + SIMD3(0, 500, 0))
  }

  /// Turns the phone.
  ///
  /// - Parameters:
  ///   - heading: Direction of its back in degrees clockwise from north.
  ///   - pitch: Degrees; 0 is upright, positive tilts the back upwards.
  ///   - roll: Degrees; 0 is portrait, positive leans the top to the holder's right.
  public func turn(heading: Double, pitch: Double = 0, roll: Double = 0) {
    let body = body
    let degrees = Double.pi / 180
    let rotation = Rotation(heading: heading * degrees, pitch: pitch * degrees, roll: roll * degrees)
    world.pump.withWorld { world, _ in world.setFacing(of: body, .fixed(rotation)) }
  }

  /// Points the phone's back at another phone from now on.
  public func face(_ other: Phone) {
    let (body, target) = (body, other.body)
    world.pump.withWorld { world, _ in world.setFacing(of: body, .tracking(target)) }
  }

  /// Loses this share (0 to 1) of the UWB frames to and from this phone; 1 is radio silence.
  public func loseFrames(_ share: Double) {
    let radio = radio
    world.pump.withWorld { world, _ in world.setExtraLoss(share, ofRadio: radio) }
  }

  /// The other phone's true position as seen from this one.
  public func truth(to other: Phone) -> Truth {
    let (radio, target) = (radio, other.radio)
    let truth = world.pump.withWorld { $0.truth(from: radio, to: target, at: $1) }
    return Truth(
      distance: truth.range, direction: truth.directionInDevice, isLineOfSight: truth.isLineOfSight)
  }
}
