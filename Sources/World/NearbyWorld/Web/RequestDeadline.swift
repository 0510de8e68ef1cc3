/// How long a connection may take before it is a WebSocket: for each whole request, and for each answer.
///
/// A client that sends an octet now and then gains nothing by it, for the time counts from the start.
struct RequestDeadline: Equatable, Sendable {
  /// Time for a whole head, from the start or from the end of the answer before. This and the next:
  /// `Docs/world-page.md`, "Who is admitted".
  static let headLimit = Duration.seconds(10)
  /// Time a client may take to read one answer.
  static let answerLimit = Duration.seconds(30)

  /// Whether the client owes a request, so that ending the connection takes nothing from anybody.
  private(set) var isOwed = true
  private var deadline: Duration

  init(at time: Duration) { deadline = time + Self.headLimit }

  /// A request is here and gets its answer.
  mutating func requested(at time: Duration) {
    isOwed = false
    deadline = time + Self.answerLimit
  }

  /// The answer is written.
  mutating func answered(at time: Duration) { self = RequestDeadline(at: time) }

  func isOver(at time: Duration) -> Bool { time >= deadline }
}
