import Foundation

/// Checks whether the process may map the memory that a server needs.
///
/// If a thread's stack cannot be mapped, Dispatch retries forever. Under a tight `ulimit -v` a server would
/// silently hang some time after its start.
package enum AddressSpace {
  /// Space for the stacks of Dispatch's threads (64 of 8 MiB each) and for each thread's heap, octets.
  package static let needed = 1 << 30

  /// Throws if the limit leaves less than `needed`.
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

  /// Address space that the process has mapped, octets; `nil` if the system does not provide it.
  private static var mapped: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    let (octets, isTooMuch) = pages.multipliedReportingOverflow(by: Int(getpagesize()))
    return isTooMuch ? nil : octets
  }
}
