import NearbyPosition
import NearbySchedule
import NearbySimulator

/// The Cramér–Rao bound of a layout at places of a floor, with the errors and losses that the simulated world
/// expects there.
struct FloorBound {
  struct Cell: Equatable {
    /// Anchors whose frames arrive, and how many of them without line of sight.
    var heard: Int
    var blocked: Int
    /// Standard deviations along the axes, metres; `nil` if no position is possible.
    var sigma: SIMD3<Double>?
  }

  /// An anchor counts as heard if at least half of its frames arrive.
  private static let leastArrival = 0.5

  let kind: PositionBound.Kind
  /// `nil` if the tag's height is unknown.
  let heightSigma: Double?
  /// Frames of each anchor over which noise is averaged.
  let frames: Double

  private let layout: AnchorLayout
  private var world: SimulatedWorld

  init(_ layout: AnchorLayout, _ setting: FloorSetting) {
    self.layout = layout
    kind = setting.kind
    heightSigma = setting.heightSigma
    frames = setting.framesPerSecond
    world = layout.world(seed: setting.seed)
  }

  /// - Parameter spare: Place of one more anchor, metres.
  mutating func cell(at place: SIMD3<Double>, with spare: SIMD3<Double>? = nil) -> Cell {
    world.place(BodyID(index: layout.tag), at: place)
    var bound = PositionBound(kind, heightSigma: heightSigma)
    var cell = Cell(heard: 0, blocked: 0, sigma: nil)
    for (index, anchor) in layout.anchors.enumerated() {
      add(index, anchor.position, place, &bound, &cell)
    }
    if let spare {
      world.place(BodyID(index: layout.spare), at: spare)
      add(layout.spare, spare, place, &bound, &cell)
    }
    cell.sigma = bound.sigma
    return cell
  }

  /// The cells' information is a sum over anchors, so one more anchor is one more term.
  private mutating func add(
    _ radio: Int, _ anchor: SIMD3<Double>, _ place: SIMD3<Double>, _ bound: inout PositionBound,
    _ cell: inout Cell
  ) {
    let outlook = world.outlook(from: radio, by: layout.tag, at: .zero)
    guard outlook.arrival >= Self.leastArrival else { return }
    cell.heard += 1
    if !outlook.isLineOfSight { cell.blocked += 1 }
    let noise = outlook.noise * outlook.noise / max(1, frames * outlook.arrival)
    bound.add(
      anchor, from: place, sigma: (outlook.lastingError * outlook.lastingError + noise).squareRoot())
  }
}

/// What a tag on the floor measures.
struct FloorSetting {
  var kind: PositionBound.Kind
  /// `nil` if the tag's height is unknown, metres.
  var heightSigma: Double?
  /// Time in which every anchor is heard once.
  var round: Duration
  var seed: UInt64
  /// Simulated stays at each place, each with errors of its own.
  var runs: Int

  var framesPerSecond: Double { 1 / max(round.inSeconds, 1e-3) }
}
