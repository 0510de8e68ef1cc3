import CNearbyTimePage
import Foundation
import NearbySchedule

/// The time of a stepped world as one of its programs reads it, and the program's deadlines.
///
/// `@unchecked Sendable`: the page is shared memory, whose functions are atomic.
final class TimePage: @unchecked Sendable {
  /// What the monotonic clock shows at the world's beginning.
  private static let uptimeAtZero = Int64(1_000_000_000_000)
  /// 2025-01-01 00:00 UTC, nanoseconds since 1970: the date at the world's beginning.
  private static let wallAtZero = Int64(1_735_689_600_000_000_000)

  let path: String
  private let page: UnsafeMutablePointer<ntp_page>

  /// - Parameters:
  ///   - path: A file that does not exist. It is removed with this object.
  ///   - seed: Where the program's random numbers begin.
  init(path: String, seed: UInt64) throws(SteppedWorldFailure) {
    guard let page = ntp_create(path, Self.uptimeAtZero, Self.wallAtZero, seed) else {
      throw .system(call: "create \(path)", errno: errno)
    }
    self.path = path
    self.page = page
  }

  deinit {
    ntp_release(page)
    unlink(path)
  }

  var now: Duration {
    get { .nanoseconds(ntp_now(page)) }
    set { ntp_set_now(page, newValue.inNanoseconds) }
  }

  /// When the program next waits until; `nil` if it waits for nothing but messages.
  var nextDeadline: Duration? {
    let next = ntp_next_deadline(page)
    return next == .max ? nil : .nanoseconds(next)
  }

  /// Ends the waits whose time has come. Returns whether there were any.
  func wake() -> Bool { ntp_wake(page) }

  /// Forgets the waits of processes that were killed. They would never end.
  func forgetDead() { ntp_forget_dead(page) }

  /// Whether a process follows this time, which it does if it has mapped this page; `true` if the system does not tell.
  func isUsed(by process: UInt32) -> Bool {
    guard let maps = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/maps")), !maps.isEmpty
    else {
      return true
    }
    return maps.range(of: Data(path.utf8)) != nil
  }

  /// Waits that found no place, and so have no time-out.
  var refusedCount: Int { Int(ntp_refused(page)) }
}
