import NearbySchedule

/// How a site's tags are divided among its processes: a stable hash gives each tag a part, and each part goes to the
/// process that ranks highest for it ("rendezvous hashing", Thaler and Ravishankar, 1998). When a process comes or goes,
/// only the parts move that it gets or had.
package struct SiteShare: Equatable, Sendable {
  /// The tags of each part, by index, ascending.
  package let tags: [[Int]]
  /// The part of each tag.
  package let partOfTag: [Int]
  /// Stands for everything in the plan on which a tag's state depends.
  package let digest: UInt64

  /// Tags of a part on average: their states must fit into one value of the server, 1 MiB.
  private static let tagsTogether = 16
  private static let (fewest, most) = (64, 2048)

  package init(_ plan: SitePlan) {
    var count = Self.fewest
    while count < Self.most, count * Self.tagsTogether < plan.tags.count { count *= 2 }
    var tags = [[Int]](repeating: [], count: count)
    partOfTag = plan.tags.map { Int(Self.mixed(StableHash.of($0.id)) % UInt64(count)) }
    for (tag, part) in partOfTag.enumerated() { tags[part].append(tag) }
    self.tags = tags
    digest = Self.digest(plan, count)
  }

  package var count: Int { tags.count }

  /// The process that has a part.
  ///
  /// - Parameter members: The processes' numbers; the order does not matter.
  /// - Returns: `nil` if there are none.
  package static func owner(of part: Int, among members: some Sequence<UInt64>) -> UInt64? {
    members.max { (rank($0, part), $0) < (rank($1, part), $1) }
  }

  private static func rank(_ member: UInt64, _ part: Int) -> UInt64 {
    mixed(member ^ mixed(UInt64(part)))
  }

  private static func mixed(_ number: UInt64) -> UInt64 { SplitMix64.hash(of: number) }

  private static func digest(_ plan: SitePlan, _ count: Int) -> UInt64 {
    var text = "\(count);\(plan.heights.map { "\($0)" } ?? "")"
    for receiver in plan.receivers { text += ";\(receiver.id) \(receiver.position) \(receiver.floor)" }
    for room in plan.rooms { text += ";room \(room.id)" }
    for fence in plan.fences { text += ";fence \(fence.id)" }
    for tag in plan.tags { text += ";tag \(tag.id)" }
    return StableHash.of(text)
  }
}
