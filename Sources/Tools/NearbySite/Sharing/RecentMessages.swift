/// The newest messages of a stream. A process that takes over a part replays them from memory instead of asking the server.
package struct RecentMessages: Sendable {
  package struct Message: Equatable, Sendable {
    package var sequence: UInt64
    /// When the server stored it, Unix seconds.
    package var time: Double
    package var topic: String
    package var payload: [UInt8]

    package init(sequence: UInt64, time: Double, topic: String, payload: [UInt8]) {
      self.sequence = sequence
      self.time = time
      self.topic = topic
      self.payload = payload
    }
  }

  /// Seconds for which messages are held. Checkpoints are younger than that, unless the server delays them.
  package static let age = 8.0
  private static let overhead = 128

  private let mostOctets: Int
  private var messages: [Message] = []
  /// Index of the oldest message; the ones before were dropped.
  private var start = 0
  private var octets = 0

  /// - Parameter mostOctets: Of all messages together, with 128 for each.
  package init(mostOctets: Int = 48 << 20) { self.mostOctets = mostOctets }

  /// The sequence of the oldest message held; `nil` if none is.
  package var first: UInt64? { start < messages.count ? messages[start].sequence : nil }

  /// Adds the next message. If it does not follow the newest one, because the stream has lost some, the older ones are dropped.
  package mutating func add(_ message: Message) {
    if let last = messages.last, message.sequence != last.sequence &+ 1 {
      self = Self(mostOctets: mostOctets)
    }
    messages.append(message)
    octets += message.payload.count + Self.overhead
    while start < messages.count - 1,
      octets > mostOctets || messages[start].time < message.time - Self.age
    {
      octets -= messages[start].payload.count + Self.overhead
      messages[start].payload = []
      start += 1
    }
    if start > 1024, start > messages.count / 2 {
      messages.removeFirst(start)
      start = 0
    }
  }

  /// The sequences after one and up to another that are not held and have to be read from the server; `nil` if all are held.
  ///
  /// - Parameter sequence: Any number, as it comes from a checkpoint.
  package func missing(after sequence: UInt64, through last: UInt64) -> Range<UInt64>? {
    guard sequence < last else { return nil }
    let end = min(first ?? .max, last &+ 1)
    return sequence + 1 < end ? (sequence + 1)..<end : nil
  }

  /// The held messages after a sequence, in order.
  package func after(_ sequence: UInt64) -> ArraySlice<Message> {
    guard let first, sequence >= first else { return messages[start...] }
    return messages[start...].dropFirst(Int(clamping: (sequence - first) &+ 1))
  }
}
