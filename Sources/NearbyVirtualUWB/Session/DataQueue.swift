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

  /// Notes one transmission of the first message.
  mutating func noteTransmission(hasArrived: Bool) {
    guard !messages.isEmpty else { return }
    messages[0].transmissions &+= 1
    if hasArrived { messages[0].hasArrived = true }
  }

  mutating func removeFirst() { if !messages.isEmpty { messages.removeFirst() } }

  mutating func clear() { self = DataQueue() }
}
