import NearbyMaths
import NearbySchedule
import NearbySite
import Testing

@Suite("Fusion of a site's readings")
struct SiteFusionTests {
  private let plan: SitePlan
  private static let start = 1_700_000_000.0

  init() throws { plan = try SitePlan(parsing: exampleSite, file: "site.json") }

  /// Ranges of a tag that is at `place(t)`, from each receiver ten times a second with 10 cm of noise.
  private func run(
    _ fusion: inout SiteFusion, seconds: ClosedRange<Double>, tag: Int = 0, seed: UInt64 = 1,
    place: (Double) -> SIMD3<Double>
  ) -> [SiteOutput] {
    var noise = NoiseStream(seed: seed, UInt64(tag))
    var outputs: [SiteOutput] = []
    var step = 0
    while true {
      let time = seconds.lowerBound + Double(step) / 50
      guard time <= seconds.upperBound else { return outputs }
      let receiver = step % plan.receivers.count
      let across = place(time) - plan.receivers[receiver].position
      let metres = (across * across).sum().squareRoot() + 0.1 * noise.normal()
      let now = Self.start + time
      fusion.add(
        SiteReading(tag: tag, receiver: receiver, value: .range(metres: metres, sigma: nil), time: now),
        now: now + 0.01, &outputs)
      step += 1
    }
  }

  @Test(
    "Ranges give positions, the room, and an entry, dwell and exit of a fence, in this order",
    arguments: 1...5)
  func walk(seed: UInt64) throws {
    var fusion = try SiteFusion(plan)
    // Walks through the show case's fence (radius 2 around (5, 4)), pauses in it, and goes to the shop.
    let outputs = run(&fusion, seconds: 0...40, seed: seed) { time in
      let x = time < 10 ? 1 + 0.4 * time : time < 20 ? 5 : 5 + 0.5 * (time - 20)
      return SIMD3(min(x, 14), 4, 1.2)
    }
    #expect(outputs.first == .appeared(tag: 0, time: Self.start))
    let events = outputs.compactMap { output -> SiteFenceEvent? in
      if case .fence(let event) = output { event } else { nil }
    }
    #expect(events.map(\.kind) == [.enter, .dwell, .exit])
    // It crosses the fence's border at 5 s and at 24 s.
    #expect(abs(events[0].time - Self.start - 5) < 2.5, "\(events[0].time - Self.start)")
    #expect(abs(events[2].time - Self.start - 26) < 3, "\(events[2].time - Self.start)")
    let report = try #require(fusion.report(of: 0))
    #expect(report.room == 1)
    let position = try #require(report.position)
    #expect(abs(position.position.x - 14) < 0.5)
    #expect(abs(position.position.x - 14) < 4 * position.sigma.x)
    #expect(position.source == .ultraWideband)
    #expect(fusion.counts.used > 1900)
  }

  @Test("A tag on a room's border does not flicker between rooms", arguments: 1...5)
  func border(seed: UInt64) throws {
    var fusion = try SiteFusion(plan)
    let outputs = run(&fusion, seconds: 0...120, seed: seed) { time in
      SIMD3(10 + 0.1 * Maths.sin(time), 4, 1.2)
    }
    let changes = outputs.count { if case .report(let report) = $0 { report.isRoomNew } else { false } }
    #expect(changes <= 3)
  }

  @Test("A tag that falls silent leaves its fences and vanishes once")
  func silence() throws {
    var fusion = try SiteFusion(plan)
    _ = run(&fusion, seconds: 0...10) { _ in SIMD3(5, 4, 1.2) }
    #expect(fusion.fences(of: 0).map(\.fence) == [0])
    var outputs: [SiteOutput] = []
    fusion.advance(now: Self.start + 20, &outputs)
    #expect(outputs.isEmpty)
    fusion.advance(now: Self.start + 26, &outputs)
    fusion.advance(now: Self.start + 27, &outputs)
    #expect(outputs.count == 2)
    guard case .fence(let event)? = outputs.first else {
      Issue.record("expected an exit, found \(outputs)")
      return
    }
    #expect(event.kind == .exit)
    #expect(outputs.last == .vanished(tag: 0, time: Self.start + 26))
    #expect(fusion.report(of: 0) == nil)
    #expect(fusion.presentCount == 0)
  }

  @Test("Loudness alone gives a position within a few metres and the room")
  func beacon() throws {
    var fusion = try SiteFusion(plan)
    var noise = NoiseStream(seed: 3)
    var outputs: [SiteOutput] = []
    for step in 0..<300 {
      let now = Self.start + Double(step) / 10
      let receiver = step % 5
      let across = SIMD3(14, 4, 1.3) - plan.receivers[receiver].position
      let loss = 20 * Maths.log((across * across).sum().squareRoot()) / 2.302585 + 4 * noise.normal()
      fusion.add(
        SiteReading(
          tag: 1, receiver: receiver,
          value: .loudness(rssi: (-59 - loss - plan.receivers[receiver].offset).rounded(), power: -59),
          time: now), now: now, &outputs)
    }
    let report = try #require(fusion.report(of: 1))
    let position = try #require(report.position)
    let error = SIMD2(position.position.x - 14, position.position.y - 4)
    #expect((error * error).sum().squareRoot() < 3)
    #expect(position.source == .beacon)
    #expect(report.nearest?.receiver == 4)
    #expect(report.room == 1)
    #expect(fusion.counts.rejected == 0)
  }

  @Test("Impossible, late and early readings are counted with their reason")
  func rejections() throws {
    var fusion = try SiteFusion(plan)
    var outputs: [SiteOutput] = []
    let now = Self.start
    func add(_ value: SiteReading.Value, tag: Int = 0, receiver: Int = 0, time: Double = 0) {
      fusion.add(
        SiteReading(tag: tag, receiver: receiver, value: value, time: now + time), now: now, &outputs)
    }
    add(.range(metres: 3, sigma: nil))
    add(.range(metres: 3, sigma: nil), tag: 9)
    add(.range(metres: 3, sigma: nil), receiver: 9)
    add(.range(metres: .nan, sigma: nil))
    add(.range(metres: -5, sigma: nil))
    add(.range(metres: 3, sigma: nil), time: -1)
    add(.range(metres: 3, sigma: nil), time: 5)
    add(.range(metres: 3, sigma: nil), time: .infinity)
    add(.difference(from: 99, metres: 1, sigma: nil))
    add(.loudness(rssi: 127, power: nil))
    add(.loudness(rssi: 0, power: nil))
    #expect(fusion.counts.used == 1)
    #expect(fusion.counts.rejected(for: .unknownTag) == 1)
    #expect(fusion.counts.rejected(for: .unknownReceiver) == 2)
    #expect(fusion.counts.rejected(for: .impossible) == 5)
    #expect(fusion.counts.rejected(for: .late) == 1)
    #expect(fusion.counts.rejected(for: .ahead) == 1)
    #expect(fusion.counts.rejected == 10)
  }

  @Test("Numbers that came before are duplicates, old ones are late, and a restart is recognised")
  func sequence() {
    var window = SequenceWindow()
    #expect(window.admit(100) == nil)
    #expect(window.admit(102) == nil)
    #expect(window.admit(101) == nil)
    #expect(window.admit(101) == .duplicate)
    #expect(window.admit(102) == .duplicate)
    #expect(window.admit(300) == nil)
    #expect(window.admit(237) == nil)
    #expect(window.admit(236) == .late)
    #expect(window.admit(.max) == nil)
    #expect(window.admit(.max) == .duplicate)
    for number in 0..<15 { #expect(window.admit(UInt64(number)) == .late) }
    #expect(window.admit(15) == nil)
    #expect(window.admit(16) == nil)
  }

  @Test("The same readings give the same outputs")
  func determinism() throws {
    func outputs() throws -> [SiteOutput] {
      var fusion = try SiteFusion(plan)
      return run(&fusion, seconds: 0...10) { SIMD3(1 + 0.5 * $0, 4, 1.2) }
    }
    let (first, second) = (try outputs(), try outputs())
    #expect(first == second)
  }
}
