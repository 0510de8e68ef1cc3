/// Times in the simulated airs: whole nanoseconds since the start.
///
/// 64 bits cover 292 years; times are limited to a quarter of that, so that the sum of two never overflows.
@usableFromInline
package enum AirTime {
  @inlinable package static var latest: Int64 { .max / 4 }

  /// Nanoseconds, rounded towards zero and clamped to 0 to `latest`.
  @inlinable
  package static func nanoseconds(_ duration: Duration) -> Int64 {
    min(max(duration.inNanoseconds, 0), latest)
  }

  @inlinable
  package static func duration(_ nanoseconds: Int64) -> Duration { .nanoseconds(nanoseconds) }

  /// A sum clamped to 0 to `latest`.
  @inlinable
  package static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (value, overflow) = left.addingReportingOverflow(right)
    return overflow ? latest : min(max(value, 0), latest)
  }
}
