import NearbyPosition
import NearbySchedule
import NearbySimulator

/// Simulates a tag that stands at places of a floor for some seconds and computes its position with
/// `PositionSolver`.
struct FloorTrial {
  struct Cell: Equatable {
    /// Root mean square errors in the plan and in space, metres; `nil` if no run gave a position.
    var horizontal: Double?
    var total: Double?
    /// Share of the runs that gave a position.
    var answered: Double
  }

  /// Seconds that the tag stands at each place.
  static let stay = 4.0

  private let layout: AnchorLayout
  private let setting: FloorSetting
  private let solver: PositionSolver
  /// One world for each run: other crystals, echoes and directions' errors.
  private var worlds: [SimulatedWorld]

  init(_ layout: AnchorLayout, _ setting: FloorSetting, height: Double) throws(PositionError) {
    self.layout = layout
    self.setting = setting
    var options = PositionOptions()
    if setting.heightSigma != nil {
      options.heights = (height - FloorSetting.knownHeight)...(height + FloorSetting.knownHeight)
    }
    solver = try PositionSolver(anchors: layout.positionAnchors, options: options)
    worlds = (0..<setting.runs).map { layout.world(seed: setting.seed &+ UInt64($0)) }
  }

  mutating func cell(at place: SIMD3<Double>) -> Cell {
    var squares = SIMD3<Double>.zero
    var count = 0.0
    for run in worlds.indices {
      guard let position = position(at: place, in: &worlds[run]) else { continue }
      let error = position - place
      squares += error * error
      count += 1
    }
    guard count > 0 else { return Cell(horizontal: nil, total: nil, answered: 0) }
    return Cell(
      horizontal: ((squares.x + squares.y) / count).squareRoot(),
      total: (squares.sum() / count).squareRoot(), answered: count / Double(worlds.count))
  }

  private func position(at place: SIMD3<Double>, in world: inout SimulatedWorld) -> SIMD3<Double>? {
    world.place(BodyID(index: layout.tag), at: place)
    var solver = solver
    var before: (id: Int, metres: Double)?
    var time = Duration.zero
    let slot = setting.round / layout.anchors.count
    while time.inSeconds < Self.stay {
      for (index, anchor) in layout.anchors.enumerated() {
        time += slot
        guard let frame = world.hear(from: index, by: layout.tag, at: time) else { continue }
        let metres = frame.distance + frame.error
        switch setting.kind {
        case .ranges: add(.range(to: anchor.id), max(0, metres), time, &solver)
        case .differences:
          if let before, before.id != anchor.id {
            add(.difference(from: before.id, to: anchor.id), metres - before.metres, time, &solver)
          }
          before = (anchor.id, metres)
        }
      }
    }
    return solver.estimate(at: time.inSeconds).position
  }

  private func add(
    _ kind: PositionMeasurement.Kind, _ metres: Double, _ time: Duration, _ solver: inout PositionSolver
  ) {
    solver.add(PositionMeasurement(time: time.inSeconds, kind: kind, metres: metres))
  }
}

extension FloorSetting {
  /// How far a known height may be off, metres.
  static let knownHeight = 0.3
  /// Standard deviation of a height that is anywhere within `knownHeight`, metres.
  static let knownHeightSigma = 0.17
}
