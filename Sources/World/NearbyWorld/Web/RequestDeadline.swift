/// Deadlines of a connection before it becomes a WebSocket: for each complete request, and for each answer.
///
/// Each deadline counts from the start, so sending an octet now and then does not extend it.
struct RequestDeadline: Equatable, Sendable {
  /// Time for a complete head, from the start or the end of the previous answer. `Docs/world-page.md`, "Who
  /// is admitted".
  static let headLimit = Duration.seconds(10)
  /// Time for a client to read one answer. `Docs/world-page.md`, "Who is admitted".
  static let answerLimit = Duration.seconds(30)

  /// Whether the server is waiting for a request, so the connection can be closed without losing an answer.
  private(set) var isOwed = true
  private var deadline: Duration

  init(at time: Duration) { deadline = time + Self.headLimit }

  /// A request has arrived and is being answered.
  mutating func requested(at time: Duration) {
    isOwed = false
    deadline = time + Self.answerLimit
  }

  /// The answer has been written.
  mutating func answered(at time: Duration) { self = RequestDeadline(at: time) }

  func isOver(at time: Duration) -> Bool { time >= deadline }
}
