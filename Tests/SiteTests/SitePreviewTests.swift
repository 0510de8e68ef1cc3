import NearbySite
import Testing

@Suite("Positions of a shared site while its stream is silent")
struct SitePreviewTests {
  private static let patience = SitePreview.patience / .seconds(1)

  /// A site that has read some of a stream, with the messages that it has not.
  private struct Case {
    var stream: MessageStream
    var site: SharedSite
    var preview = SitePreview()
    var rest: ArraySlice<MessageStream.Message>

    init() throws {
      stream = try MessageStream(tags: 4, messages: 800)
      site = try stream.site()
      for part in 0..<site.share.count { _ = site.take(part, nil, start: 0) }
      var output = SiteEngine.Output()
      for message in stream.messages.prefix(400) { site.received(message, &output) }
      rest = stream.messages.dropFirst(400)
    }

    /// The message passes by beside the stream, at its own time.
    mutating func pass(_ message: MessageStream.Message) -> SiteEngine.Output {
      guard preview.readingArrived(at: .seconds(message.time - MessageStream.start)) else {
        return SiteEngine.Output()
      }
      return preview.show(topic: message.topic, payload: message.payload, time: message.time, beside: site)
    }

    /// All tags' states.
    var states: [[UInt8]] { stream.plan.tags.indices.map { site.engine.state(of: $0) } }
  }

  @Test("Nothing is shown while the stream keeps up, however late its messages come")
  func keepsUp() throws {
    var given = try Case()
    var output = SiteEngine.Output()
    let lag = 35
    for (index, message) in given.rest.enumerated() {
      let shown = given.pass(message)
      #expect(shown == SiteEngine.Output())
      guard index >= lag else { continue }
      given.preview.streamResumed()
      given.site.received(given.rest[given.rest.startIndex + index - lag], &output)
    }
    #expect(!given.preview.isShowing && !output.reports.isEmpty)
  }

  @Test("When the stream falls silent, positions follow after a moment, as the stream would have had them")
  func silence() throws {
    var given = try Case()
    var shown: [(time: Double, output: SiteEngine.Output)] = []
    let begin = try #require(given.rest.first).time
    for message in given.rest {
      let output = given.pass(message)
      if !output.messages.isEmpty { shown.append((message.time - begin, output)) }
    }
    let first = try #require(shown.first)
    #expect(first.time >= Self.patience && first.time < 1.5)
    let tags = Set(shown.flatMap { $0.output.reports.map(\.tag) })
    #expect(tags == Set(0..<4))
    for (_, output) in shown {
      #expect(output.messages.allSatisfy { $0.topic.hasSuffix("/position") })
      #expect(output.lines.isEmpty && output.events.isEmpty && output.tagLines.isEmpty)
    }
    // As a site that did not see the first moment.
    var expected = SiteEngine.Output()
    for message in given.rest where message.time - begin >= Self.patience {
      var message = message
      message.sequence = given.site.position + 1
      given.site.received(message, &expected)
    }
    #expect(shown.flatMap(\.output.reports) == expected.reports)
  }

  @Test("When the stream speaks again, the site is the one that never saw the copy")
  func exactness() throws {
    var (given, plain) = (try Case(), try Case())
    for message in given.rest { _ = given.pass(message) }
    #expect(given.preview.isShowing)
    given.preview.streamResumed()
    #expect(!given.preview.isShowing)
    var (one, other) = (SiteEngine.Output(), SiteEngine.Output())
    for message in given.rest {
      given.site.received(message, &one)
      plain.site.received(message, &other)
    }
    #expect(given.states == plain.states && one == other)
    #expect(given.site.tally == plain.site.tally)
  }

  @Test(
    "A copy ends with its silence: the next one starts from the stream's last message, after a moment again")
  func again() throws {
    var given = try Case()
    for message in given.rest.prefix(200) { _ = given.pass(message) }
    #expect(given.preview.isShowing)
    given.preview.streamResumed()
    let next = try #require(given.rest.dropFirst(200).first)
    let output = given.pass(next)
    #expect(output == SiteEngine.Output() && !given.preview.isShowing)
  }

  @Test("A copy ends two seconds after the last reading")
  func lapse() throws {
    var given = try Case()
    for message in given.rest.prefix(200) { _ = given.pass(message) }
    let last = try #require(given.rest.prefix(200).last).time - MessageStream.start
    given.preview.timePassed(at: .seconds(last + 2))
    #expect(given.preview.isShowing)
    given.preview.timePassed(at: .seconds(last + 2.1))
    #expect(!given.preview.isShowing)
  }

  @Test("Payloads of strangers are shown as nothing")
  func strangers() throws {
    var given = try Case()
    for (index, message) in given.rest.enumerated() {
      var message = message
      message.payload = Array(message.payload.prefix(index % 17)) + [255, 0]
      let output = given.pass(message)
      #expect(output.reports.isEmpty && output.messages.isEmpty)
    }
    #expect(given.preview.isShowing)
  }
}
