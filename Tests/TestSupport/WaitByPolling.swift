import Foundation

/// A condition that was polled for in vain.
package struct NotReached: Error, CustomStringConvertible {
  package let description: String
}

/// Asks a question again and again until the answer is accepted.
///
/// Only for the state of another process or of the kernel that no line of output, descriptor or callback
/// announces: for example how many descriptors a process has. It blocks, so it is for tests on own threads.
///
/// - Parameters:
///   - what: The state that the test waits for, as the failure names it.
///   - limit: The time after which waiting fails.
/// - Returns: The accepted answer.
/// - Throws: `NotReached` with `what` and the last answer, or what `question` throws.
@discardableResult
package func waitByPolling<Answer>(
  for what: String, within limit: Duration = .seconds(120), _ question: () throws -> Answer,
  until isAccepted: (Answer) -> Bool
) throws -> Answer {
  let end = ContinuousClock.now + limit
  while true {
    let answer = try question()
    if isAccepted(answer) { return answer }
    guard ContinuousClock.now < end else {
      throw NotReached(description: "waited \(limit) for \(what); the last answer was \(answer)")
    }
    Thread.sleep(forTimeInterval: 0.01)
  }
}
