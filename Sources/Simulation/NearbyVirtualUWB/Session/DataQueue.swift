import NearbyUCI

/// Application data on their way out, and the host's credit.
struct DataQueue: Sendable {
  struct Message: Sendable {
    var destination: UInt64
    var sequence: UInt16
    var octets: [UInt8]
    var transmissions: UInt8 = 0
    /// The peer has it; further repetitions are not delivered again.
    var hasArrived = false
  }

  /// Messages that wait; the first is the one on the air.
  static let depth = 4
  /// A message that no round carried over is given up after this many.
  static let maximumTransmissions: UInt8 = 10

  private(set) var messages: [Message] = []
  /// Whether the host may send one packet.
  var hasCredit = false

  var isFull: Bool { messages.count >= Self.depth }
  var isEmpty: Bool { messages.isEmpty }
  var first: Message? { messages.first }

  mutating func append(_ message: Message) { messages.append(message) }

  /// Adds octets to the one message that waits, whose sequence number is 1; its transmissions count anew.
  ///
  /// - Returns: `false` where the message would grow past `maximum`, and stays as it is.
  mutating func collect(_ octets: [UInt8], atMost maximum: Int) -> Bool {
    let collected = messages.first?.octets.count ?? 0
    guard octets.count <= maximum, collected <= maximum - octets.count else { return false }
    if messages.isEmpty { messages.append(Message(destination: 0, sequence: 1, octets: [])) }
    messages[0].octets.append(contentsOf: octets)
    messages[0].transmissions = 0
    messages[0].hasArrived = false
    return true
  }

  /// Notes one transmission of the first message.
  mutating func noteTransmission(hasArrived: Bool) {
    guard !messages.isEmpty else { return }
    messages[0].transmissions &+= 1
    if hasArrived { messages[0].hasArrived = true }
  }

  mutating func removeFirst() { if !messages.isEmpty { messages.removeFirst() } }

  mutating func clear() { self = DataQueue() }
}
