import NearbyStateOctets

/// A message with which a process of a shared site reports its tags to the other processes, so that each can show all tags:
/// the reports and fence events since its previous view.
///
/// The digest identifies the plan; a view of another plan is rejected. Octets, as `StateCoder` writes them: the digest, the
/// sender's number, the tags with their count, the events with their count.
package struct SiteView: Equatable, Sendable {
  /// A tag's newest report, and the fences that it is in, ascending.
  package struct Tag: Equatable, Sendable {
    package var report: SiteReport
    package var fences: [Int]

    package init(report: SiteReport, fences: [Int]) {
      self.report = report
      self.fences = fences
    }
  }

  /// The most tags, and the most events, in one view; it stays far below a server's largest message.
  package static let most = 500
  private static let mostFences = 64

  package var digest: UInt64
  package var member: UInt64
  package var tags: [Tag] = []
  package var events: [SiteFenceEvent] = []

  private init(digest: UInt64, member: UInt64) {
    self.digest = digest
    self.member = member
  }

  /// Divides tags and events among as many views as are needed.
  package static func views(
    digest: UInt64, member: UInt64, tags: [Tag], events: [SiteFenceEvent]
  ) -> [Self] {
    var views: [Self] = []
    var (tags, events) = (tags[...], events[...])
    while !tags.isEmpty || !events.isEmpty {
      var view = Self(digest: digest, member: member)
      view.tags = tags.prefix(most).map {
        Tag(report: $0.report, fences: Array($0.fences.prefix(mostFences)))
      }
      view.events = Array(events.prefix(most))
      (tags, events) = (tags.dropFirst(most), events.dropFirst(most))
      views.append(view)
    }
    return views
  }

  // MARK: Octets

  package var octets: [UInt8] {
    var coder = StateCoder()
    var copy = self
    copy.code(&coder, limits: nil)
    return coder.octets
  }

  /// - Returns: `nil` unless the octets are a view of a process with this plan and digest.
  package init?(parsing octets: [UInt8], _ plan: SitePlan, digest: UInt64) {
    self.init(digest: 0, member: 0)
    var coder = StateCoder(reading: octets)
    code(&coder, limits: plan)
    guard coder.isComplete, self.digest == digest else { return nil }
  }

  /// - Parameter plan: Bounds the indices; `nil` when writing.
  private mutating func code(_ coder: inout StateCoder, limits plan: SitePlan?) {
    coder.code(&digest)
    coder.code(&member)
    coder.code(&tags, most: Self.most, new: Tag(report: .unknown, fences: [])) { coder, tag in
      tag.report.code(&coder, limits: plan)
      coder.code(&tag.fences, most: Self.mostFences, new: 0) { coder, fence in
        coder.code(&fence, in: 0...Self.last(plan?.fences))
        coder.require(plan?.fences.isEmpty != true)
      }
    }
    coder.code(&events, most: Self.most, new: .unknown) { $1.code(&$0, limits: plan) }
  }

  /// A list's largest index; without a list, no bound.
  fileprivate static func last(_ list: [some Any]?) -> Int { list.map { max(0, $0.count - 1) } ?? .max }
}

extension SiteReport {
  fileprivate static let unknown = SiteReport(
    tag: 0, time: 0, position: nil, nearest: nil, room: nil, isRoomNew: false)

  fileprivate mutating func code(_ coder: inout StateCoder, limits plan: SitePlan?) {
    coder.code(&tag, in: 0...SiteView.last(plan?.tags))
    coder.require(plan?.tags.isEmpty != true)
    coder.code(finite: &time)
    coder.code(&position, new: SitePosition.unknown) { $1.code(&$0) }
    coder.code(&nearest, new: SiteNearness(receiver: 0, metres: 0, sigma: nil, time: 0)) {
      $1.code(&$0, receivers: plan?.receivers.count ?? .max)
    }
    coder.code(&room, new: 0) { coder, room in
      coder.code(&room, in: 0...SiteView.last(plan?.rooms))
      coder.require(plan?.rooms.isEmpty != true)
    }
    coder.code(&isRoomNew)
  }
}

extension SiteFenceEvent {
  fileprivate static let unknown = SiteFenceEvent(
    kind: .enter, tag: 0, fence: 0, time: 0, seconds: 0, position: nil)

  fileprivate mutating func code(_ coder: inout StateCoder, limits plan: SitePlan?) {
    coder.code(&kind)
    coder.code(&tag, in: 0...SiteView.last(plan?.tags))
    coder.code(&fence, in: 0...SiteView.last(plan?.fences))
    coder.require(plan?.tags.isEmpty != true && plan?.fences.isEmpty != true)
    coder.code(finite: &time)
    coder.code(finite: &seconds)
    coder.code(&position, new: SitePosition.unknown) { $1.code(&$0) }
  }
}
