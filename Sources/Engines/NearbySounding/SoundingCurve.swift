/// The part of the error that depends on the distance, the same for all methods.
///
/// Near devices appear farther than a constant error says. With a distance `d` in metres the excess is
///
///     excess(d) = strength · (1 / max(d, shortest) − 1 / reference)
///
/// which has the form of an echo from the ground: with antennas `h₁` and `h₂` above it, its path is
/// `2 h₁ h₂ / d` longer than the direct one, and at 5 m and beyond a bandwidth of 80 MHz can't tell the two
/// apart. Closer than `shortest` it no longer grows. At `reference` it is zero, because what is left there
/// belongs to the methods' constants. `Docs/sounding.md` has the measurements.
package struct SoundingCurve: Equatable, Sendable {
  /// Square metres; 0 switches the curve off. Below `shortest` squared, so that the curve can be inverted.
  private let strength: Double
  /// Metres, greater than 0.
  private let shortest: Double
  private let reference: Double

  /// No excess at any distance.
  package static let none = SoundingCurve(strength: 0, shortest: 5, reference: 5)

  /// Two boards on a lawn, antennas about 2 m above it.
  ///
  /// `reference` is the harmonic mean of the distances at which the constants were measured (5, 15, 25, 35 and
  /// 45 m).
  package static let outdoors = SoundingCurve(strength: 7, shortest: 5, reference: 14.1)

  private init(strength: Double, shortest: Double, reference: Double) {
    self.strength = strength
    self.shortest = shortest
    self.reference = reference
  }

  /// Excess at a distance, metres.
  package func excess(at distance: Double) -> Double {
    strength * (1 / max(distance, shortest) - 1 / reference)
  }

  /// The distance that is measured as `measured`, both in metres, and by how much it changes per metre of that.
  func distance(measured: Double) -> (distance: Double, slope: Double) {
    let sum = measured + strength / reference
    let near = sum - strength / shortest
    guard near > shortest else { return (near, 1) }
    // The larger solution of d² − sum · d + strength = 0. Its root is real: it is 0 at `sum = 2 √strength`,
    // and `sum` is greater than `shortest + strength / shortest`, which is more.
    let distance = (sum + (sum * sum - 4 * strength).squareRoot()) / 2
    return (distance, 1 / (1 - strength / (distance * distance)))
  }
}
