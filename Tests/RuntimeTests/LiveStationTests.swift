import Foundation
import Testing

@testable import NearbyRuntime

/// The node of a live device on the peer network.
struct LiveStationTests {
  @Test func aStampIsTheTimeInNanoseconds() {
    #expect(LiveStation.stamp(Date(timeIntervalSince1970: 1.5)) == 1_500_000_000)
  }

  @Test(arguments: [-1.0, -1e300, 1e11, 1e300, .infinity, .nan])
  func aClockThatIsFarOffGivesTheSmallestStamp(seconds: Double) {
    #expect(LiveStation.stamp(Date(timeIntervalSince1970: seconds)) == 0)
  }
}
