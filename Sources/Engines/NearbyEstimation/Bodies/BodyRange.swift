/// One range between an antenna of one body and an antenna of another.
package struct BodyRange: Equatable, Sendable {
  /// Index of the antenna in the base's list, and in the target's.
  package var baseAntenna: Int
  package var targetAntenna: Int
  /// Antenna to antenna, metres.
  package var range: Double

  package init(baseAntenna: Int, targetAntenna: Int, range: Double) {
    self.baseAntenna = baseAntenna
    self.targetAntenna = targetAntenna
    self.range = range
  }
}
