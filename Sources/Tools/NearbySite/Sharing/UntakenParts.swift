import NearbySchedule

/// Positions of tags whose parts a process should have but cannot take over, because the server does not answer for their
/// checkpoints, for example while its key-value bucket has no leader.
///
/// A pure machine. The tags start without a state, from the messages of the last two seconds. Their positions are shown and
/// never stored: call `end` once the parts are taken over, and the site continues from their checkpoints.
package struct UntakenParts: Sendable {
  /// Time during which parts can't be taken before their positions are shown.
  package static let patience = Duration.milliseconds(500)

  /// Seconds of messages from which the tags start.
  package static let history = 2.0

  /// When taking failed first, on any steady clock.
  private var since: Duration?
  /// Has only untaken parts.
  private var site: SharedSite?
  private var preview = SitePreview()

  package init() {}

  /// Whether positions are shown.
  package var isShowing: Bool { site != nil }

  /// Stops showing positions, because no part is missing any more.
  package mutating func end() {
    if since != nil { self = Self() }
  }

  /// Notes that parts could not be taken.
  ///
  /// - Parameters:
  ///   - parts: All of them.
  ///   - site: The process's site, which does not have them.
  ///   - recent: The messages up to the site's position.
  ///   - shownElsewhere: Whether another process shows positions of a tag; its part is left to that one.
  package mutating func failed(
    _ parts: [Int], at now: Duration, beside site: SharedSite, recent: RecentMessages,
    shownElsewhere: (Int) -> Bool
  ) {
    let start = since ?? now
    since = start
    guard now - start >= Self.patience else { return }
    let wanted = Set(parts.filter { part in !site.share.tags[part].contains(where: shownElsewhere) })
    guard wanted != Set(self.site?.owned ?? []) else { return }
    var shown = self.site ?? site.withoutParts()
    for part in shown.owned where !wanted.contains(part) { shown.release(part) }
    let messages = Self.newest(of: recent)
    let before = messages.first.map { $0.sequence &- 1 } ?? shown.position
    for part in wanted.sorted() where !shown.has(part) { _ = shown.take(part, nil, start: before) }
    var unused = SiteEngine.Output()
    for message in messages { shown.received(message, &unused) }
    preview.streamResumed()
    self.site = wanted.isEmpty ? nil : shown
  }

  /// Drops what was shown while the stream was silent if no readings arrive any more. Call about once a second.
  package mutating func timePassed(at now: Duration) { preview.timePassed(at: now) }

  private static func newest(of recent: RecentMessages) -> ArraySlice<RecentMessages.Message> {
    let all = recent.after(0)
    guard let last = all.last else { return all }
    return all.drop { $0.time < last.time - history }
  }

  /// Receives a message of the stream.
  ///
  /// - Returns: Only reports and positions.
  package mutating func received(_ message: RecentMessages.Message) -> SiteEngine.Output {
    preview.streamResumed()
    guard var shown = site else { return SiteEngine.Output() }
    site = nil
    var output = SiteEngine.Output()
    shown.received(message, &output)
    site = shown
    return output.positions
  }

  /// Receives a reading that arrived on its subject, as `SitePreview` does.
  ///
  /// - Parameters:
  ///   - time: Unix seconds.
  ///   - now: Of the clock by which the stream's silence is measured.
  /// - Returns: Only reports and positions; nothing unless the stream is silent.
  package mutating func readingArrived(
    topic: String, payload: [UInt8], time: Double, at now: Duration
  ) -> SiteEngine.Output {
    guard preview.readingArrived(at: now), let site else { return SiteEngine.Output() }
    return preview.show(topic: topic, payload: payload, time: time, beside: site)
  }
}
