/// A receiver that stands where it is known to stand: a hub on the wall, a gateway.
package struct ReceiverSite: Hashable, Sendable {
  package var name: String
  /// Metres, z up.
  package var position: SIMD3<Double>

  package init(name: String, position: SIMD3<Double>) {
    self.name = name
    self.position = position
  }
}
