/// What a receiver reports about one range, besides the range itself. A number that is not finite is unknown.
package struct ReceiverFigures: Equatable, Sendable {
  /// In metres.
  package var range = Double.nan
  /// Estimated power of the whole signal, dBm.
  package var power = Double.nan
  /// Estimated power of the first path alone, dBm.
  package var firstPathPower = Double.nan
  /// Magnitudes of the three taps at the first path, in the receiver's units.
  package var firstPathAmplitudes = SIMD3<Double>(repeating: .nan)
  /// Number of preamble symbols that the receiver has accumulated.
  package var accumulatedSymbols = Double.nan
  /// Standard deviation of the noise, in the units of the amplitudes.
  package var noise = Double.nan

  package init() {}
}
