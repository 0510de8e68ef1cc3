/// How near a beacon is, roughly. Raw values are `CLProximity`'s.
package enum Proximity: Int, Hashable, Sendable, CaseIterable {
  case unknown = 0
  /// At arm's length: to 0.5 m.
  case immediate
  /// To 3 m.
  case near
  case far

  /// Borders of immediate and near, metres.
  package static let borders = (immediate: 0.5, near: 3.0)

  /// The zone of a distance.
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

/// Keeps a beacon in its zone until another is clearly the likelier.
///
/// A new zone has to be likelier than the old by a margin, and to stay so for a while; and for a minute after a
/// change, going back needs to be all but certain. So a beacon on a border changes at most once a minute, and
/// one that is carried across changes within seconds.
package struct ProximityTracker: Hashable, Sendable {
  package private(set) var proximity = Proximity.unknown
  private var candidate = Proximity.unknown
  private var candidateSince = Duration.zero
  private var left = Proximity.unknown
  private var changed = Duration.zero

  /// How much likelier a new zone has to be: 0.55 to 0.45 of the two.
  private static let margin = 1.1
  /// How long it has to be.
  private static let patience = Duration.seconds(1)
  /// How long after a change the way back is barred, and how likely what is there must be to open it.
  private static let memory = Duration.seconds(60)
  private static let certainty = 0.98

  package init() {}

  /// Takes an estimate, `time` not before the last.
  ///
  /// - Returns: The zone now.
  @discardableResult
  package mutating func take(
    _ estimate: DistanceEstimate, model: PathLossModel, at time: Duration
  ) -> Proximity {
    let inner = estimate.probability(within: Proximity.borders.immediate, model: model)
    let outer = estimate.probability(within: Proximity.borders.near, model: model)
    return take(immediate: inner, near: max(outer - inner, 0), far: 1 - outer, at: time)
  }

  /// Takes how likely each zone is.
  @discardableResult
  package mutating func take(immediate: Double, near: Double, far: Double, at time: Duration) -> Proximity {
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

  /// Nothing is known any more.
  package mutating func lose() {
    // What it was stays known, so that a beacon on a border does not flicker by falling silent.
    candidate = .unknown
  }

  private mutating func enter(_ zone: Proximity, at time: Duration) {
    left = proximity
    changed = time
    proximity = zone
    candidate = .unknown
  }
}
