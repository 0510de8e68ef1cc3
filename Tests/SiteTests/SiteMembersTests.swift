import NearbySite
import Testing

@Suite("The processes that share a site")
struct SiteMembersTests {
  private static func beat(_ member: UInt64) -> SiteMembers.Beat {
    SiteMembers.Beat(member: member, isLeaving: false)
  }

  @Test(
    "A process counts for itself after a second; one that comes later counts for it sooner than for itself")
  func arrival() {
    var first = SiteMembers(own: 1, at: .zero)
    #expect(first.current(at: .milliseconds(999)).isEmpty)
    #expect(first.current(at: .seconds(1)) == [1])
    var second = SiteMembers(own: 2, at: .seconds(10))
    for tick in 0..<5 {
      let now = Duration.seconds(10) + .milliseconds(300 * tick)
      first.heard(Self.beat(2), at: now)
      second.heard(Self.beat(1), at: now)
      let (ofFirst, ofSecond) = (first.current(at: now), second.current(at: now))
      // At no time both think that a part is theirs: the first gives up before the second takes.
      #expect(ofFirst == (tick < 2 ? [1] : [1, 2]))
      #expect(ofSecond == (tick < 4 ? [1] : [1, 2]))
    }
  }

  @Test(
    "A process that is silent for three quarters of a second is dead; one that says goodbye is gone at once")
  func departure() {
    var members = SiteMembers(own: 1, at: .zero)
    for tick in 0..<10 {
      members.heard(Self.beat(2), at: .milliseconds(300 * tick))
      members.heard(Self.beat(3), at: .milliseconds(300 * tick))
    }
    #expect(members.current(at: .milliseconds(2700)) == [1, 2, 3])
    members.heard(SiteMembers.Beat(member: 3, isLeaving: true), at: .milliseconds(2700))
    #expect(members.current(at: .milliseconds(2700)) == [1, 2])
    #expect(members.current(at: .milliseconds(3449)) == [1, 2])
    #expect(members.current(at: .milliseconds(3450)) == [1])
  }

  @Test("Strangers cannot fill the memory, and their octets are no beats")
  func strangers() {
    var members = SiteMembers(own: 1, at: .zero)
    for number in 2..<10_000 { members.heard(Self.beat(UInt64(number)), at: .zero) }
    #expect(members.current(at: .milliseconds(749)).count == 64)
    let octets = Self.beat(7).octets
    #expect(octets.count == 9 && SiteMembers.Beat(parsing: octets) == Self.beat(7))
    #expect(SiteMembers.Beat(parsing: []) == nil && SiteMembers.Beat(parsing: octets + [0]) == nil)
    #expect(SiteMembers.Beat(parsing: [UInt8](repeating: 255, count: 9)) == nil)
  }
}
