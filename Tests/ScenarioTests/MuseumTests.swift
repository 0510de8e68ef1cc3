import NearbyInteraction
import NearbyTesting
import Testing

@testable import Museum

@Suite("Museum: Apple's finding flow")
struct MuseumTests {
  @Test(
    "A visitor is led to an exhibit behind them: side to side, arrow, sphere, which then stays",
    arguments: 1...10 as ClosedRange<UInt64>)
  func finds(seed: UInt64) throws {
    let phases = Phases()
    let museum = Museum(seed: seed) { phases.note($0) }
    museum.advance(by: .seconds(40))
    // From afar the height matters little, so the sphere may be there before the visitor is asked to move up and down.
    #expect(phases.names.filter { $0 != "moveUpAndDown" } == ["moveSideToSide", "followArrow", "placed"])
    #expect(
      phases.all.drop { !$0.hasPrefix("placed") }.allSatisfy { $0.hasPrefix("placed") },
      "no other phase follows the sphere")
    guard case .placed(_, let distance) = museum.app.phase else {
      Issue.record("not placed: phase \(museum.app.phase), missing \(museum.app.missing)")
      return
    }
    #expect(distance < 2.5, "the visitor has not reached the exhibit")
    let error = try #require(museum.error)
    #expect(error.horizontal < 0.7, "\(error)")
    #expect(error.vertical < 0.7, "\(error)")
    #expect(museum.app.spheres.count == 1)
    #expect(museum.app.missing.isEmpty)
    #expect(phases.firstAngle.map { abs($0) > .pi / 2 } == true, "the arrow should point behind at first")
  }

  @Test("A visitor who is near before the exhibit's place is known is asked to move up and down")
  func near() {
    let phases = Phases()
    Museum(seed: 1) { phases.note($0) }.advance(by: .seconds(40))
    #expect(phases.names == ["moveSideToSide", "followArrow", "moveUpAndDown", "placed"])
  }

  @Test("The same seed gives the same run")
  func deterministic() {
    func run(_ seed: UInt64) -> [String] {
      let phases = Phases()
      Museum(seed: seed) { phases.note($0) }.advance(by: .seconds(12))
      return phases.all
    }
    #expect(run(3) == run(3))
    #expect(run(3) != run(4))
  }

  @Test("In the dark the exhibit is not found; with light the flow continues")
  func dark() {
    let museum = Museum(seed: 2)
    museum.phone.setLight(5)
    museum.advance(by: .seconds(10))
    #expect(museum.app.phase == .moveSideToSide)
    #expect(museum.app.missing.contains(.insufficientLighting))
    museum.phone.setLight(800)
    museum.advance(by: .seconds(40))
    #expect(!museum.app.spheres.isEmpty)
  }

  @Test("Denying the camera or nearby interaction ends the flow")
  func refusals() {
    let camera = Museum(seed: 1)
    camera.phone.setCameraAnswer(.deny)
    camera.advance(by: .seconds(5))
    #expect(camera.app.phase == .stopped(NIError(.userDidNotAllow).localizedDescription))
    let nearby = Museum(seed: 1)
    nearby.phone.setAnswer(.deny)
    nearby.advance(by: .seconds(5))
    #expect(nearby.app.phase == .stopped(NIError(.userDidNotAllow).localizedDescription))
  }

  @Test("The flow stops on a phone without camera assistance and on a pair without extended distance")
  func unsupported() throws {
    let world = World()
    let exhibit = world.addPhone("Exhibit").launch { ExhibitApp() }
    let token = try #require(exhibit.token)
    let watch = world.addPhone("Watch", profile: .watch)
    let plain = world.addPhone("Plain")
    for phone in [watch, plain] {
      let app = phone.launch { FindingApp(seconds: { 0 }) }
      phone.launch { app.find(token) }
      guard case .stopped = app.phase else {
        Issue.record("\(phone.name): \(app.phase)")
        continue
      }
    }
  }

  @Test("The app still finds the exhibit after it was in the background")
  func background() {
    let museum = Museum(seed: 5)
    museum.advance(by: .seconds(8))
    museum.phone.suspend()
    museum.world.advance(by: .seconds(5))
    museum.phone.resume()
    museum.advance(by: .seconds(40))
    #expect(!museum.app.spheres.isEmpty)
    if case .placed(_, let distance) = museum.app.phase { #expect(distance < 3) }
  }
}

@Suite("Museum: signal quality")
struct QualityEstimatorTests {
  @Test(
    "More than eight distinct distances in the last two seconds determine the quality",
    arguments: [
      (8, Float(5), QualityEstimator.Quality.unknown), (9, 5, .close), (9, 9.9, .close), (9, 10.5, .good),
      (9, 49, .good), (9, 51, .unknown),
    ])
  func quality(count: Int, distance: Float, expected: QualityEstimator.Quality) {
    var estimator = QualityEstimator()
    for index in 0..<count { estimator.add(distance + Float(index) * 0.01, at: Double(index) * 0.1) }
    #expect(estimator.quality(at: 1) == expected)
  }

  @Test("Repeated and old distances are not counted")
  func notCounted() {
    var estimator = QualityEstimator()
    for index in 0..<20 { estimator.add(5, at: Double(index) * 0.1) }
    #expect(estimator.quality(at: 2) == .unknown)
    for index in 0..<12 { estimator.add(5 + Float(index), at: 2 + Double(index) * 0.01) }
    #expect(estimator.quality(at: 2.2) != .unknown)
    #expect(estimator.quality(at: 4.5) == .unknown)
  }
}

/// The phases that the app has shown, in order.
private final class Phases: @unchecked Sendable {
  // Used on the one thread that advances time.
  private(set) var all: [String] = []
  private(set) var names: [String] = []
  private(set) var firstAngle: Float?

  func note(_ phase: FindingApp.Phase) {
    all.append("\(phase)")
    let name = String("\(phase)".prefix { $0 != "(" })
    if !names.contains(name) { names.append(name) }
    if case .followArrow(let angle, _) = phase { firstAngle = firstAngle ?? angle }
  }
}
