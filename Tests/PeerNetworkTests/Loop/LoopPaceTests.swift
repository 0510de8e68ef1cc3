import NearbyEventLoop
import Testing

@Suite("Waiting of an event loop")
struct LoopPaceTests {
  /// A loop whose events arrive at fixed intervals, in virtual time in which each poll takes a microsecond.
  private struct Course {
    var time: UInt64 = 0
    var pace = LoopPace()
    var looks = 0
    var sleeps = 0

    mutating func wait(for gap: UInt64) {
      let due = time + gap
      var (time, looks, sleeps) = (time, looks, sleeps)
      let count = pace.wait(
        upTo: -1, now: { time },
        { milliseconds in
          guard milliseconds != 0 else {
            looks += 1
            time += 1000
            return time >= due ? 1 : 0
          }
          sleeps += 1
          time = max(time, due)
          return 1
        })
      #expect(count == 1)
      (self.time, self.looks, self.sleeps) = (time, looks, sleeps)
    }
  }

  @Test("When events follow each other quickly, the loop sleeps only before the first and then polls")
  func quick() {
    var course = Course()
    for _ in 0..<1000 { course.wait(for: 20_000) }
    #expect(course.sleeps == 1)
  }

  @Test("The loop sleeps until rare events without polling", arguments: [130_000, 1_000_000, 1_000_000_000])
  func seldom(gap: UInt64) {
    var course = Course()
    for _ in 0..<1000 { course.wait(for: gap) }
    #expect(course.looks == 0)
  }

  @Test("If events arrive just after polling ends, the loop polls only rarely")
  func vain() {
    var course = Course()
    for _ in 0..<10_000 { course.wait(for: LoopPace.moment + 10_000) }
    #expect(course.looks < 10_000 * 2)
    // When answers arrive quickly again, the loop soon polls for them.
    let sleeps = course.sleeps
    for _ in 0..<1000 { course.wait(for: 20_000) }
    #expect(course.sleeps - sleeps < 70)
  }

  @Test("A loop with work to do does not wait")
  func busy() {
    var pace = LoopPace()
    #expect(pace.wait(upTo: 0, now: { 0 }, { $0 == 0 ? 7 : -1 }) == 7)
  }
}
