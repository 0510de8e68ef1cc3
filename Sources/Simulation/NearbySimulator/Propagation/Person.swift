/// Someone in the way of pulses: an upright elliptical cylinder that goes with a body.
package struct Person: Equatable, Sendable {
  /// The body that the person moves with: their own, or the phone's that they carry.
  package var body: BodyID
  /// Where the person's axis stands, metres to the right of and in front of the body as it faces; a phone's
  /// holder is at about (0, −0.35).
  package var offset: SIMD2<Double>
  /// The body's height over the person's feet, metres.
  package var bodyAboveFeet: Double
  /// Half widths to the side and to the front, metres, > 0.
  package var halfWidth: Double
  package var halfDepth: Double
  /// Metres.
  package var height: Double
  package var material: Material

  package init(
    on body: BodyID, offset: SIMD2<Double> = .zero, bodyAboveFeet: Double = 0,
    halfWidth: Double = 0.25, halfDepth: Double = 0.15, height: Double = 1.75,
    material: Material = .body
  ) {
    self.body = body
    self.offset = offset
    self.bodyAboveFeet = bodyAboveFeet
    self.halfWidth = halfWidth
    self.halfDepth = halfDepth
    self.height = height
    self.material = material
  }

  /// Someone who holds a phone in front of them.
  package static func holding(_ body: BodyID) -> Person {
    Person(on: body, offset: SIMD2(0, -0.35), bodyAboveFeet: 1.3)
  }

  /// Whether the straight line between two points goes through the person, whose body has `pose`.
  func crosses(_ a: SIMD3<Double>, _ b: SIMD3<Double>, pose: Pose) -> Bool {
    let forward = Self.forward(pose.worldFromDevice)
    let right = SIMD2(forward.y, -forward.x)
    let centre =
      SIMD2(pose.positionInWorld.x, pose.positionInWorld.y) + right * offset.x + forward * offset.y
    // In the ellipse's own scale it is the unit circle.
    func scaled(_ point: SIMD3<Double>) -> SIMD2<Double> {
      let from = SIMD2(point.x, point.y) - centre
      return SIMD2((from * right).sum() / halfWidth, (from * forward).sum() / halfDepth)
    }
    let start = scaled(a)
    let step = scaled(b) - start
    let squared = (step * step).sum()
    let closest = squared > 0 ? min(1, max(0, -(start * step).sum() / squared)) : 0
    let point = start + step * closest
    guard (point * point).sum() < 1 else { return false }
    let feet = pose.positionInWorld.z - bodyAboveFeet
    let height = a.z + (b.z - a.z) * closest
    return height >= feet && height <= feet + self.height
  }

  /// Where the back of a device looks, on the ground; where its top points when the back looks up or down.
  static func forward(_ worldFromDevice: Rotation) -> SIMD2<Double> {
    var forward = worldFromDevice * SIMD3(0, 0, -1)
    if forward.x * forward.x + forward.y * forward.y < 0.04 {
      forward = worldFromDevice * SIMD3(0, 1, 0)
    }
    let length = (forward.x * forward.x + forward.y * forward.y).squareRoot()
    return length > 1e-9 ? SIMD2(forward.x, forward.y) / length : SIMD2(0, 1)
  }
}
