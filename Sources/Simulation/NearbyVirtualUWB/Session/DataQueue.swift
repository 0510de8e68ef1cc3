import NearbyUCI

/// Application data to be sent, and the host's credit.
struct DataQueue: Sendable {
  struct Message: Sendable {
    var destination: UInt64
    var sequence: UInt16
    var octets: [UInt8]
    var transmissions: UInt8 = 0
    /// Whether the peer has received the message. Further repetitions are not delivered again.
    var hasArrived = false
  }

  /// The capacity of the queue, in messages. The first is the one being sent.
  static let depth = 4
  /// The number of failed transmissions after which a message is abandoned.
  static let maximumTransmissions: UInt8 = 10

  private(set) var messages: [Message] = []
  /// Whether the host may send one packet.
  var hasCredit = false

  var isFull: Bool { messages.count >= Self.depth }
  var isEmpty: Bool { messages.isEmpty }
  var first: Message? { messages.first }

  mutating func append(_ message: Message) { messages.append(message) }

  /// Appends octets to the single queued message, whose sequence number is 1, and restarts its count of
  /// transmissions.
  ///
  /// - Returns: `false` if the message would exceed `maximum` octets; it then stays unchanged.
  mutating func collect(_ octets: [UInt8], atMost maximum: Int) -> Bool {
    let collected = messages.first?.octets.count ?? 0
    guard octets.count <= maximum, collected <= maximum - octets.count else { return false }
    if messages.isEmpty { messages.append(Message(destination: 0, sequence: 1, octets: [])) }
    messages[0].octets.append(contentsOf: octets)
    messages[0].transmissions = 0
    messages[0].hasArrived = false
    return true
  }

  /// Records one transmission of the first message.
  mutating func noteTransmission(hasArrived: Bool) {
    guard !messages.isEmpty else { return }
    messages[0].transmissions &+= 1
    if hasArrived { messages[0].hasArrived = true }
  }

  mutating func removeFirst() { if !messages.isEmpty { messages.removeFirst() } }

  mutating func clear() { self = DataQueue() }
}
