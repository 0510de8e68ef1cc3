/// A plane that pulses pass through: a wall or a floor.
package enum RadioObstacle: Equatable, Sendable {
  case wall(Wall)
  case floor(Floor)

  package var material: Material {
    switch self {
    case .wall(let wall): wall.material
    case .floor(let floor): floor.material
    }
  }

  /// Whether the straight line between two points passes through the obstacle.
  func crosses(_ from: SIMD3<Double>, _ to: SIMD3<Double>) -> Bool {
    switch self {
    case .wall(let wall): wall.crosses(from, to)
    case .floor(let floor): floor.crosses(from, to)
    }
  }
}

/// An upright rectangle above the line between two points on the ground.
package struct Wall: Equatable, Sendable {
  /// Ends on the ground, metres, x east and y north.
  package var from: SIMD2<Double>
  package var to: SIMD2<Double>
  /// Heights of the lower and upper edge, metres.
  package var bottom: Double
  package var top: Double
  package var material: Material

  package init(
    from: SIMD2<Double>, to: SIMD2<Double>, bottom: Double = 0, top: Double = 3, material: Material
  ) {
    self.from = from
    self.to = to
    self.bottom = bottom
    self.top = top
    self.material = material
  }

  /// Whether the line between two points crosses the rectangle.
  func crosses(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
    let along = to - from
    // The path crosses the wall's line if the signed areas of its ends differ in sign.
    let sideA = along.x * (a.y - from.y) - along.y * (a.x - from.x)
    let sideB = along.x * (b.y - from.y) - along.y * (b.x - from.x)
    guard (sideA > 0) != (sideB > 0) else { return false }
    let part = sideA / (sideA - sideB)
    let point = a + (b - a) * part
    guard point.z >= bottom, point.z <= top else { return false }
    let squared = along.x * along.x + along.y * along.y
    let position = (point.x - from.x) * along.x + (point.y - from.y) * along.y
    return position >= 0 && position <= squared
  }
}

/// A horizontal rectangle, such as a floor or ceiling, with sides parallel to the world's axes.
package struct Floor: Equatable, Sendable {
  /// South-west and north-east corners, metres.
  package var from: SIMD2<Double>
  package var to: SIMD2<Double>
  /// Metres above the ground.
  package var height: Double
  package var material: Material

  package init(from: SIMD2<Double>, to: SIMD2<Double>, height: Double, material: Material) {
    self.from = SIMD2(min(from.x, to.x), min(from.y, to.y))
    self.to = SIMD2(max(from.x, to.x), max(from.y, to.y))
    self.height = height
    self.material = material
  }

  func crosses(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
    guard (a.z > height) != (b.z > height) else { return false }
    let point = a + (b - a) * ((height - a.z) / (b.z - a.z))
    return point.x >= from.x && point.x <= to.x && point.y >= from.y && point.y <= to.y
  }
}
