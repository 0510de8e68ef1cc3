/// What the live picture shows: the peer as one phone sees it, and how that came to be.
package struct LiveState: Equatable, Sendable {
  /// Events that are kept; no terminal has room for more beside the figures.
  private static let mostEvents = 20
  /// How long the past is that trend and sparkline are made of.
  package static let memory = Duration.seconds(12)
  /// How far back the trend looks.
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
  /// In the phone's frame: +x right, +y up, −z out of its back; unit length.
  package var direction: SIMD3<Double>?
  package private(set) var samples: [Sample] = []
  /// What happened last, oldest first.
  package private(set) var events: [String] = []
  /// What to do now, where somebody says so.
  package var headline = ""
  /// The bottom line.
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

  /// Metres a second over the last second, positive when moving apart; `nil` with less than half of that seen.
  package var rate: Double? {
    let recent = samples.filter { $0.time >= time - Self.trendSpan }
    guard let first = recent.first(where: { $0.distance != nil }), let last = recent.last,
      let start = first.distance, let end = last.distance
    else { return nil }
    let span = (last.time - first.time) / .seconds(1)
    return span < 0.5 ? nil : (end - start) / span
  }
}
