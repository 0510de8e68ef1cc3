import NearbySteppedWorld
import TestSupport
import Testing

@Suite("Time of programs in a stepped world", .enabled(if: SteppedRun.isPossible))
struct ProgramTimeTests {
  @Test("Every way of waiting takes the world's time, to the millisecond")
  func waits() throws {
    let run = try SteppedRun(["anna": "StepProbe waits"])
    let lines = try #require(run.lines["anna"])
    #expect(lines.count == 18)
    for line in lines {
      let words = line.split(separator: " ")
      // The name, then the milliseconds that were asked for and those that it took.
      #expect(words.count >= 4 && words[words.count - 3] == words[words.count - 2], "\(line)")
      #expect(words.last == "exactly", "\(line)")
    }
    #expect(run.statuses == ["anna": 0])
  }

  @Test("Timers with descriptors, epoll and semaphores of the C library")
  func timers() throws {
    let run = try SteppedRun(["anna": "StepProbe timers"])
    #expect(
      run.lines["anna"] == [
        "first after 5 count 1", "later 40 count 3", "left 15", "was 15", "stopped 0 0",
        "too early 0 after 3",
        "ready 1 after 8", "taken 0 after 0", "not taken -1 true after 2000",
      ])
  }

  @Test("A shell's commands are waited for one after the other")
  func shell() throws {
    let run = try SteppedRun([
      "anna": "date -u +%FT%T.%3N; sleep 2.5; (sleep 1; echo child) & wait; date -u +%T.%3N"
    ])
    #expect(run.lines["anna"] == ["2025-01-01T00:00:00.000", "child", "00:00:03.500"])
  }

  @Test("Random numbers and the order of sets are the seed's and the device's")
  func random() throws {
    let command = "StepProbe random; StepProbe hashes"
    let (first, again) = (
      try SteppedRun(["anna": command, "ben": command]), try SteppedRun(["anna": command, "ben": command])
    )
    #expect(first.lines["anna"]?.count == 5)
    #expect(first.lines == again.lines)
    #expect(first.lines["anna"]?.first != first.lines["ben"]?.first)
    let other = try SteppedRun(["anna": command, "ben": command], seed: 2)
    #expect(first.lines["anna"]?.first != other.lines["anna"]?.first)
  }

  @Test("A program that reads the clock again and again sees time pass")
  func spin() throws {
    let run = try SteppedRun(["anna": "StepProbe spin"])
    #expect(run.lines["anna"] == ["spun"])
  }

  @Test("Time goes on after a process was killed while it slept")
  func killed() throws {
    let run = try SteppedRun(["anna": "sleep 5 & sleep 1; kill -9 $!; wait; sleep 9; date -u +%T"])
    #expect(run.lines["anna"]?.last == "00:00:10")
  }

  @Test("Commands one after the other, many times: none is overlooked while it begins or ends")
  func commands() throws {
    let run = try SteppedRun([
      "anna": "for n in $(seq 100); do (sleep 0.01; true) & wait; done; date -u +%S.%3N"
    ])
    #expect(run.lines["anna"] == ["01.000"])
  }

  @Test("A world ends with its time; programs that go on are interrupted")
  func end() throws {
    let run = try SteppedRun(
      ["anna": "trap 'echo interrupted; exit 3' INT; while :; do sleep 1; echo; done"], for: .seconds(3))
    #expect(
      run.lines["anna"] == ["", "", "", "interrupted"] || run.lines["anna"] == ["", "", "interrupted"])
    #expect(run.statuses == ["anna": 3])
  }
}
