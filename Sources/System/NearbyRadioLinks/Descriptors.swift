import Foundation

/// The limit on this process's file descriptors.
package enum Descriptors {
  /// Descriptors that servers leave free for other needs of the process.
  package static let reserve = 32

  /// The soft limit, as shown by `ulimit -n`.
  package static var limit: Int {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 1024 }
    return Int(clamping: limits.rlim_cur)
  }
}
