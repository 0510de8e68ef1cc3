import Foundation
import NearbyCommandLine
import NearbyPosition
import NearbyRecordings
import NearbyScenarios
import NearbySchedule
import NearbySimulator

/// Anchors at fixed places and what surrounds them: read from a scenario or a list of anchors.
struct AnchorLayout {
  struct Anchor {
    var name: String
    var id: Int
    var position: SIMD3<Double>
    /// Where it says it is, metres.
    var surveyed: SIMD3<Double>
    var radio: RadioCharacteristics
  }

  var anchors: [Anchor]
  /// Walls, floors and echoes; no devices.
  var surroundings: Scenario

  /// Least distance of an anchor from the line through the others, metres.
  private static let leastWidth = 0.1
  /// Anchors within this height count as level, metres.
  private static let levelHeight = 0.5

  /// Reads a scenario, an `anchors.csv`, or a folder with one.
  static func read(_ path: String, _ context: CommandContext) throws(CommandError) -> AnchorLayout {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let layout: AnchorLayout
    if exists, isFolder.boolValue {
      let folder = try RecordingFolder.url(path, with: "anchors.csv")
      layout = try list(folder.appendingPathComponent("anchors.csv").path)
    } else if exists, path.lowercased().hasSuffix(".csv") {
      layout = try list(path)
    } else {
      layout = AnchorLayout(try ScenarioFile.read(path, progress: context.errors))
    }
    try layout.check(path)
    return layout
  }

  private static func list(_ path: String) throws(CommandError) -> AnchorLayout {
    do throws(RecordingError) {
      let anchors = try PositionRecording.anchors(file: URL(fileURLWithPath: path))
      return AnchorLayout(
        anchors: anchors.map {
          Anchor(
            name: "\($0.id)", id: $0.id, position: $0.position, surveyed: $0.position, radio: .anchor)
        }, surroundings: .empty)
    } catch {
      throw CommandError(error)
    }
  }

  private init(anchors: [Anchor], surroundings: Scenario) {
    self.anchors = anchors
    self.surroundings = surroundings
  }

  private init(_ scenario: Scenario) {
    anchors = scenario.listenedAnchors.map { anchor in
      Anchor(
        name: anchor.name, id: anchor.id, position: anchor.position, surveyed: anchor.surveyed,
        radio: anchor.radio)
    }
    surroundings = scenario
    surroundings.devices = []
    surroundings.pairs = []
    surroundings.bystanders = []
    surroundings.events = []
    surroundings.beacons = []
    surroundings.anchors = []
  }

  /// For the solver.
  var positionAnchors: [PositionAnchor] { anchors.map { PositionAnchor(id: $0.id, position: $0.surveyed) } }

  /// Whether all anchors are at about one height, so that a tag below can't be told from one above.
  var isLevel: Bool {
    let heights = anchors.map(\.position.z)
    return (heights.max() ?? 0) - (heights.min() ?? 0) < Self.levelHeight
  }

  private func check(_ path: String) throws(CommandError) {
    guard anchors.count >= 3 else {
      let hint =
        "; in a scenario, anchors are entries of 'anchors', or devices of kind accessory that stand still"
      throw .badData("\(path): \(PositionError.tooFewAnchors(count: anchors.count))\(hint)")
    }
    do throws(PositionError) {
      _ = try PositionSolver(anchors: positionAnchors)
    } catch {
      throw .badData("\(path): \(error)")
    }
    guard width >= Self.leastWidth else {
      throw .badData(
        "\(path): all anchors lie on one line in the plan; a tag beside it can't be told from its mirror image"
      )
    }
  }

  /// Largest distance of an anchor from the line through the two that are farthest from each other, in the
  /// plan, metres.
  private var width: Double {
    let places = anchors.map { SIMD2($0.position.x, $0.position.y) }
    func farthest(from place: SIMD2<Double>) -> SIMD2<Double> {
      places.max { Self.squared($0 - place) < Self.squared($1 - place) } ?? place
    }
    // The farthest from any place is one end of the longest line, nearly.
    let first = farthest(from: places[0])
    let along = farthest(from: first) - first
    let length = Self.squared(along).squareRoot()
    guard length > 0 else { return 0 }
    return places.map { place in
      let away = place - first
      return (along.x * away.y - along.y * away.x).magnitude / length
    }.max() ?? 0
  }

  private static func squared(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum() }

  /// The world of this layout with a listening tag and, after it, one more anchor that is switched off.
  ///
  /// Anchor n is radio n, then come the tag and the spare anchor.
  func world(seed: UInt64) -> SimulatedWorld {
    var scenario = surroundings
    scenario.seed = seed
    var world = SimulatedWorld(scenario)
    for anchor in anchors {
      let body = world.addBody(.standing(anchor.position))
      world.addRadio(on: body, anchor.radio, identity: StableHash.of(anchor.name))
    }
    let tag = world.addBody()
    world.addRadio(on: tag, .module, identity: StableHash.of("tag"))
    let spare = world.addBody()
    world.addRadio(on: spare, anchors.first?.radio ?? .anchor, identity: StableHash.of("spare"))
    return world
  }

  /// Index of the tag's and of the spare anchor's body and radio in `world`.
  var tag: Int { anchors.count }
  var spare: Int { anchors.count + 1 }
}
