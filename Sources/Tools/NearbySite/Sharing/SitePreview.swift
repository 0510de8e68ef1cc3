import NearbySchedule

/// What a process of a shared site shows while its stream is silent although readings pass by, because the servers elect
/// another leader: positions from a copy of the site.
///
/// A pure machine. The copy is dropped when the stream speaks again, and nothing of it is kept: the site goes on from its
/// last message as if there had been no copy. Positions of the copy may be told once more then, from the same readings.
package struct SitePreview: Sendable {
  /// Time for which readings pass by without a message of the stream before they are shown.
  package static let patience = Duration.milliseconds(400)

  /// Time without any reading after which the copy is dropped.
  private static let lapse = Duration.seconds(2)

  /// When the first reading passed by since the stream spoke, on any steady clock.
  private var since: Duration?
  /// When the last one did.
  private var latest = Duration.zero
  private var copy: SharedSite?

  package init() {}

  /// Whether positions come from a copy. Time does not pass for the site meanwhile: that the stream is silent says nothing
  /// about its tags.
  package var isShowing: Bool { copy != nil }

  /// Drops the copy when no readings pass by any more. Call about once a second.
  package mutating func timePassed(at now: Duration) {
    if now - latest > Self.lapse { heardStream() }
  }

  /// A message of the stream came.
  package mutating func heardStream() {
    since = nil
    copy = nil
  }

  /// Notes that a reading passes by beside the stream.
  ///
  /// - Parameter now: Of the clock by which the stream's silence is measured.
  /// - Returns: Whether `show` is to be called with it: not while the stream keeps up.
  package mutating func isDue(at now: Duration) -> Bool {
    let start = since ?? now
    since = start
    latest = now
    return now - start >= Self.patience
  }

  /// Shows what follows from a reading that passed by.
  ///
  /// - Parameters:
  ///   - time: Unix seconds.
  ///   - site: As the stream's last message left it.
  /// - Returns: Reports and positions of the site's tags. Never an event, a line of the history or another publisher's
  ///   message: they follow from the stream.
  package mutating func show(
    topic: String, payload: [UInt8], time: Double, beside site: SharedSite
  ) -> SiteEngine.Output {
    var shown = copy ?? site
    copy = nil
    var all = SiteEngine.Output()
    shown.received(shown.position &+ 1, time: time, topic: topic, payload: payload, &all)
    copy = shown
    var output = SiteEngine.Output()
    output.messages = all.messages.filter { $0.topic.hasSuffix("/position") }
    output.reports = all.reports
    return output
  }
}
