#if canImport(Testing)
  import Foundation
  import NearbyTesting
  import Synchronization
  import Testing

  /// For tests that run in many worlds: says how to run a seed that fails again, and keeps a recording of its worlds.
  ///
  /// ```swift
  /// @Test("Ann finds Ben", .campaign, arguments: Seeds.campaign)
  /// func meeting(seed: UInt64) { … }
  /// ```
  ///
  /// Each issue of a failing case gets a comment with a command such as
  /// `NEARBY_SEEDS=7 swift test --filter 'MeetingTests.meeting'`. The recording is in the folder that
  /// `NEARBY_RECORDINGS` names, or `.build/nearby-recordings`: `events.jsonl`, and for each phone a folder that
  /// `nearby replay` reads. The seeds are those that the case gave to its `World`s.
  public struct CampaignTrait: TestTrait, SuiteTrait, TestScoping {
    /// The folder for recordings; `nil` for the environment's.
    private let recordings: String?

    package init(recordings: String? = nil) { self.recordings = recordings }

    /// True, so that a suite's tests have the trait too.
    public var isRecursive: Bool { true }

    /// Runs a case and leaves a recording if it fails.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      let log = WorldLog()
      let failed = Mutex(false)
      let handler = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        if issue.isFailure {
          failed.withLock { $0 = true }
          if let line = Self.rerunLine(log.seeds, of: test) { issue.comments.append(Comment(rawValue: line)) }
        }
        return issue
      }
      do {
        try await WorldLog.$current.withValue(log) {
          try await handler.provideScope(for: test, testCase: testCase, performing: function)
        }
      } catch {
        leaveRecording(of: log, test)
        throw error
      }
      if failed.withLock({ $0 }) { leaveRecording(of: log, test) }
    }

    static func rerunLine(_ seeds: [UInt64], of test: Test) -> String? {
      guard !seeds.isEmpty else { return nil }
      let list = seeds.map { "\($0)" }.joined(separator: ",")
      return "Run again: NEARBY_SEEDS=\(list) swift test --filter '\(name(of: test))'"
    }

    /// As `--filter` finds it: `Suite/test` without the argument list.
    private static func name(of test: Test) -> String {
      let parts = test.id.nameComponents.map { String($0.prefix { $0 != "(" }) }
      return parts.joined(separator: "/")
    }

    private func leaveRecording(of log: WorldLog, _ test: Test) {
      guard let seed = log.seeds.first else { return }
      let environment = ProcessInfo.processInfo.environment
      let root = recordings ?? environment["NEARBY_RECORDINGS"] ?? ".build/nearby-recordings"
      let folder = URL(fileURLWithPath: root, isDirectory: true)
        .appendingPathComponent(FileName.of(Self.name(of: test))).appendingPathComponent("seed-\(seed)")
      do {
        guard let place = try log.write(to: folder) else { return }
        Self.write("Recording of seed \(seed): \(place.path)")
      } catch {
        Self.write("No recording of seed \(seed): \(error)")
      }
    }

    private static func write(_ line: String) {
      FileHandle.standardError.write(Data("nearby: \(line)\n".utf8))
    }
  }

  extension Trait where Self == CampaignTrait {
    /// Says how to run a seed that fails again, and keeps a recording of its worlds.
    public static var campaign: Self { Self() }
  }
#endif
