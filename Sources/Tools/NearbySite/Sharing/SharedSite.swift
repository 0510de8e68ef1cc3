import NearbySchedule

/// The part of a site that one of several processes has: reads one stream of messages, like all the others, but fuses only
/// its own tags, and hands tags over as checkpoints.
///
/// A pure machine. Every process sees every message in the same order. What a tag's state becomes depends on the messages
/// alone, so a process that takes a part from another's checkpoint and reads on from there continues exactly as the other
/// one would have: no reading is lost, and none counts twice.
///
/// **Input:** messages in the stream's order by `received`, and time without messages by `advance`.
///
/// **Ownership:** `take` and `release`, as `SiteShare.owner` says. After `take`, the messages between the checkpoint and
/// `position` are fed once more by `received`; they change only the parts that have not seen them, and newer ones do not
/// change these parts until they have.
package struct SharedSite: Sendable {
  private struct Part: Sendable {
    /// The last message that its tags have seen; `nil` if that is the newest one. A checkpoint may be ahead of this
    /// process.
    var sequence: UInt64?
    /// The full second to which its tags were advanced, Unix time.
    var second: Double
    /// Whether it differs from its newest checkpoint.
    var isDirty = true
  }

  package let share: SiteShare
  package private(set) var engine: SiteEngine
  private var parts: [Part?]
  /// The newest message's sequence.
  package private(set) var position: UInt64
  /// How many parts have seen less than the newest message, or more.
  private var behind = 0
  /// The full second to which all parts were advanced.
  private var latestSecond = 0.0

  /// - Parameter position: The sequence of the last message that is not read.
  package init(_ engine: SiteEngine, after position: UInt64) {
    self.engine = engine
    self.position = position
    share = SiteShare(engine.plan)
    parts = Array(repeating: nil, count: share.count)
  }

  /// A copy of this site that has no parts.
  package func withoutParts() -> Self {
    var copy = self
    for part in owned { copy.release(part) }
    return copy
  }

  /// What is published when the MQTT broker is reached.
  package mutating func connected() -> [SiteMessage] { engine.connected() }

  // MARK: Ownership

  package func has(_ part: Int) -> Bool { parts[part] != nil }

  /// The parts that this process has, ascending.
  package var owned: [Int] { parts.indices.filter { parts[$0] != nil } }

  /// Takes a part over.
  ///
  /// - Parameters:
  ///   - checkpoint: The newest; `nil` if there is none.
  ///   - start: Where a part without a checkpoint begins: the sequence before the first message it should see.
  /// - Returns: The sequence after which this part needs messages, up to `position`.
  package mutating func take(_ part: Int, _ checkpoint: SiteCheckpoint?, start: UInt64) -> UInt64 {
    let tags = share.tags[part]
    release(part)
    var new = Part(sequence: start, second: 0)
    var sequence = start
    if let checkpoint {
      sequence = checkpoint.sequence
      // With another plan, the states mean something else: the tags start anew, and no message counts twice.
      if checkpoint.digest == share.digest, checkpoint.states.count == tags.count {
        new.second = checkpoint.second
        for (tag, state) in zip(tags, checkpoint.states) { _ = engine.restore(tag, from: state) }
        new.isDirty = false
      }
    }
    new.sequence = sequence == position ? nil : sequence
    parts[part] = new
    behind += new.sequence == nil ? 0 : 1
    latestSecond = 0
    return sequence
  }

  /// Gives a part up without reporting anything.
  package mutating func release(_ part: Int) {
    if parts[part]?.sequence != nil { behind -= 1 }
    parts[part] = nil
    for tag in share.tags[part] { engine.release(tag) }
  }

  /// What is known about a part now; `nil` if this process does not have it.
  package func checkpoint(_ part: Int) -> SiteCheckpoint? {
    guard let own = parts[part] else { return nil }
    return SiteCheckpoint(
      digest: share.digest, sequence: own.sequence ?? position, second: own.second,
      states: share.tags[part].map { engine.state(of: $0) })
  }

  /// Whether a part has changed since its newest checkpoint.
  package func isDirty(_ part: Int) -> Bool { parts[part]?.isDirty ?? false }

  /// The checkpoint of a part is kept.
  package mutating func kept(_ part: Int) { parts[part]?.isDirty = false }

  // MARK: Messages and time

  /// Receives a message of the stream.
  package mutating func received(_ message: RecentMessages.Message, _ output: inout SiteEngine.Output) {
    received(
      message.sequence, time: message.time, topic: message.topic, payload: message.payload, &output)
  }

  /// Receives a message of the stream.
  ///
  /// - Parameters:
  ///   - time: When the server stored it, Unix seconds.
  package mutating func received(
    _ sequence: UInt64, time: Double, topic: String, payload: [UInt8], _ output: inout SiteEngine.Output
  ) {
    let isNew = sequence > position
    guard isNew || behind > 0 else { return }
    if !isNew || time.rounded(.down) > latestSecond { pass(time, before: sequence, &output) }
    let (known, partOfTag, newest) = (parts, share.partOfTag, position)
    var touched: [Int] = []
    engine.received(
      topic: topic, payload: payload, now: time,
      where: { tag in
        guard let part = known[partOfTag[tag]], case let seen = part.sequence ?? newest, seen < sequence,
          // A part that waits for messages between its checkpoint and the newest must not skip them.
          !isNew || seen >= newest
        else { return false }
        touched.append(partOfTag[tag])
        return true
      }, &output)
    for part in touched { parts[part]?.isDirty = true }
    position = max(position, sequence)
    if behind > 0 { keepStep(with: sequence, isNew: isNew, after: newest) }
  }

  /// Notes that all parts have seen a message, except those that wait for older ones.
  private mutating func keepStep(with sequence: UInt64, isNew: Bool, after newest: UInt64) {
    behind = 0
    for part in parts.indices {
      guard let own = parts[part]?.sequence else { continue }
      let seen = isNew && own < newest ? own : max(own, sequence)
      parts[part]?.sequence = seen == position ? nil : seen
      if seen != position { behind += 1 }
    }
  }

  /// Advances parts that have not seen a message to the full second before it.
  private mutating func pass(_ time: Double, before sequence: UInt64, _ output: inout SiteEngine.Output) {
    let second = time.rounded(.down)
    if sequence > position { latestSecond = second }
    for part in parts.indices {
      guard let own = parts[part], case let seen = own.sequence ?? position, seen < sequence,
        sequence <= position || seen >= position, own.second < second
      else { continue }
      parts[part]?.second = second
      engine.advance(share.tags[part], now: second, &output)
    }
  }

  /// Lets time pass without messages.
  ///
  /// - Parameter now: Unix seconds.
  package mutating func advance(now: Double, _ output: inout SiteEngine.Output) {
    pass(now, before: .max, &output)
  }

  /// Readings of this process's tags so far, also by the processes that had them before.
  package var tally: (used: Int, dropped: Int) {
    var sum = (used: 0, dropped: 0)
    for part in owned {
      for tag in share.tags[part] {
        let tally = engine.fusion.tally(of: tag)
        sum.used &+= tally.used
        sum.dropped &+= tally.dropped
      }
    }
    return sum
  }
}
