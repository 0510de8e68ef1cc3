import NearbySchedule
import NearbySite
import Testing

@Suite("Positions of parts that can't be taken over")
struct UntakenPartsTests {
  /// A process whose site has some parts of four tags, halfway through a stream. The other process died.
  private struct Case {
    var stream: MessageStream
    var site: SharedSite
    var recent = RecentMessages()
    var untaken = UntakenParts()
    var lost: [Int]
    var rest: ArraySlice<MessageStream.Message>

    init() throws {
      stream = try MessageStream(tags: 4, messages: 1600)
      var site = try stream.site()
      let parts = Set(site.share.partOfTag).sorted()
      lost = Array(parts.suffix(2))
      for part in parts.dropLast(2) { _ = site.take(part, nil, start: 0) }
      var output = SiteEngine.Output()
      for message in stream.messages.prefix(800) {
        site.received(message, &output)
        recent.add(message)
      }
      self.site = site
      rest = stream.messages.dropFirst(800)
    }

    var lostTags: Set<Int> { Set(lost.flatMap { site.share.tags[$0] }) }

    mutating func fail(_ parts: [Int], at seconds: Double, shownElsewhere: Set<Int> = []) {
      untaken.failed(
        parts, at: .seconds(seconds), beside: site, recent: recent, shownElsewhere: shownElsewhere.contains)
    }

    /// Fails twice, the second time after the patience.
    mutating func failLong() {
      fail(lost, at: 8)
      fail(lost, at: 8 + UntakenParts.patience / .seconds(1))
    }

    /// What is shown of messages of the stream.
    mutating func shown(_ messages: some Sequence<MessageStream.Message>) -> SiteEngine.Output {
      var all = SiteEngine.Output()
      for message in messages {
        let output = untaken.received(message)
        all.reports += output.reports
        all.messages += output.messages
        #expect(output.lines.isEmpty && output.events.isEmpty && output.tagLines.isEmpty)
      }
      return all
    }
  }

  @Test("Nothing is shown for half a second, nor after the parts are taken")
  func patience() throws {
    var given = try Case()
    given.fail(given.lost, at: 8)
    given.fail(given.lost, at: 8.49)
    #expect(!given.untaken.isShowing)
    given.untaken.end()
    given.fail(given.lost, at: 8.6)
    #expect(!given.untaken.isShowing)
    given.fail(given.lost, at: 9.1)
    #expect(given.untaken.isShowing)
    given.untaken.end()
    let shown = given.shown(given.rest)
    #expect(shown == SiteEngine.Output())
  }

  @Test(
    "Then the missing tags' positions are shown, and only theirs, as a site that knows the last two seconds")
  func positions() throws {
    var given = try Case()
    given.failLong()
    let shown = given.shown(given.rest)
    #expect(Set(shown.reports.map(\.tag)) == given.lostTags)
    #expect(!shown.messages.isEmpty && shown.messages.allSatisfy { $0.topic.hasSuffix("/position") })
    let newest = try #require(given.stream.messages[799...].first)
    let known = given.stream.messages.prefix(800).filter { $0.time >= newest.time - UntakenParts.history }
    var plain = try given.stream.site(after: known[0].sequence - 1)
    for part in given.lost { _ = plain.take(part, nil, start: known[0].sequence - 1) }
    var (unused, expected) = (SiteEngine.Output(), SiteEngine.Output())
    for message in known { plain.received(message, &unused) }
    for message in given.rest { plain.received(message, &expected) }
    #expect(shown.reports == expected.reports)
  }

  @Test("A part that another process shows is left to it; one that it shows no more is shown again")
  func elsewhere() throws {
    var given = try Case()
    let tags = given.site.share.tags
    let (first, second) = (given.lost[0], given.lost[1])
    given.fail(given.lost, at: 8)
    given.fail(given.lost, at: 9, shownElsewhere: Set(tags[first]))
    let some = given.shown(given.rest.prefix(400))
    #expect(Set(some.reports.map(\.tag)) == Set(tags[second]))
    given.fail(given.lost, at: 13, shownElsewhere: given.lostTags)
    #expect(!given.untaken.isShowing)
    given.fail(given.lost, at: 13.2)
    #expect(given.untaken.isShowing)
  }

  @Test("While the stream is silent too, positions follow from the readings that arrive")
  func silence() throws {
    var given = try Case()
    given.failLong()
    var tags: Set<Int> = []
    for message in given.rest {
      let output = given.untaken.readingArrived(
        topic: message.topic, payload: message.payload, time: message.time,
        at: .seconds(message.time - MessageStream.start))
      tags.formUnion(output.reports.map(\.tag))
    }
    #expect(tags == given.lostTags)
  }

  @Test("With no message in memory, tags start from the next ones")
  func nothingRecent() throws {
    var given = try Case()
    given.recent = RecentMessages()
    given.failLong()
    let shown = given.shown(given.rest)
    #expect(Set(shown.reports.map(\.tag)) == given.lostTags)
  }
}
