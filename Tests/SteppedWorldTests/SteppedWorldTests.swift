import NearbySteppedWorld
import TestSupport
import Testing

@Suite("Programs in a stepped world", .enabled(if: SteppedRun.isPossible))
struct SteppedWorldTests {
  @Test("Two apps find each other, exchange tokens and range, in the same way each time")
  func meeting() throws {
    let command = "StepProbe meet"
    let run = try SteppedRun(["anna": command, "ben": command])
    let lines = try #require(run.lines["anna"])
    #expect(lines.first == "found ben")
    let distances = lines.filter { $0.hasPrefix("distance") }.compactMap {
      Double($0.split(separator: " ")[1])
    }
    #expect(distances.count == 3)
    #expect(distances.allSatisfy { abs($0 - 2) < 0.5 })
    #expect(lines.last?.hasPrefix(#"{"score": "updates", "value": "#) == true)
    #expect(run.statuses == ["anna": 0, "ben": 0])
    let again = try SteppedRun(["anna": command, "ben": command])
    #expect(run.lines == again.lines)
  }

  @Test("Programs of one world do not find those of another one, which runs at the same time")
  func isolation() async throws {
    let command = "StepProbe meet"
    async let other = Task.detached { try SteppedRun(["clara": command, "dora": command], seed: 7) }.value
    let run = try SteppedRun(["anna": command, "ben": command])
    let found = (run.lines["anna"] ?? []).filter { $0.hasPrefix("found") }
    #expect(found == ["found ben"])
    #expect((try await other.lines["clara"] ?? []).filter { $0.hasPrefix("found") } == ["found dora"])
  }

  @Test("A program that does not load the library is named")
  func untimed() throws {
    let run = try SteppedRun(["anna": "env -u LD_PRELOAD StepProbe meet"])
    #expect(run.stop == .notTimed(device: "anna"))
  }

  @Test("A program that computes for ever is named, and ended")
  func endless() throws {
    let run = try SteppedRun(["anna": "sleep 1", "ben": "StepProbe compute"], patience: .milliseconds(300))
    #expect(run.stop == .computesTooLong(["ben"]))
  }

  @Test("A program that prints for ever is named, and ended")
  func flood() throws {
    let run = try SteppedRun(["anna": "yes"], patience: .milliseconds(300))
    #expect(run.stop == .computesTooLong(["anna"]))
  }

  @Test("A run can be cancelled, even while a program computes")
  func cancelled() throws {
    var asked = 0
    let run = try SteppedRun(["anna": "StepProbe compute"]) {
      asked += 1
      return asked > 3
    }
    #expect(run.stop == .cancelled)
  }

  @Test("Hundreds of silent connections do not keep a program out")
  func crowd() throws {
    let crowd = "for n in $(seq 300); do exec {c}<>/dev/tcp/127.0.0.1/7100; done"
    let run = try SteppedRun(["anna": "bash -c '\(crowd); StepProbe join'"])
    #expect(run.lines["anna"]?.last == "joined")
  }

  @Test("Strangers' octets end their connection only")
  func strangers() throws {
    let nonsense =
      #"exec 3<>/dev/tcp/127.0.0.1/7100; printf 'GET / HTTP/1.0\r\n\r\n................' >&3; cat <&3"#
    let run = try SteppedRun(["anna": "bash -c \"\(nonsense)\"; StepProbe join"])
    #expect(run.lines["anna"]?.last == "joined")
    #expect(run.troubles.count == 1)
    #expect(run.troubles.first?.hasPrefix("bad frame: ") == true)
  }
}
