/// Times as the air counts them: whole nanoseconds since start.
///
/// 64 bits reach 292 years; what is further is clamped.
enum AirTime {
  static let latest: Int64 = .max / 4

  /// Nanoseconds, rounded down, from 0 to `latest`.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < latest / 1_000_000_000 else { return latest }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  static func duration(_ nanoseconds: Int64) -> Duration { .nanoseconds(nanoseconds) }

  /// 1200 RSTU are one millisecond.
  static func nanoseconds(rstu: Int64) -> Int64 { rstu * 2500 / 3 }

  /// A sum that stays within `latest`.
  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (value, overflow) = left.addingReportingOverflow(right)
    return overflow ? latest : min(max(value, 0), latest)
  }
}
