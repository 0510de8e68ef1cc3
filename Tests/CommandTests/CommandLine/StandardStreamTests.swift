import Dispatch
import Foundation
import NearbyTextForms
import Synchronization
import TestSupport
import Testing

@testable import NearbyCommandLine
@testable import nearby

@Suite("Standard output and error", .ownThreads)
struct StandardStreamTests {
  private func pipePair(isBlocking: Bool = true) throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    if !isBlocking { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
    return (ends[0], ends[1])
  }

  @Test("Writing to a closed pipe is an error and does not end the process")
  func closedPipe() throws {
    let (reading, writing) = try pipePair()
    close(reading)
    #expect(StandardStream.write([1, 2, 3], to: writing) == EPIPE)
    close(writing)
    #expect(StandardStream.write([1], to: -1) == EBADF)
  }

  @Test("Writing to a full pipe fails with EAGAIN after the patience")
  func fullPipe() throws {
    let (reading, writing) = try pipePair(isBlocking: false)
    let much = [UInt8](repeating: 7, count: 1 << 20)
    #expect(StandardStream.write(much, to: writing, patience: .milliseconds(1)) == EAGAIN)
    close(reading)
    close(writing)
  }

  @Test("Output larger than a pipe's buffer reaches a slow reader completely", arguments: [true, false])
  func slowReader(isBlocking: Bool) throws {
    let (reading, writing) = try pipePair(isBlocking: isBlocking)
    let sent = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      StandardStream.write(sent, to: writing)
      close(writing)
      isDone.signal()
    }
    var got: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 3001)
    while case let count = read(reading, &buffer, buffer.count), count > 0 { got += buffer[..<count] }
    isDone.wait()
    #expect(got == sent)
    close(reading)
  }

  @Test(
    "A closed standard error does not change a program's exit code", arguments: ["2>&-", "2>&1 >&- | true"])
  func closedStandardError(redirection: String) throws {
    let folder = try TemporaryFolder()
    // Bash reports the exit code of a pipe's first command, whose words are "$@".
    let script = #""$@" \#(redirection); exit ${PIPESTATUS[0]}"#
    let run = try ProgramRun(
      ["accessory", "--seconds", "5"], in: folder,
      environment: ["NEARBY_RADIO": "tcp:127.0.0.1:1", "NEARBY_BLUETOOTH": "off"],
      wrapper: ["/bin/bash", "-c", script, "bash"])
    #expect(run.end() == ExitCode.unavailable.rawValue, "\(run.text)")
  }

  @Test("A mailbox delivers in order, urgent letters first, and blocks a sender that is too fast")
  func mailbox() throws {
    let mailbox = Mailbox<Int>()
    let posted = Mutex(0)
    Thread.detachNewThread {
      for number in 1...1000 {
        mailbox.postInTurn(number)
        posted.withLock { $0 = number }
      }
    }
    for number in 1...500 {
      #expect(mailbox.next(until: nil) == number)
      #expect(posted.withLock { $0 } <= number + 64)
    }
    mailbox.postFirst(-1)
    #expect(mailbox.next(until: nil) == -1)
    for number in 501...1000 { #expect(mailbox.next(until: nil) == number) }
    mailbox.post(7)
    #expect(mailbox.next(before: .now - .seconds(1)) == nil)
    #expect(mailbox.next(until: .now - .seconds(1)) == 7)
  }

  @Test("LineLimit admits a burst of 100 lines, then ten per second")
  func lineLimit() {
    var limit = LineLimit()
    let first = (0..<1000).count { _ in limit.admit(at: .zero) }
    #expect(first == 100)
    let second = (1...1000).count { limit.admit(at: .milliseconds($0)) }
    #expect((9...11).contains(second))
    let later = (0..<1000).count { _ in limit.admit(at: .seconds(3600)) }
    #expect(later == 100)
  }

  @Test("A log whose reader has stopped does not block, and says how many lines were left out")
  func stoppedReader() {
    let output = StoppedOutput()
    let log = EventLog(output)
    for number in 0..<10_000 { log.line("line \(number)") }
    output.resume()
    log.finish()
    let lines = output.text.split(separator: "\n")
    #expect(lines.first == "line 0")
    #expect(lines.last?.contains(/^nearby: \d+ more lines were left out$/) == true)
    #expect(lines.count < 1000)
  }
}
