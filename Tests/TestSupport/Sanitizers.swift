import Foundation

/// The sanitizer that this test run was built with, if any.
package enum Sanitizers {
  /// Whether one is active: it keeps freed memory for a while, so memory in use says nothing, and everything is slower.
  package static let isActive = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// Settings that programs started by a test need as well, suppressions above all.
  package static var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
    }
  }
}
