import Synchronization
import Testing

@testable import nearby

@Suite("Lines about strangers")
struct LimitedLinesTests {
  @Test("Of thousands a second a few are written, and how many were left out is said")
  func flood() {
    let output = TextRecorder()
    let now = Clock(time: .zero)
    let lines = LimitedLines(burst: 3, perSecond: 1, uptime: { now.time.withLock { $0 } }) { output.line($0) }
    for number in 0..<1000 { lines.line("bad \(number)") }
    #expect(output.text == "bad 0\nbad 1\nbad 2\n")
    now.time.withLock { $0 = .seconds(1) }
    for number in 1000..<1002 { lines.line("bad \(number)") }
    lines.finish()
    lines.finish()
    #expect(
      output.text
        == "bad 0\nbad 1\nbad 2\nnearby: 997 more lines of this kind left out\nbad 1000\n"
        + "nearby: 1 more line of this kind left out\n")
  }

  private final class Clock: Sendable {
    let time: Mutex<Duration>
    init(time: Duration) { self.time = Mutex(time) }
  }
}
