/// The contents of the live picture: the peer as seen by one phone, and its recent history.
package struct LiveState: Equatable, Sendable {
  /// Maximum number of events kept; no terminal has room for more next to the figures.
  private static let mostEvents = 20
  /// How much history is kept for the trend and the sparkline.
  package static let memory = Duration.seconds(12)
  /// Time span of the trend.
  package static let trendSpan = Duration.seconds(1)

  package struct Sample: Equatable, Sendable {
    package var time: Duration
    /// Metres.
    package var distance: Double?
  }

  package var observer: String
  package var peer: String
  package var time = Duration.zero
  /// Metres.
  package var distance: Double?
  /// Unit vector in the phone's frame: +x right, +y up, −z out of its back.
  package var direction: SIMD3<Double>?
  package private(set) var samples: [Sample] = []
  /// Recent events, oldest first.
  package private(set) var events: [String] = []
  /// Instruction to the user; may be empty.
  package var headline = ""
  /// Text of the bottom line.
  package var footer = ""

  package init(observer: String, peer: String) {
    self.observer = observer
    self.peer = peer
  }

  package mutating func updated(at time: Duration, distance: Double?, direction: SIMD3<Double>?) {
    self.time = time
    self.distance = distance
    self.direction = direction
    samples.append(Sample(time: time, distance: distance))
    samples.removeAll { $0.time < time - Self.memory }
  }

  package mutating func happened(_ event: String, at time: Duration) {
    self.time = time
    events.append(event)
    if events.count > Self.mostEvents { events.removeFirst() }
  }

  /// Radians, positive to the right.
  package var azimuth: Double? { direction.map { Trigonometry.arcTangent($0.x, -$0.z) } }
  /// Radians, positive up.
  package var elevation: Double? { direction.map { Trigonometry.arcSine($0.y) } }

  /// Rate of the distance over the last second, metres a second, positive when moving apart; `nil` if less
  /// than half a second is known.
  package var rate: Double? {
    let recent = samples.filter { $0.time >= time - Self.trendSpan }
    guard let first = recent.first(where: { $0.distance != nil }), let last = recent.last,
      let start = first.distance, let end = last.distance
    else { return nil }
    let span = (last.time - first.time) / .seconds(1)
    return span < 0.5 ? nil : (end - start) / span
  }
}
