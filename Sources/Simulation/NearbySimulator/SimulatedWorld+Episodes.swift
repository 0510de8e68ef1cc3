import NearbyMaths
import NearbySchedule

/// Errors that last for some ranges: most outliers come in bursts.
extension SimulatedWorld {
  /// Edge of the cells within which a pair's detector stays on one echo, metres: bursts of late ranges last 0.2 s at
  /// 1 m/s (starloc) to 0.3 s at 0.5 m/s (rcv).
  private static var cellOfEpisode: Double { 0.25 }
  /// Share of such cells in which it is late, at the median place, for a module.
  private static var lateShare: Double { 0.003 }
  /// Windows in which a burst of wild ranges may begin, seconds.
  private static var windowOfEpisode: Double { 0.5 }

  /// How much later than the direct path a pair's detector locks at these positions, metres; mostly 0.
  ///
  /// It depends on position alone: while both ends rest, it does not change. Log-normal with median 0.55 m, as starloc's
  /// late ranges.
  func lateEpisode(_ key: UInt64, chance: Double, _ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    let share = chance / RadioCharacteristics.module.outlierChance * Self.lateShare * place.late
    guard share > 0 else { return 0 }
    let cell = (first + second * 0.618) / Self.cellOfEpisode
    var state = key
    for axis in 0..<3 {
      let index = cell[axis].rounded(.down)
      state = SplitMix64.mixed(state ^ UInt64(bitPattern: Int64(exactly: index) ?? 0))
    }
    var noise = NoiseStream(state: state)
    guard noise.uniform() < min(0.1, share) else { return 0 }
    return 0.55 * Maths.exp(0.6 * noise.normal())
  }

  /// Error of a range whose time stamps do not belong together, metres; mostly 0.
  ///
  /// Most come in bursts of some tenths of a second, eight in ten are too short (recorded: seven), and their size is log-normal with a median of
  /// 3 m; a few reach hundreds. Measured over rcv, hanyang_outdoor and starloc. Radios at rest have hardly
  /// any (hanyang_static: 1 in 14,000).
  func wildEpisode(
    _ key: UInt64, chance: Double, seconds: Double, speed: Double, noise: inout NoiseStream
  ) -> Double {
    let share = chance * place.wild * min(1, 0.03 + speed / 0.3)
    guard share > 0 else { return 0 }
    let (draw, scatter) = (noise.uniform(), noise.uniform())
    let window = (seconds / Self.windowOfEpisode).rounded(.down)
    var episode = NoiseStream(state: key ^ UInt64(bitPattern: Int64(exactly: window) ?? 0))
    // A burst takes 0.3 of its window on average.
    let isBurst = episode.uniform() < share * 1.7
    let begin = episode.uniform() * 0.4
    let isWithin = isBurst && abs(seconds / Self.windowOfEpisode - window - begin - 0.3) < 0.3
    guard isWithin || draw < share * 0.4 else { return 0 }
    let sign = episode.uniform() < 0.8 ? -1.0 : 1.0
    let length = 3 * place.wildLength * Maths.exp(1.1 * episode.normal())
    return sign * (length + 0.5) * (0.6 + 0.8 * scatter)
  }
}
