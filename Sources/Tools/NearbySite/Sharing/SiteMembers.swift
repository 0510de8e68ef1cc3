import NearbyStateOctets

/// Which processes share a site now, as one of them knows it: each tells the others several times a second that it lives.
///
/// A process that comes counts only after a while, for itself later than for the others: so they have given its parts up,
/// with checkpoints, before it takes them. One that goes counts no more at once.
package struct SiteMembers: Equatable, Sendable {
  /// What a process tells: its number, and whether it goes.
  package struct Beat: Equatable, Sendable {
    package var member: UInt64
    package var isLeaving: Bool

    package init(member: UInt64, isLeaving: Bool) {
      self.member = member
      self.isLeaving = isLeaving
    }

    package var octets: [UInt8] {
      var coder = StateCoder()
      var copy = self
      copy.code(&coder)
      return coder.octets
    }

    /// - Returns: `nil` unless there are the nine octets of a beat.
    package init?(parsing octets: [UInt8]) {
      self.init(member: 0, isLeaving: false)
      var coder = StateCoder(reading: octets)
      code(&coder)
      guard coder.isComplete else { return nil }
    }

    private mutating func code(_ coder: inout StateCoder) {
      coder.code(&member)
      coder.code(&isLeaving)
    }
  }

  private struct Sighting: Equatable, Sendable {
    var first: Duration
    var latest: Duration
  }

  /// Between two beats.
  package static let interval = Duration.milliseconds(150)
  /// Silence after which a process counts as dead: four beats are missing.
  package static let lifetime = Duration.milliseconds(750)
  /// How long a process is ignored that came, by the others and by itself.
  package static let settling = (others: Duration.milliseconds(600), own: Duration.milliseconds(1000))
  /// The most processes; more of them are strangers.
  private static let most = 64

  package let own: UInt64
  private let start: Duration
  private var sightings: [UInt64: Sighting] = [:]

  /// - Parameter own: This process's number, at random.
  package init(own: UInt64, at now: Duration) {
    self.own = own
    start = now
  }

  /// Notes another process's beat.
  package mutating func heard(_ beat: Beat, at now: Duration) {
    guard beat.member != own else { return }
    if beat.isLeaving {
      sightings[beat.member] = nil
      return
    }
    forget(at: now)
    guard let known = sightings[beat.member] else {
      guard sightings.count < Self.most else { return }
      sightings[beat.member] = Sighting(first: now, latest: now)
      return
    }
    sightings[beat.member] = Sighting(first: known.first, latest: now)
  }

  /// Whether any other process was heard lately.
  package var hasOthers: Bool { !sightings.isEmpty }

  private mutating func forget(at now: Duration) {
    sightings = sightings.filter { now - $0.value.latest < Self.lifetime }
  }

  /// The processes among which the parts are divided, ascending; without this one while it settles.
  package mutating func current(at now: Duration) -> [UInt64] {
    forget(at: now)
    var members = sightings.filter { member, sighting in
      // Those that were there before this process are settled.
      sighting.first - start < Self.settling.own / 2 || now - sighting.first >= Self.settling.others
    }.map(\.key)
    if now - start >= Self.settling.own { members.append(own) }
    return members.sorted()
  }
}
