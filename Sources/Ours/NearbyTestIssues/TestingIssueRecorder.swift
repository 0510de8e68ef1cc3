#if canImport(Testing)
  import NearbyTesting
  import Testing

  /// Records what NearbyTesting notices as issues of Swift Testing. NearbyTesting finds it by its name.
  final class TestingIssueRecorder: IssueRecorder {
    static var currentTest: String? { Test.current.map { "\($0.id)" } }

    static func record(_ text: String) { Issue.record(Comment(rawValue: text)) }
  }
#endif
