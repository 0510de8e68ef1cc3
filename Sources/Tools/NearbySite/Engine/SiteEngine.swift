import NearbyPosition
import NearbySchedule

/// A site between its broker and its publishers: messages and time go in, messages and lines of history come out.
///
/// A pure machine. While there is no broker, nothing is published; when it is back, `connected` states everything again,
/// so that no state depends on a message that was lost.
package struct SiteEngine: Sendable {
  /// What to do next.
  package struct Output: Equatable, Sendable {
    /// A line of the history about one tag.
    package struct TagLine: Equatable, Sendable {
      package var tag: Int
      package var line: String
    }

    package var messages: [SiteMessage] = []
    /// Lines of the history.
    package var lines: [String] = []
    /// Reports for the page and the omlox hub.
    package var reports: [SiteReport] = []
    package var events: [SiteFenceEvent] = []
    /// The lines of history that are no positions, with their tags.
    package var tagLines: [TagLine] = []

    package init() {}
  }

  package private(set) var fusion: SiteFusion
  private let intake: SiteIntake
  private let text: SiteText
  private var assistant: HomeAssistant?
  private let espresense: ESPresense?
  private let ownTracks: OwnTracks?
  private let topics: SiteTopics
  /// When Home Assistant, which announced that it started, is answered, Unix seconds.
  private var answerTime: Double?
  private var draws: SplitMix64

  /// Seconds within which a birth of Home Assistant is answered.
  private static let longestDelay = 5.0

  package var plan: SitePlan { fusion.plan }

  /// - Parameters:
  ///   - version: Of this software.
  ///   - seed: Of the random delay.
  /// - Throws: `PositionError` if the receivers can't be anchors.
  package init(_ plan: SitePlan, version: String, seed: UInt64) throws(PositionError) {
    fusion = try SiteFusion(plan)
    intake = SiteIntake(plan)
    text = SiteText(plan)
    topics = SiteTopics(site: plan.name)
    assistant = plan.publishers.homeAssistant.map { HomeAssistant(plan, prefix: $0, version: version) }
    espresense = plan.publishers.espresenseOutput.map { ESPresense(plan, prefix: $0) }
    ownTracks = plan.publishers.ownTracks.flatMap { OwnTracks(plan, user: $0) }
    draws = SplitMix64(seed: seed)
  }

  /// The patterns to subscribe to.
  package var patterns: [String] { intake.patterns + (assistant.map { [$0.birthTopic] } ?? []) }

  /// The pattern of Home Assistant's births; `nil` without Home Assistant.
  package var birthPattern: String? { assistant?.birthTopic }
  /// The patterns of readings alone.
  package var readingPatterns: [String] { intake.patterns }

  /// What the broker publishes when this process is gone.
  package var will: SiteMessage { topics.will }

  // MARK: Input

  /// The connection is made: announces this site and states everything.
  package mutating func connected() -> [SiteMessage] {
    [topics.birth] + (espresense?.statuses(isOnline: true) ?? []) + introduction()
  }

  /// What is published before an orderly end.
  package func farewell() -> [SiteMessage] { [topics.will] + (espresense?.statuses(isOnline: false) ?? []) }

  private mutating func introduction() -> [SiteMessage] {
    guard let assistant else { return [] }
    return assistant.discovery() + assistant.states(plan.tags.indices.map { fusion.report(of: $0) })
  }

  /// Takes a message of the broker.
  ///
  /// - Parameters:
  ///   - now: The present, Unix seconds.
  ///   - isWanted: Whether this process has a tag; readings of others change nothing.
  package mutating func received(
    topic: String, payload: [UInt8], now: Double, where isWanted: (Int) -> Bool = { _ in true },
    _ output: inout Output
  ) {
    if let assistant, topic == assistant.birthTopic {
      if payload.elementsEqual("online".utf8) { answerTime = now + Self.longestDelay * draws.uniform() }
      return
    }
    var rejections: [SiteRejection] = []
    let readings = intake.readings(topic: topic, payload: payload, now: now) { rejections.append($0) }
    for rejection in rejections { fusion.counts.add(rejection) }
    var outputs: [SiteOutput] = []
    for reading in readings where isWanted(reading.tag) { fusion.add(reading, now: now, &outputs) }
    publish(outputs, &output)
  }

  /// Lets time pass; call about once a second or more often.
  package mutating func advance(now: Double, _ output: inout Output) {
    var outputs: [SiteOutput] = []
    fusion.advance(now: now, &outputs)
    publish(outputs, &output)
    if let time = answerTime, now >= time {
      answerTime = nil
      output.messages += introduction()
    }
  }

  // MARK: Sharing the tags with other processes

  /// Lets time pass for some tags.
  package mutating func advance(_ tags: some Sequence<Int>, now: Double, _ output: inout Output) {
    var outputs: [SiteOutput] = []
    fusion.advance(tags, now: now, &outputs)
    publish(outputs, &output)
  }

  package func state(of tag: Int) -> [UInt8] { fusion.state(of: tag) }

  /// - Returns: Whether the octets were such a tag's state; if not, it starts anew.
  package mutating func restore(_ tag: Int, from octets: [UInt8]) -> Bool {
    fusion.restore(tag, from: octets)
  }

  package mutating func release(_ tag: Int) { fusion.release(tag) }

  // MARK: Publishing

  private mutating func publish(_ outputs: [SiteOutput], _ output: inout Output) {
    for item in outputs {
      let line = text.line(item)
      output.lines.append(line)
      if let tag = item.eventTag { output.tagLines.append(Output.TagLine(tag: tag, line: line)) }
      output.messages += assistant?.messages(for: item) ?? []
      switch item {
      case .report(let report):
        output.reports.append(report)
        if let message = text.position(report) { output.messages.append(message) }
        if let message = espresense?.message(for: report) { output.messages.append(message) }
        if let message = ownTracks?.location(report) { output.messages.append(message) }
      case .fence(let event):
        output.events.append(event)
        if let message = ownTracks?.transition(event) { output.messages.append(message) }
      case .appeared, .vanished: break
      }
    }
  }
}
