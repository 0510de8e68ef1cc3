import NearbyMaths
import NearbyReadings
import NearbySchedule
import NearbySite
import NearbyStateOctets
import Testing

@Suite("A site whose tags several processes share")
struct SharedSiteTests {
  @Test("Parts are even, and when a process goes only its own parts move")
  func shares() throws {
    let members: [UInt64] = [3, 99, 1 << 60]
    let before = (0..<64).map { SiteShare.owner(of: $0, among: members) }
    for member in members { #expect(before.count { $0 == member } > 10) }
    let after = (0..<64).map { SiteShare.owner(of: $0, among: members.dropLast()) }
    for (old, new) in zip(before, after) where old != 1 << 60 { #expect(old == new) }
    #expect(SiteShare.owner(of: 0, among: []) == nil)
  }

  @Test("A tag's state goes through octets without a change, and is small")
  func states() throws {
    let stream = try MessageStream(tags: 3, messages: 2000)
    var site = try stream.site()
    for part in 0..<site.share.count { _ = site.take(part, nil, start: 0) }
    var output = SiteEngine.Output()
    for message in stream.messages {
      site.received(
        message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
    }
    for tag in 0..<3 {
      let octets = site.engine.state(of: tag)
      #expect(octets.count < 16 << 10)
      var other = try SiteEngine(stream.plan, version: "1", seed: 2)
      let isTaken = other.restore(tag, from: octets)
      #expect(isTaken && other.state(of: tag) == octets)
      let isCutTaken = other.restore(tag, from: octets.dropLast())
      #expect(!isCutTaken)
    }
  }

  /// Runs the stream with processes that come and go.
  ///
  /// - Returns: The lines of history by tag and time, and the tally.
  private func run(
    _ stream: MessageStream, handOver: Set<Int>
  ) throws -> (lines: Set<String>, used: Int, dropped: Int) {
    var output = SiteEngine.Output()
    var site = try stream.site()
    for part in 0..<site.share.count { _ = site.take(part, nil, start: 0) }
    var kept: [Int: SiteCheckpoint] = [:]
    for (index, message) in stream.messages.enumerated() {
      site.received(
        message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
      // One part at a time, so that parts are at different places.
      let part = index % site.share.count
      kept[part] = site.checkpoint(part).map { octets($0, site.share.tags[part].count) }
      guard handOver.contains(index) else { continue }
      // The process dies; what was not kept is lost with it.
      var next = try stream.site(after: site.position)
      var least = site.position
      for part in 0..<next.share.count { least = min(least, next.take(part, kept[part], start: 0)) }
      for old in stream.messages where old.sequence > least && old.sequence <= site.position {
        next.received(old.sequence, time: old.time, topic: old.topic, payload: old.payload, &output)
      }
      site = next
    }
    let tally = site.tally
    return (Set(output.lines), tally.used, tally.dropped)
  }

  private func octets(_ checkpoint: SiteCheckpoint, _ states: Int) -> SiteCheckpoint {
    SiteCheckpoint(parsing: checkpoint.octets, states: states) ?? checkpoint
  }

  @Test("Processes that die and are replaced report the same as one that lives, and count each reading once")
  func takeover() throws {
    let stream = try MessageStream(tags: 12, messages: 3000)
    let alone = try run(stream, handOver: [])
    let shared = try run(stream, handOver: [10, 500, 501, 1234, 2900])
    #expect(alone.lines == shared.lines)
    #expect(alone.used == shared.used && alone.dropped == shared.dropped)
    #expect(alone.used + alone.dropped == 3000 && alone.dropped >= 300)
  }

  @Test("A checkpoint ahead of a process makes it wait, and messages that came before do not count again")
  func ahead() throws {
    let stream = try MessageStream(tags: 4, messages: 200)
    var output = SiteEngine.Output()
    var fast = try stream.site()
    for part in 0..<fast.share.count { _ = fast.take(part, nil, start: 0) }
    for message in stream.messages.prefix(150) {
      fast.received(
        message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
    }
    var slow = try stream.site(after: 50)
    for part in 0..<slow.share.count { _ = slow.take(part, fast.checkpoint(part), start: 0) }
    for message in stream.messages.dropFirst(50) {
      slow.received(
        message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
    }
    #expect(slow.tally.used + slow.tally.dropped == 200)
  }

  @Test("A part that waits for older messages takes newer ones only after them")
  func waiting() throws {
    let stream = try MessageStream(tags: 4, messages: 200)
    var output = SiteEngine.Output()
    var site = try stream.site(after: 100)
    for part in 0..<site.share.count { _ = site.take(part, nil, start: 0) }
    func feed(_ messages: ArraySlice<MessageStream.Message>) {
      for message in messages {
        site.received(
          message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
      }
    }
    // The newer ones come first: nothing may be skipped, and nothing counts.
    feed(stream.messages[100..<150])
    #expect(site.tally.used + site.tally.dropped == 0 && output.lines.isEmpty)
    feed(stream.messages[0..<150])
    feed(stream.messages[150..<200])
    #expect(site.tally.used + site.tally.dropped == 200)
  }

  @Test("A process without a part reports nothing about its tags, and leaves them when it gives the part up")
  func strangers() throws {
    let stream = try MessageStream(tags: 4, messages: 100)
    var output = SiteEngine.Output()
    var site = try stream.site()
    let part = site.share.partOfTag[2]
    _ = site.take(part, nil, start: 0)
    for message in stream.messages {
      site.received(
        message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
    }
    let others = (0..<4).filter { site.share.partOfTag[$0] != part }
    #expect(output.reports.contains { $0.tag == 2 } && !output.reports.contains { others.contains($0.tag) })
    site.release(part)
    #expect(site.engine.fusion.reports.isEmpty && site.owned.isEmpty && site.checkpoint(part) == nil)
  }

  @Test("The states of another plan are not taken, but its place in the stream is")
  func otherPlan() throws {
    let stream = try MessageStream(tags: 4, messages: 100)
    var site = try stream.site(after: 70)
    let checkpoint = SiteCheckpoint(digest: 1, sequence: 60, second: 0, states: [])
    let place = site.take(0, checkpoint, start: 0)
    #expect(place == 60)
    #expect(site.tally.used == 0)
  }

  @Test("Octets of strangers are no checkpoint")
  func badCheckpoints() throws {
    let good = SiteCheckpoint(digest: 7, sequence: 9, second: 3, states: [[1, 2], []])
    #expect(SiteCheckpoint(parsing: good.octets, states: 2) == good)
    for count in 0..<good.octets.count {
      #expect(SiteCheckpoint(parsing: Array(good.octets.prefix(count)), states: 2) == nil)
    }
    #expect(SiteCheckpoint(parsing: good.octets + [0], states: 2) == nil)
    #expect(SiteCheckpoint(parsing: [UInt8](repeating: 255, count: 200), states: 2) == nil)
  }
}
