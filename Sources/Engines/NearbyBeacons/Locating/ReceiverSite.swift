/// A receiver at a fixed, known place, such as a hub on the wall or a gateway.
package struct ReceiverSite: Hashable, Sendable {
  package var name: String
  /// In metres, z up.
  package var position: SIMD3<Double>

  package init(name: String, position: SIMD3<Double>) {
    self.name = name
    self.position = position
  }
}
