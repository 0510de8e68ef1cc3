import Foundation

/// The sanitizer that this test run was built with, if any.
package enum Sanitizers {
  /// Whether a sanitizer is active. It delays the reuse of freed memory, so memory use means nothing, and it
  /// slows everything down.
  package static let isActive = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// Environment variables that programs started by a test also need, mainly suppressions.
  package static var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in
      ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
    }
  }
}
