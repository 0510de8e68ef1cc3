import NearbySchedule

/// The tags of the other processes of a shared site, from their views.
///
/// Holds at most one report per tag, and drops it after the plan's `silence` unless another one arrives.
package struct OtherTags: Sendable {
  private struct Entry: Sendable {
    var tag: SiteView.Tag
    /// When it arrived, on any steady clock.
    var arrival: Duration
  }

  private let plan: SitePlan
  private let digest: UInt64
  private let own: UInt64
  private var entries: [Int: Entry] = [:]
  /// What arrived since the last `takeNews`.
  private var newReports: [Int: SiteReport] = [:]
  private var newEvents: [SiteFenceEvent] = []
  private static let mostEvents = 10_000

  /// - Parameter own: This process's number, whose views are ignored.
  package init(_ plan: SitePlan, digest: UInt64, own: UInt64) {
    self.plan = plan
    self.digest = digest
    self.own = own
  }

  /// Adds a view.
  ///
  /// - Returns: Whether it is another process's view of the same plan.
  @discardableResult
  package mutating func received(_ octets: [UInt8], at now: Duration) -> Bool {
    guard let view = SiteView(parsing: octets, plan, digest: digest), view.member != own else { return false }
    for tag in view.tags {
      entries[tag.report.tag] = Entry(tag: tag, arrival: now)
      newReports[tag.report.tag] = tag.report
    }
    newEvents += view.events.prefix(max(0, Self.mostEvents - newEvents.count))
    return true
  }

  /// Whether another process has sent a report of a tag lately.
  package func isShown(_ tag: Int, since time: Duration) -> Bool {
    entries[tag].map { $0.arrival >= time } ?? false
  }

  /// - Returns: The newest report of each tag and the events that arrived since the last call.
  package mutating func takeNews() -> (reports: [SiteReport], events: [SiteFenceEvent]) {
    defer { (newReports, newEvents) = ([:], []) }
    return (newReports.values.sorted { $0.tag < $1.tag }, newEvents)
  }

  /// The own reports, and those of tags that only other processes have, ascending by tag.
  package mutating func reports(beside own: [SiteReport], at now: Duration) -> [SiteReport] {
    let others = current(without: own, at: now).map(\.report)
    return (own + others).sorted { $0.tag < $1.tag }
  }

  /// The tags in each fence, ascending: the own ones, and those that only other processes have.
  package mutating func occupants(
    _ occupants: [[Int]], beside own: [SiteReport], at now: Duration
  ) -> [[Int]] {
    var all = occupants
    for tag in current(without: own, at: now) {
      for fence in tag.fences where all.indices.contains(fence) { all[fence].append(tag.report.tag) }
    }
    return all.map { $0.sorted() }
  }

  private mutating func current(without own: [SiteReport], at now: Duration) -> [SiteView.Tag] {
    let silence = Duration.seconds(plan.silence)
    entries = entries.filter { now - $0.value.arrival <= silence }
    let known = Set(own.map(\.tag))
    return entries.values.filter { !known.contains($0.tag.report.tag) }.map(\.tag)
  }
}
