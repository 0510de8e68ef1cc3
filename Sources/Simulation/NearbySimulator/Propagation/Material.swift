/// What a wall, floor or body does to a pulse that passes through it once.
package struct Material: Equatable, Sendable {
  /// Loss of the direct path, dB, ≥ 0.
  package var attenuation: Double
  /// Extra electrical length of the direct path, metres, ≥ 0: thickness × (√ε − 1).
  package var delay: Double
  /// Median excess length of the detected first path when the direct one is attenuated, metres, ≥ 0.
  package var excess: Double

  package init(attenuation: Double, delay: Double, excess: Double) {
    self.attenuation = attenuation
    self.delay = delay
    self.excess = excess
  }

  /// The built-in materials by name, sorted alphabetically. Sources: `Docs/simulator.md`.
  package static let table: [(name: String, material: Material)] = [
    ("body", body),
    ("brick", Material(attenuation: 7, delay: 0.10, excess: 0.15)),
    ("cardboard", Material(attenuation: 0.5, delay: 0.005, excess: 0.005)),
    ("concrete", Material(attenuation: 12, delay: 0.20, excess: 0.18)),
    ("drywall", Material(attenuation: 2, delay: 0.015, excess: 0.01)),
    ("glass", Material(attenuation: 3, delay: 0.010, excess: 0.01)),
    ("metal", Material(attenuation: 25, delay: 0, excess: 0.10)),
    ("plastic", Material(attenuation: 1, delay: 0.005, excess: 0.01)),
    ("wood", Material(attenuation: 2.5, delay: 0.015, excess: 0.01)),
  ]

  /// The built-in material of this name, or `nil` if the name is unknown.
  package static func named(_ name: String) -> Material? {
    table.first { $0.name == name }?.material
  }

  /// A human body.
  package static let body = Material(attenuation: 14, delay: 0, excess: 0.25)
}
