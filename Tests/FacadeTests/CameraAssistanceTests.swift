import ARKit
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Camera assistance")
struct CameraAssistanceTests {
  @Test("Sweeps place a target that the antennas never saw", arguments: 1...8 as ClosedRange<UInt64>)
  func placesTarget(seed: UInt64) throws {
    let search = Search(seed: seed)
    search.begin()
    search.world.advance(by: .seconds(2))
    #expect(search.app.isRunning)
    #expect(search.app.place == nil)
    search.sweep()
    search.world.advance(by: .seconds(18))
    #expect(search.app.ofPeer.last == .converged, "\(search.app.ofPeer)")
    let place = try #require(search.app.place)
    let error = place - search.truth
    #expect((error.x * error.x + error.z * error.z).squareRoot() < 0.5, "\(place) for \(search.truth)")
    print("SEED", seed, error)
    let angle = try #require(search.app.updates.last?.horizontalAngle)
    // 4 m to the right and 5 m behind.
    #expect(abs(angle - (.pi - atan2(4, 5))) < 0.15)
    #expect(search.app.updates.last?.direction == nil)
  }
}
