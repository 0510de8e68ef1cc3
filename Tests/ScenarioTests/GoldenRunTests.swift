import Foundation
import NearbyInteraction
import NearbyTesting
import TestSupport
import Testing

@Suite("Reproducible runs")
struct GoldenRunTests {
  private let queue = DispatchQueue(label: "apps")

  private func app(_ phone: Phone, _ world: World, _ history: RunHistory) -> Chronicler {
    phone.launch { Chronicler(name: phone.name, world: world, history: history, queue: queue) }
  }

  // MARK: One small run, line by line

  /// Three phones: a pair that meets, and a third that ranges with the first; a wall, a walk, silence, a
  /// pause, the background, an end.
  private func story(seed: UInt64) -> [String] {
    let world = World(seed: seed)
    let history = RunHistory()
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 4, 1.2], heading: 180)
    let cat = world.addPhone("Cat", at: [2, 3, 1.5], heading: 200, profile: .watch)
    let (atAnn, atBen, atCat) = (app(ann, world, history), app(ben, world, history), app(cat, world, history))
    let second = app(ann, world, history)
    atAnn.run(atBen)
    atBen.run(atAnn)
    world.at(.milliseconds(700)) {
      second.run(atCat)
      atCat.run(second)
    }
    world.at(.seconds(2)) { ben.walk(to: [1, 7, 1.2], speed: 1.3) }
    world.at(.seconds(3)) { world.addWall(from: [-3, 5], to: [3, 5], height: 4, material: .drywall) }
    world.at(.seconds(5)) { cat.suspend() }
    world.at(.milliseconds(6_500)) {
      cat.resume()
      atCat.runAgain()
    }
    world.at(.seconds(8)) { ann.turn(heading: 40) }
    world.at(.seconds(9)) { world.loseFrames(0.4) }
    world.at(.seconds(11)) { atBen.session.pause() }
    world.at(.seconds(12)) { second.session.invalidate() }
    world.advance(by: .seconds(24))
    return history.lines
  }

  private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/Runs/three-phones.txt")

  /// `NEARBY_WRITE_FIXTURES=1` writes the result of this run. Review the difference before you commit it.
  @Test("A run with three phones matches the committed one line by line")
  func golden() throws {
    let lines = story(seed: 11)
    if ProcessInfo.processInfo.environment["NEARBY_WRITE_FIXTURES"] == "1" {
      try FileManager.default.createDirectory(
        at: Self.fixture.deletingLastPathComponent(), withIntermediateDirectories: true)
      try (lines.joined(separator: "\n") + "\n").write(to: Self.fixture, atomically: true, encoding: .utf8)
      return
    }
    let expected = try String(contentsOf: Self.fixture, encoding: .utf8).split(separator: "\n").map(
      String.init)
    let difference = zip(lines, expected).enumerated().first { $0.element.0 != $0.element.1 }
    if let difference {
      Issue.record(
        "line \(difference.offset + 1): now \"\(difference.element.0)\", was \"\(difference.element.1)\"")
    }
    #expect(lines.count == expected.count)
  }

  @Test("The same seed gives the same lines; another seed gives different ones")
  func seeds() {
    let first = story(seed: 5)
    #expect(first == story(seed: 5))
    #expect(first != story(seed: 6))
  }

  // MARK: Many devices

  /// Pairs on a grid, 20 m apart, each with its own distance and speed.
  private func crowd(
    seed: UInt64, pairs: Int, order: [Int], seconds: Int, strangers: Int = 0
  ) -> RunHistory {
    let world = World(seed: seed, drainsMainQueue: false)
    let history = RunHistory()
    var apps: [Int: Chronicler] = [:]
    for stranger in 0..<strangers {
      let place = SIMD3(20_000 + Double(stranger) * 3, 0, 1.2)
      apps[-1 - stranger] = app(world.addPhone("stranger \(stranger)", at: place), world, history)
    }
    let row = max(Int(Double(pairs).squareRoot()), 1)
    for index in order {
      let pair = index / 2
      let corner = SIMD3(Double(pair % row) * 20, Double(pair / row) * 20, 1.2)
      let isFirst = index % 2 == 0
      let place = isFirst ? corner : corner + SIMD3(0, 1 + Double(pair % 7), 0)
      let phone = world.addPhone("phone \(index)", at: place, heading: isFirst ? 0 : 180)
      if !isFirst { phone.walk(to: place + SIMD3(1, 3, 0), speed: 0.5 + Double(pair % 3)) }
      apps[index] = app(phone, world, history)
    }
    for stranger in stride(from: 1, to: strangers, by: 2) {
      if let one = apps[-stranger], let other = apps[-1 - stranger] {
        one.run(other)
        other.run(one)
      }
    }
    for index in order { if let app = apps[index], let peer = apps[index ^ 1] { app.run(peer) } }
    world.advance(by: .seconds(seconds))
    return history
  }

  @Test("Two runs with 1000 devices give the same history", .tags(.slow))
  func thousand() {
    func run() -> [String] { crowd(seed: 3, pairs: 500, order: Array(0..<1000), seconds: 2).lines }
    let first = run()
    #expect(first.count > 10_000)
    #expect(first == run())
  }

  @Test("The order in which devices join a world does not change what each receives")
  func order() {
    let ordered = crowd(seed: 8, pairs: 12, order: Array(0..<24), seconds: 4)
    var random = SeededGenerator(seed: 2)
    let shuffled = crowd(seed: 8, pairs: 12, order: Array(0..<24).shuffled(using: &random), seconds: 4)
    for index in 0..<24 {
      #expect(!ordered.lines(of: "phone \(index)").isEmpty)
      #expect(ordered.lines(of: "phone \(index)") == shuffled.lines(of: "phone \(index)"))
    }
  }

  @Test("Devices out of range do not change the results")
  func strangers() {
    let alone = crowd(seed: 9, pairs: 3, order: Array(0..<6), seconds: 4)
    let among = crowd(seed: 9, pairs: 3, order: Array(0..<6), seconds: 4, strangers: 8)
    #expect(among.lines.count > alone.lines.count)
    for index in 0..<6 {
      #expect(alone.lines(of: "phone \(index)") == among.lines(of: "phone \(index)"))
    }
  }
}
