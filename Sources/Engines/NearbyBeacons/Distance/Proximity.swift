/// Rough distance of a beacon. Raw values are those of `CLProximity`.
package enum Proximity: Int, Hashable, Sendable, CaseIterable {
  case unknown = 0
  /// Within arm's length, up to 0.5 m.
  case immediate
  /// Up to 3 m.
  case near
  case far

  /// Upper limits of immediate and near, metres.
  package static let borders = (immediate: 0.5, near: 3.0)

  /// The zone of a distance in metres.
  package init(distance: Double) {
    self = distance < Self.borders.immediate ? .immediate : distance < Self.borders.near ? .near : .far
  }
}

extension Proximity: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown: "unknown"
    case .immediate: "immediate"
    case .near: "near"
    case .far: "far"
    }
  }
}

/// Keeps a beacon in its zone until another one is clearly more likely.
///
/// A new zone has to be more likely than the old one by a margin, and stay so for a while. For a minute after
/// a change, going back requires near certainty. So a beacon on a border changes at most once a minute, while
/// one that is carried across changes within seconds.
package struct ProximityTracker: Hashable, Sendable {
  package private(set) var proximity = Proximity.unknown
  private var candidate = Proximity.unknown
  private var candidateSince = Duration.zero
  private var left = Proximity.unknown
  private var changed = Duration.zero

  /// How many times as likely a new zone has to be: 0.55 to 0.45 between the two.
  private static let margin = 1.1
  /// How long it has to be so.
  private static let patience = Duration.seconds(1)
  /// How long going back is barred after a change, and the probability that lifts the bar.
  private static let memory = Duration.seconds(60)
  private static let certainty = 0.98

  package init() {}

  /// Adds an estimate.
  ///
  /// - Parameter time: Not before the last one.
  /// - Returns: The zone after it.
  @discardableResult
  package mutating func update(
    _ estimate: DistanceEstimate, model: PathLossModel, at time: Duration
  ) -> Proximity {
    let inner = estimate.probability(within: Proximity.borders.immediate, model: model)
    let outer = estimate.probability(within: Proximity.borders.near, model: model)
    return update(immediate: inner, near: max(outer - inner, 0), far: 1 - outer, at: time)
  }

  /// Adds the probability of each zone.
  @discardableResult
  package mutating func update(immediate: Double, near: Double, far: Double, at time: Duration) -> Proximity {
    let shares = [(Proximity.immediate, immediate), (.near, near), (.far, far)]
    let likeliest = shares.reduce((.near, near)) { $1.1 > $0.1 ? $1 : $0 }
    guard proximity != .unknown else {
      enter(likeliest.0, at: time)
      return proximity
    }
    let own = shares.first { $0.0 == proximity }?.1 ?? 0
    guard likeliest.0 != proximity, likeliest.1 > own * Self.margin else {
      candidate = .unknown
      return proximity
    }
    if candidate != likeliest.0 {
      candidate = likeliest.0
      candidateSince = time
    }
    let isBarred = likeliest.0 == left && time - changed < Self.memory && likeliest.1 < Self.certainty
    if !isBarred, time - candidateSince >= Self.patience { enter(likeliest.0, at: time) }
    return proximity
  }

  /// Marks the distance as unknown.
  package mutating func lose() {
    // `proximity` stays, so that a beacon on a border does not flicker when it falls silent.
    candidate = .unknown
  }

  private mutating func enter(_ zone: Proximity, at time: Duration) {
    left = proximity
    changed = time
    proximity = zone
    candidate = .unknown
  }
}
