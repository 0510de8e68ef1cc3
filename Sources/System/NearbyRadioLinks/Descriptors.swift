import Foundation

/// How many descriptors this process may have.
package enum Descriptors {
  /// Left free by servers for what else the process must open.
  package static let reserve = 32

  /// The soft limit, `ulimit -n`.
  package static var limit: Int {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 1024 }
    return Int(clamping: limits.rlim_cur)
  }
}
