import Foundation

/// Whether the process may map what a server needs.
///
/// Dispatch tries for ever to start a thread whose stack cannot be mapped: a server under a tight `ulimit -v` would
/// stand still without a word, some time after its start.
package enum AddressSpace {
  /// Octets for the stacks of Dispatch's threads (64 of 8 MiB each) and for what each thread's heap reserves.
  package static let needed = 1 << 30

  /// Throws where the limit leaves less than what is needed.
  package static func check() throws(CommandError) {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0, limits.rlim_cur != rlim_t.max,
      let mapped
    else { return }
    let expected = mapped + needed
    guard Int(clamping: limits.rlim_cur) < expected else { return }
    throw .unavailable(
      "the limit of address space is too low: ulimit -v is \(limits.rlim_cur >> 10), at least \(expected >> 10) "
        + "expected")
  }

  /// Octets that the process has mapped; `nil` where the system does not say.
  private static var mapped: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    let (octets, isTooMuch) = pages.multipliedReportingOverflow(by: Int(getpagesize()))
    return isTooMuch ? nil : octets
  }
}
