/// The antennas of two bodies, each in its own body's axes, metres.
struct BodyPair: Equatable, Sendable {
  let base: [SIMD3<Double>]
  let target: [SIMD3<Double>]
  /// How many ranges share an antenna: the number of antennas of the richer body.
  var sharing: Int { max(base.count, target.count) }
}
