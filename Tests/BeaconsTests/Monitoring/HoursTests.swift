import NearbyBeacons
import TestSupport
import Testing

@Suite("Monitoring for hours")
struct HoursTests {
  @Test(
    "With a fifth of packets lost and people passing: no false or missed exit, entry within 1.5 s",
    arguments: UInt64(1)...4)
  func hours(seed: UInt64) {
    let outcome = SimulatedHours(seed: seed, rule: .usual).run(hours: 2)
    #expect(outcome.visits >= 4, "seed \(seed)")
    #expect(outcome.falseExits == 0, "seed \(seed)")
    #expect(outcome.missedExits == 0, "seed \(seed)")
    #expect(outcome.longestEntry <= .milliseconds(1500), "seed \(seed): \(outcome.longestEntry)")
    #expect(outcome.longestExit <= .seconds(31), "seed \(seed): \(outcome.longestExit)")
  }

  @Test("With an exit delay of three seconds, people who pass cause false exits")
  func harsh() {
    let outcome = SimulatedHours(seed: 1, rule: .fixed(.seconds(3))).run(hours: 2)
    #expect(outcome.falseExits > 0)
  }
}
