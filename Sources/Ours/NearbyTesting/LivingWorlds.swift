import Foundation
import NearbyDevice
import Synchronization

/// Records issues with the test that is running. NearbyTestIssues implements it with Swift Testing, so that
/// programs which use NearbyTesting without tests don't load Swift Testing.
package protocol IssueRecorder: SendableMetatype {
  /// Identifies the test that this code runs in; `nil` outside tests, and on threads that the test started.
  static var currentTest: String? { get }
  /// Records an issue with the test that this code runs in.
  static func record(_ text: String)
}

/// Knows which worlds exist, to report objects under Apple's names that are made outside `Phone.launch`.
///
/// Tests run in parallel, and another test may use the process's own device on purpose. So, where the test is
/// known, only a test that made a world of its own is reported; elsewhere one line is written per process.
package enum LivingWorlds {
  private struct State {
    var count = 0
    /// The number of worlds of each test that has any.
    var countOfTest: [String: Int] = [:]
    /// What has been reported already: tests, and `nil` for code outside tests.
    var reported: Set<String?> = []
  }

  private static let state = Mutex(State())
  /// `nil` where NearbyTestIssues is not part of the program.
  private static let recorder: (any IssueRecorder.Type)? =
    NSClassFromString("NearbyTestIssues.TestingIssueRecorder") as? any IssueRecorder.Type

  static func message(_ object: String) -> String {
    """
    a \(object) was created outside Phone.launch while a World exists, so it belongs to this process's own \
    device: create it in phone.launch { … }
    """
  }

  /// Counts a new world.
  ///
  /// - Returns: The test that made it, to be passed to `remove`.
  static func add() -> String? {
    let test = recorder?.currentTest
    state.withLock { state in
      state.count += 1
      if let test { state.countOfTest[test, default: 0] += 1 }
    }
    OwnDeviceUse.observe(usedOwnDevice)
    return test
  }

  static func remove(of test: String?) {
    state.withLock { state in
      state.count -= 1
      guard let test, let count = state.countOfTest[test] else { return }
      state.countOfTest[test] = count > 1 ? count - 1 : nil
    }
  }

  private static func usedOwnDevice(_ object: String) {
    let test = recorder?.currentTest
    let isNew = state.withLock { state in
      let isMisuse = test.map { state.countOfTest[$0] != nil } ?? (state.count > 0)
      return isMisuse && state.reported.insert(test).inserted
    }
    guard isNew else { return }
    Notice.write(message(object))
    if test != nil { recorder?.record(message(object)) }
  }
}
