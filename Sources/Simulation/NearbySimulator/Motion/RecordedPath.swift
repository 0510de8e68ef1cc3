import NearbyMaths

/// A track of timed poses. Positions are interpolated linearly, attitudes at a constant rate of turn.
package struct RecordedPath: Equatable, Sendable {
  /// One pose of the track.
  package struct Point: Equatable, Sendable {
    /// World time, seconds.
    package var seconds: Double
    /// Metres.
    package var position: SIMD3<Double>
    package var worldFromDevice: Rotation

    package init(
      seconds: Double, position: SIMD3<Double>, worldFromDevice: Rotation = .init(heading: 0)
    ) {
      self.seconds = seconds
      self.position = position
      self.worldFromDevice = worldFromDevice
    }
  }

  /// Sorted by time.
  package let samples: [Point]
  package let topSpeed: Double

  /// Creates a track from samples in any order. Of several samples with the same time, the first one given is
  /// kept. Before the first and after the last sample, the body rests at that sample.
  package init(_ given: [Point]) {
    // `sorted` is stable, so duplicate times resolve predictably.
    let sorted = given.filter { $0.seconds.isFinite }.sorted { $0.seconds < $1.seconds }
    var samples: [Point] = []
    var topSpeed = 0.0
    for sample in sorted {
      if let last = samples.last {
        guard sample.seconds > last.seconds else { continue }
        topSpeed = max(
          topSpeed, (sample.position - last.position).length / (sample.seconds - last.seconds))
      }
      samples.append(sample)
    }
    self.samples = samples
    self.topSpeed = topSpeed
  }

  package func motion(at seconds: Double) -> (position: SIMD3<Double>, velocity: SIMD3<Double>) {
    guard let (before, after, fraction) = around(seconds) else { return (.zero, .zero) }
    guard after.seconds > before.seconds else { return (before.position, .zero) }
    let step = after.position - before.position
    return (before.position + step * fraction, step / (after.seconds - before.seconds))
  }

  package func attitude(at seconds: Double) -> Rotation {
    guard let (before, after, fraction) = around(seconds) else { return Rotation(heading: 0) }
    return before.worldFromDevice.interpolated(to: after.worldFromDevice, fraction: fraction)
  }

  /// Binary search for the samples before and after a time, and the time's position between them, 0 to 1.
  private func around(_ seconds: Double) -> (before: Point, after: Point, fraction: Double)? {
    guard let first = samples.first, let last = samples.last else { return nil }
    if seconds <= first.seconds { return (first, first, 0) }
    if seconds >= last.seconds { return (last, last, 0) }
    var low = 0
    var high = samples.count - 1
    while low + 1 < high {
      let middle = (low + high) / 2
      if samples[middle].seconds <= seconds { low = middle } else { high = middle }
    }
    let before = samples[low]
    let after = samples[high]
    return (before, after, (seconds - before.seconds) / (after.seconds - before.seconds))
  }
}
