import XCTest

@testable import Ranging

final class RangerTests: XCTestCase {
  func testNothingIsNearAtFirst() {
    XCTAssertNil(BeaconRanger().nearest)
  }
}
