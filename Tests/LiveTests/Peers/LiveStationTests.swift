import Foundation
import Testing

@testable import NearbyLive

@Suite("The stamp of a live device's peers")
struct LiveStationTests {
  @Test("A stamp is the time in nanoseconds")
  func nanoseconds() {
    #expect(LiveStation.stamp(Date(timeIntervalSince1970: 1.5)) == 1_500_000_000)
  }

  @Test(
    "A clock that is far off gives the smallest stamp",
    arguments: [-1.0, -1e300, 1e11, 1e300, .infinity, .nan])
  func farOff(seconds: Double) {
    #expect(LiveStation.stamp(Date(timeIntervalSince1970: seconds)) == 0)
  }
}
