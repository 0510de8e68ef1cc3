import NearbySchedule

/// Positions that a process of a shared site shows while the servers elect a new leader. The stream delivers nothing then,
/// although readings still arrive on their subjects.
///
/// A pure machine. Positions come from a copy of the site, which is dropped at the stream's next message: the site then
/// continues from its own last message, as if there had been no copy. It may publish the copy's positions a second time.
package struct SitePreview: Sendable {
  /// Time during which readings arrive without a message of the stream before positions are shown.
  package static let patience = Duration.milliseconds(400)

  /// Time without a reading after which the copy is dropped.
  private static let lapse = Duration.seconds(2)

  /// When the first reading arrived since the stream's last message, on any steady clock.
  private var since: Duration?
  /// When the last one arrived.
  private var latest = Duration.zero
  private var copy: SharedSite?

  package init() {}

  /// Whether positions come from a copy. Do not advance the site meanwhile: its tags are not silent, only the stream is.
  package var isShowing: Bool { copy != nil }

  /// Drops the copy if no readings arrive any more. Call about once a second.
  package mutating func timePassed(at now: Duration) {
    if now - latest > Self.lapse { streamResumed() }
  }

  /// Notes a message of the stream.
  package mutating func streamResumed() {
    since = nil
    copy = nil
  }

  /// Notes a reading that arrived on its subject.
  ///
  /// - Parameter now: Of the clock by which the stream's silence is measured.
  /// - Returns: Whether to call `show` with it, because the stream has been silent for too long.
  package mutating func readingArrived(at now: Duration) -> Bool {
    let start = since ?? now
    since = start
    latest = now
    return now - start >= Self.patience
  }

  /// Adds a reading to the copy.
  ///
  /// - Parameters:
  ///   - time: Unix seconds.
  ///   - site: As the stream's last message left it.
  /// - Returns: Only reports and positions. Events, history and other messages are left to the stream.
  package mutating func show(
    topic: String, payload: [UInt8], time: Double, beside site: SharedSite
  ) -> SiteEngine.Output {
    var shown = copy ?? site
    copy = nil
    var all = SiteEngine.Output()
    shown.received(shown.position &+ 1, time: time, topic: topic, payload: payload, &all)
    copy = shown
    return all.positions
  }
}

extension SiteEngine.Output {
  /// Only the reports and positions. Events, history and other messages are left to the stream.
  var positions: Self {
    var output = Self()
    output.messages = messages.filter(\.isPosition)
    output.reports = reports
    return output
  }
}
