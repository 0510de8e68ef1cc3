import Foundation
import NearbyMaths
import NearbyRecordings
import NearbyScenarios
import Testing

@testable import NearbyScenarios
@testable import NearbySimulator

@Suite("Recordings made from scenarios")
struct ScenarioRecordingTests {
  static func scenario() throws -> Scenario {
    try Scenario(
      parsing: Data(
        """
        { seed: 3, duration: 10,
          devices: [
            { name: "walker", motion: { walk: [[0, 0], [8, 0]], speed: 1 } },
            { name: "post", kind: "accessory", motion: { stand: [4, 4, 2] } },
            { name: "cart", motion: { walk: [[0, 9], [9, 9]] } },
            { name: "stranger", motion: { stand: [1, 1] } } ],
          pairs: [["walker", "post"], ["cart", "walker"]],
          events: [{ at: 5, do: "switchOff", device: "post" }] }
        """.utf8), file: "x.json")
  }

  @Test("A recording has poses at 20 Hz, ranges with their truth, and positions of objects at rest")
  func contents() throws {
    let recording = try Self.scenario().recording(of: 0)
    #expect(recording.truePath.count == 201)
    #expect(recording.trackedPath.count == 201)
    #expect(recording.objects == [RecordedPoint(name: "post", position: SIMD3(4, 4, 2))])
    #expect(Set(recording.ranges.map(\.object)) == ["post", "cart"])
    #expect(recording.ranges.filter { $0.object == "post" }.allSatisfy { $0.time < .seconds(5) })
    #expect(recording.ranges.count { $0.object == "cart" } > 45)
    for range in recording.ranges {
      let truth = try #require(range.trueRange)
      #expect(abs(range.range - truth) < 3)
    }
    for column in recording.extraColumns {
      let count =
        switch column.values {
        case .numbers(let numbers): numbers.count
        case .text(let text): text.count
        }
      #expect(count == recording.ranges.count, "\(column.name)")
    }
  }

  @Test("The same scenario gives exactly the same recording")
  func sameSeed() throws {
    let scenario = try Self.scenario()
    #expect(scenario.recording(of: 0) == scenario.recording(of: 0))
    var other = scenario
    other.seed = 4
    #expect(scenario.recording(of: 0).ranges != other.recording(of: 0).ranges)
  }

  @Test("A recording is unchanged after it is written and read back")
  func roundTrip() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "scenario-recording-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let recording = try Self.scenario().recording(of: 0)
    try recording.write(to: folder)
    let read = try Recording(folder: folder)
    // Compared outside the macro, which would print thousands of numbers.
    let same = (
      read.ranges == recording.ranges, read.extraColumns == recording.extraColumns,
      read.truePath == recording.truePath, read.trackedPath == recording.trackedPath
    )
    #expect(same == (true, true, true, true))
    #expect(read.objects == recording.objects)
    #expect(read.tags == recording.tags)
    #expect(read.meta == recording.meta)
  }

  @Test("A tracked path starts at its own origin and drifts by a few percent")
  func drift() throws {
    let recording = try Self.scenario().recording(of: 0)
    let first = try #require(recording.trackedPath.first)
    let last = try #require(recording.trackedPath.last)
    #expect(first.position == .zero)
    let moved = (last.position - first.position).length
    #expect(moved != 8)
    #expect(abs(moved - 8) < 0.5)
  }
}
