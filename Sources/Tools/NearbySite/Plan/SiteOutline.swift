import NearbyMaths

/// A simple polygon in the plane, metres; at least three corners, in either direction.
package struct SiteOutline: Equatable, Sendable {
  package let corners: [SIMD2<Double>]
  /// The box around it.
  private let low: SIMD2<Double>
  private let high: SIMD2<Double>

  /// - Returns: `nil` for fewer than three corners, or an area of less than 1 cm².
  package init?(corners: [SIMD2<Double>]) {
    guard corners.count >= 3, let first = corners.first else { return nil }
    self.corners = corners
    low = corners.reduce(first) { pointwiseMin($0, $1) }
    high = corners.reduce(first) { pointwiseMax($0, $1) }
    guard area >= 1e-4 else { return nil }
  }

  /// A regular polygon of 24 corners that approximates a circle.
  package init?(circleAround centre: SIMD2<Double>, radius: Double) {
    self.init(
      corners: (0..<24).map { index in
        let angle = 2 * Double.pi * Double(index) / 24
        return centre + radius * SIMD2(Maths.cos(angle), Maths.sin(angle))
      })
  }

  /// m².
  package var area: Double {
    // Relative to a corner, so that far from the origin no digits are lost.
    let base = corners[0]
    var sum = 0.0
    for (index, corner) in corners.enumerated() {
      let (a, b) = (corner - base, corners[(index + 1) % corners.count] - base)
      sum += a.x * b.y - b.x * a.y
    }
    return abs(sum) / 2
  }

  /// Mean of the corners, metres.
  package var middle: SIMD2<Double> {
    corners.reduce(.zero, +) / Double(corners.count)
  }

  package func contains(_ place: SIMD2<Double>) -> Bool {
    guard place.x >= low.x, place.x <= high.x, place.y >= low.y, place.y <= high.y else { return false }
    var isInside = false
    var previous = corners[corners.count - 1]
    for corner in corners {
      if (corner.y > place.y) != (previous.y > place.y) {
        let x = corner.x + (place.y - corner.y) / (previous.y - corner.y) * (previous.x - corner.x)
        if place.x < x { isInside.toggle() }
      }
      previous = corner
    }
    return isInside
  }

  /// Whether a place is farther than `reach` metres outside the box around the outline.
  package func isFar(from place: SIMD2<Double>, beyond reach: Double) -> Bool {
    place.x < low.x - reach || place.x > high.x + reach || place.y < low.y - reach || place.y > high.y + reach
  }

  /// Distance to the nearest edge, positive inside and negative outside, metres, and the direction of that
  /// edge's nearest point, a unit vector.
  package func depth(of place: SIMD2<Double>) -> (metres: Double, direction: SIMD2<Double>) {
    var best = (square: Double.infinity, across: SIMD2<Double>.zero)
    var previous = corners[corners.count - 1]
    for corner in corners {
      let edge = corner - previous
      let length = (edge * edge).sum()
      let share = length > 0 ? min(max(((place - previous) * edge).sum() / length, 0), 1) : 0
      let across = previous + share * edge - place
      let square = (across * across).sum()
      if square < best.square { best = (square, across) }
      previous = corner
    }
    let distance = best.square.squareRoot()
    let direction = distance > 1e-9 ? best.across / distance : SIMD2(1, 0)
    return (contains(place) ? distance : -distance, direction)
  }

  /// Approximate probability that a place with a normal error lies inside: that it is on the inner side of the
  /// nearest edge. Exact for an edge that is long compared with the error.
  ///
  /// - Parameters:
  ///   - estimate: Its covariance must be positive.
  ///   - blur: Standard deviation of the border itself, metres.
  package func probability(of estimate: SitePosition, blur: Double = 0) -> Double {
    let place = SIMD2(estimate.position.x, estimate.position.y)
    // Six standard deviations outside the box: practically zero, without walking along the edges.
    guard !isFar(from: place, beyond: 6 * max(estimate.sigma.x, estimate.sigma.y, blur)) else { return 0 }
    let (depth, direction) = depth(of: place)
    let variance = estimate.variance(along: direction) + blur * blur
    return Maths.normalShare(below: depth / max(variance.squareRoot(), 0.01))
  }
}
