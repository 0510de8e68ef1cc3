import NearbyMaths
import NearbySchedule
import NearbySite
import Testing

@Suite("Tags of the other processes of a shared site")
struct OtherTagsTests {
  private let plan: SitePlan
  private let digest: UInt64

  init() throws {
    var plan = try SitePlan(parsing: exampleSite, file: "site.json")
    plan.tags = (0..<1200).map { SitePlan.Tag(id: "t\($0)", name: "Tag \($0)") }
    plan.silence = 2
    self.plan = plan
    digest = SiteShare(plan).digest
  }

  private static func report(_ tag: Int, x: Double = 1, time: Double = 100) -> SiteReport {
    SiteReport(
      tag: tag, time: time,
      position: SitePosition(
        position: [x, 2, 1], velocity: nil, covariance: (0.01, 0.02, 0.03, 0, 0, 0), floor: 0,
        source: .ultraWideband, time: time),
      nearest: SiteNearness(receiver: 1, metres: 2.5, sigma: nil, time: time), room: 0, isRoomNew: false)
  }

  private func octets(
    _ tags: [SiteView.Tag], events: [SiteFenceEvent] = [], member: UInt64 = 7
  ) -> [[UInt8]] {
    SiteView.views(digest: digest, member: member, tags: tags, events: events).map(\.octets)
  }

  private func view(_ tags: Range<Int>) -> [SiteView.Tag] {
    tags.map { SiteView.Tag(report: Self.report($0), fences: $0 % 2 == 0 ? [0] : []) }
  }

  @Test(
    "A view goes through octets unchanged; many tags make several views, each far below a message's limit")
  func octets() throws {
    let event = SiteFenceEvent(kind: .dwell, tag: 3, fence: 0, time: 99, seconds: 10, position: nil)
    let tags = view(0..<1200)
    let views = SiteView.views(digest: digest, member: 7, tags: tags, events: [event])
    #expect(views.count == 3 && views.flatMap(\.tags) == tags && views.flatMap(\.events) == [event])
    for view in views {
      #expect(SiteView(parsing: view.octets, plan, digest: digest) == view)
      #expect(view.octets.count < 256 << 10)
    }
  }

  @Test("Reports of others are shown beside the own ones, which count more; news is told once")
  func merged() {
    var others = OtherTags(plan, digest: digest, own: 1)
    for octets in octets(view(4..<8)) {
      let isView = others.received(octets, at: .zero)
      #expect(isView)
    }
    let own = [Self.report(5, x: 9), Self.report(20)]
    let reports = others.reports(beside: own, at: .seconds(1))
    #expect(reports.map(\.tag) == [4, 5, 6, 7, 20] && reports[1].position?.position.x == 9)
    let occupants = others.occupants([[20], []], beside: own, at: .seconds(1))
    #expect(occupants == [[4, 6, 20], []])
    let (news, later) = (others.takeNews(), others.takeNews())
    #expect(news.reports.map(\.tag) == [4, 5, 6, 7] && later.reports.isEmpty)
  }

  @Test("A tag that no process tells about any more is dropped after the site's silence")
  func silence() {
    var others = OtherTags(plan, digest: digest, own: 1)
    for octets in octets(view(0..<2)) { others.received(octets, at: .zero) }
    for octets in octets(view(1..<2)) { others.received(octets, at: .seconds(1.5)) }
    for (time, tags) in [(2, [0, 1]), (2.1, [1]), (4, [])] {
      let reports = others.reports(beside: [], at: .seconds(time))
      #expect(reports.map(\.tag) == tags)
    }
  }

  @Test("Own views, views of another plan and octets of strangers change nothing")
  func strangers() throws {
    var others = OtherTags(plan, digest: digest, own: 7)
    let good = try #require(octets(view(0..<3)).first)
    let isOwnTaken = others.received(good, at: .zero)
    var other = OtherTags(plan, digest: digest &+ 1, own: 1)
    let isOtherTaken = other.received(good, at: .zero)
    #expect(!isOwnTaken && !isOtherTaken)
    var noise = NoiseStream(seed: 3)
    others = OtherTags(plan, digest: digest, own: 1)
    for octets in (0..<good.count).map({ Array(good.prefix($0)) }) + [good + [0]] {
      let isTaken = others.received(octets, at: .zero)
      #expect(!isTaken)
    }
    for _ in 0..<20_000 {
      var octets = good
      octets[16 + Int(noise.uniform() * Double(octets.count - 16))] = UInt8(noise.uniform() * 256)
      others.received(octets, at: .zero)
    }
    let reports = others.reports(beside: [], at: .zero)
    #expect(reports.allSatisfy { plan.tags.indices.contains($0.tag) && $0.time.isFinite })
    let smaller = try SitePlan(parsing: exampleSite, file: "site.json")
    #expect(SiteView(parsing: octets(view(900..<901))[0], smaller, digest: digest) == nil)
  }

  @Test("Events that nobody takes are bounded")
  func bounded() {
    var others = OtherTags(plan, digest: digest, own: 1)
    let events = (0..<20_000).map {
      SiteFenceEvent(kind: .enter, tag: $0 % 1200, fence: 0, time: 5, seconds: 0, position: nil)
    }
    for octets in octets([], events: events) { others.received(octets, at: .zero) }
    let news = others.takeNews()
    #expect(news.events.count == 10_000)
  }
}
