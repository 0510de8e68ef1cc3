/// A person who obstructs pulses: an upright elliptical cylinder attached to a body.
package struct Person: Equatable, Sendable {
  /// The body the person moves with: their own, or that of the phone they carry.
  package var body: BodyID
  /// The person's axis relative to the body, metres to its right and in front of it as it faces; the holder
  /// of a phone is at about (0, −0.35).
  package var offset: SIMD2<Double>
  /// Height of the body's origin above the person's feet, metres.
  package var bodyAboveFeet: Double
  /// Half widths sideways and front to back, metres, > 0.
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

  /// A person holding a phone in front of them.
  package static func holding(_ body: BodyID) -> Person {
    Person(on: body, offset: SIMD2(0, -0.35), bodyAboveFeet: 1.3)
  }

  /// Whether the straight line between two points passes through the person, given the pose of their body.
  func crosses(_ a: SIMD3<Double>, _ b: SIMD3<Double>, pose: Pose) -> Bool {
    let forward = Self.forward(pose.worldFromDevice)
    let right = SIMD2(forward.y, -forward.x)
    let centre =
      SIMD2(pose.positionInWorld.x, pose.positionInWorld.y) + right * offset.x + forward * offset.y
    // Scaled by the half widths, the ellipse becomes the unit circle.
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

  /// Horizontal direction of a device's back, or of its top if the back points up or down; a unit vector.
  static func forward(_ worldFromDevice: Rotation) -> SIMD2<Double> {
    var forward = worldFromDevice * SIMD3(0, 0, -1)
    if forward.x * forward.x + forward.y * forward.y < 0.04 {
      forward = worldFromDevice * SIMD3(0, 1, 0)
    }
    let length = (forward.x * forward.x + forward.y * forward.y).squareRoot()
    return length > 1e-9 ? SIMD2(forward.x, forward.y) / length : SIMD2(0, 1)
  }
}
