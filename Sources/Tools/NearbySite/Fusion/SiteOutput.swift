/// What a site reports about its tags.
package enum SiteOutput: Equatable, Sendable {
  /// A tag was heard for the first time, or again.
  case appeared(tag: Int, time: Double)
  /// A tag was silent for too long.
  case vanished(tag: Int, time: Double)
  case report(SiteReport)
  case fence(SiteFenceEvent)

  /// The tag of an event; `nil` for a report.
  var eventTag: Int? {
    switch self {
    case .appeared(let tag, _), .vanished(let tag, _): tag
    case .fence(let event): event.tag
    case .report: nil
    }
  }
}

/// The present state of a tag.
package struct SiteReport: Equatable, Sendable {
  package var tag: Int
  /// Unix seconds.
  package var time: Double
  /// `nil` if the readings do not determine it.
  package var position: SitePosition?
  package var nearest: SiteNearness?
  /// Index of the room; `nil` for none.
  package var room: Int?
  /// Whether the room is another one than in the report before.
  package var isRoomNew: Bool

  package init(
    tag: Int, time: Double, position: SitePosition?, nearest: SiteNearness?, room: Int?, isRoomNew: Bool
  ) {
    self.tag = tag
    self.time = time
    self.position = position
    self.nearest = nearest
    self.room = room
    self.isRoomNew = isRoomNew
  }
}

/// A tag entered or left a fence, or stayed in it.
package struct SiteFenceEvent: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Equatable, Sendable {
    case enter, exit, dwell
  }

  package var kind: Kind
  package var tag: Int
  package var fence: Int
  /// Unix seconds.
  package var time: Double
  /// Seconds inside; 0 for an entry.
  package var seconds: Double
  package var position: SitePosition?

  package init(
    kind: Kind, tag: Int, fence: Int, time: Double, seconds: Double, position: SitePosition?
  ) {
    self.kind = kind
    self.tag = tag
    self.fence = fence
    self.time = time
    self.seconds = seconds
    self.position = position
  }
}
