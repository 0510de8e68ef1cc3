/// The storey that a tag is on.
public struct PositionFloor: Hashable, Sendable {
  /// The storey's number, as its anchors announce it.
  public var number: Double
  /// Height of the tag above the storey's floor, metres; slightly negative if the position is a little low.
  public var heightAboveFloor: Double
}

/// The storeys of a building, from the anchors that announce theirs.
struct Storeys: Sendable {
  private struct Storey: Sendable {
    var number: Double
    /// Height of its floor in the anchors' frame, metres: the mean over its anchors.
    var level: Double
  }

  /// How far below its floor a tag may seem to be, metres.
  private static let tolerance = 0.5
  /// Deviation, in stated standard deviations, at which the tag must still be on the same storey.
  private static let certainty = 1.0

  /// From the lowest to the highest.
  private let storeys: [Storey]

  init(_ anchors: [PositionAnchor]) {
    var sums: [Double: (level: Double, count: Double)] = [:]
    for anchor in anchors {
      guard let floor = anchor.floor else { continue }
      let level = anchor.position.z - floor.heightAboveFloor
      let sum = sums[floor.number] ?? (0, 0)
      sums[floor.number] = (sum.level + level, sum.count + 1)
    }
    storeys = sums.map { Storey(number: $0.key, level: $0.value.level / $0.value.count) }
      .sorted { ($0.level, $0.number) < ($1.level, $1.number) }
  }

  /// The storey at a height; `nil` if no anchor announces one, or if the height is too uncertain to tell two
  /// apart.
  func storey(at height: Double, sigma: Double) -> PositionFloor? {
    guard let chosen = index(at: height) else { return nil }
    let reach = Self.certainty * sigma
    guard index(at: height - reach) == chosen, index(at: height + reach) == chosen else { return nil }
    let storey = storeys[chosen]
    return PositionFloor(number: storey.number, heightAboveFloor: height - storey.level)
  }

  /// The highest storey whose floor is not above a height; the lowest if all are.
  private func index(at height: Double) -> Int? {
    storeys.lastIndex { $0.level <= height + Self.tolerance } ?? (storeys.isEmpty ? nil : 0)
  }
}
