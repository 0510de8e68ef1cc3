import Foundation
import Testing

@testable import NearbyLive

@Suite("Session stamps of a live device")
struct LiveStationTests {
  @Test("A stamp is the time in nanoseconds")
  func nanoseconds() {
    #expect(LiveStation.stamp(Date(timeIntervalSince1970: 1.5)) == 1_500_000_000)
  }

  @Test(
    "A clock outside the representable range gives stamp 0",
    arguments: [-1.0, -1e300, 1e11, 1e300, .infinity, .nan])
  func farOff(seconds: Double) {
    #expect(LiveStation.stamp(Date(timeIntervalSince1970: seconds)) == 0)
  }
}
