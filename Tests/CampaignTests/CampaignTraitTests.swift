import Foundation
import NearbyInteraction
import NearbyTesting
import Synchronization
import TestSupport
import Testing

@testable import NearbyTestIssues

/// The variable with which the test below runs.
private let failsOnPurpose = "NEARBY_TESTS_FAIL_ON_PURPOSE"

/// Fails on purpose, in the program that another test starts.
@Suite(
  "A campaign that fails", .enabled(if: ProcessInfo.processInfo.environment[failsOnPurpose] != nil))
struct FailingCampaign {
  @Test("Fails", .campaign, arguments: Seeds.campaign)
  func fails(seed: UInt64) throws {
    try CampaignTraitTests.meet(seed: seed)
    #expect(seed == 0)
  }
}

@Suite("The trait of campaigns", .ownThreads)
struct CampaignTraitTests {
  private final class App: NSObject {
    let session = NISession()
    func find(_ token: NIDiscoveryToken) { session.run(NINearbyPeerConfiguration(peerToken: token)) }
  }

  @Test("A case that throws leaves a recording too")
  func thrown() async throws {
    struct Broken: Error {}
    let folder = try TemporaryFolder()
    await #expect(throws: Broken.self) {
      try await provide(in: folder.url) {
        try Self.meet(seed: 7)
        throw Broken()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  /// Two phones that range for two seconds.
  static func meet(seed: UInt64) throws {
    let world = World(seed: seed)
    let ann = world.addPhone("Ann / 1", at: [0, 0, 1.2])
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    let (one, other) = (ann.launch { App() }, ben.launch { App() })
    one.find(try #require(other.session.discoveryToken))
    other.find(try #require(one.session.discoveryToken))
    world.advance(by: .seconds(2))
  }

  private func provide(
    in folder: URL, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    try await CampaignTrait(recordings: folder.path).provideScope(
      for: try #require(Test.current), testCase: Test.Case.current
    ) { try body() }
  }

  @Test("An issue says how to run its seed again, and the worlds leave a recording")
  func leavesRecording() throws {
    let folder = try TemporaryFolder()
    // A program of its own, because what it does must be an issue.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--testing-library", "swift-testing", "--filter", "CampaignTests.FailingCampaign"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["NEARBY_RECORDINGS": folder.url.path, failsOnPurpose: "1", "NEARBY_SEEDS": "7"]
    ) { $1 }
    let pipe = Spawning.pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try Spawning.run(process)
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus != 0)
    #expect(
      output.contains("Run again: NEARBY_SEEDS=7 swift test --filter 'FailingCampaign/fails'"), "\(output)")
    #expect(output.contains("nearby: Recording of seed 7: \(folder.url.path)"), "\(output)")
    let files = FileManager.default
    let tests = try files.contentsOfDirectory(atPath: folder.url.path)
    let test = try #require(tests.first)
    let run = folder.url.appendingPathComponent(test).appendingPathComponent("seed-7")
    let names = try files.contentsOfDirectory(atPath: run.path).sorted()
    #expect(names.count == 3 && names.contains("Ben") && names.contains("events.jsonl"), "\(names)")
    let events = try String(contentsOf: run.appendingPathComponent("events.jsonl"), encoding: .utf8)
    #expect(events.contains("\"device\":\"Ann / 1\",\"peer\":\"Ben\",\"event\":\"running\""))
    #expect(events.split(separator: "\n").count > 15)
    let ranges = try String(contentsOf: run.appendingPathComponent("Ben/ranges.csv"), encoding: .utf8)
    #expect(ranges.contains(",Ann / 1,"))
  }

  @Test("A case that passes leaves nothing")
  func passes() async throws {
    let folder = try TemporaryFolder()
    try await provide(in: folder.url) { try Self.meet(seed: 7) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("The line to run again names seeds and test")
  func line() throws {
    let test = try #require(Test.current)
    #expect(
      CampaignTrait.rerunLine([7, 9], of: test)
        == "Run again: NEARBY_SEEDS=7,9 swift test --filter 'CampaignTraitTests/line'")
    #expect(CampaignTrait.rerunLine([], of: test) == nil)
  }

  @Test("Names of tests and phones are safe names of files")
  func names() {
    #expect(FileName.of("Ann") == "Ann")
    for name in ["..", ".", "", "a/b", "/etc/passwd", "å", String(repeating: "x", count: 300), "a\0b"] {
      let safe = FileName.of(name)
      #expect(!safe.isEmpty && !safe.contains("/") && !safe.contains(".") && safe.utf8.count <= 90, "\(name)")
    }
    #expect(FileName.of("a/b") != FileName.of("a.b"))
  }
}
