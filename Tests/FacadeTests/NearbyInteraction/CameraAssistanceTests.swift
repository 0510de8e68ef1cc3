import ARKit
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Camera assistance")
struct CameraAssistanceTests {
  @Test("Sweeps locate a target that the antennas never saw", arguments: 1...8 as ClosedRange<UInt64>)
  func placesTarget(seed: UInt64) throws {
    let search = Search(seed: seed)
    search.begin()
    search.world.advance(by: .seconds(2))
    #expect(search.app.isRunning)
    #expect(search.app.place == nil)
    search.sweep()
    search.world.advance(by: .seconds(22))
    #expect(search.app.ofPeer.last == .converged, "\(search.app.ofPeer)")
    let place = try #require(search.app.place)
    #expect(horizontal(place - search.truth) < 0.5, "\(place) for \(search.truth)")
    let last = try #require(search.app.updates.last)
    // 4 m to the right and 5 m behind.
    #expect(abs((last.horizontalAngle ?? 9) - (.pi - atan2(4, 5))) < 0.15)
    #expect(last.direction == nil, "the antennas never saw the target")
    #expect(last.verticalDirectionEstimate == .same)
  }

  @Test("A device at rest gets the advice to move, and neither angle nor position")
  func atRest() throws {
    let search = Search()
    search.begin()
    search.world.advance(by: .seconds(20))
    guard case .notConverged(let reasons)? = search.app.ofPeer.last else {
      Issue.record("\(search.app.ofPeer)")
      return
    }
    #expect(reasons.contains(.insufficientMovement))
    #expect(reasons.contains(.insufficientHorizontalSweep))
    #expect(search.app.place == nil)
    #expect(search.app.updates.allSatisfy { $0.horizontalAngle == nil })
    #expect(search.app.updates.count > 100)
  }

  @Test(
    "A straight walk does not converge, and asks for a horizontal sweep",
    arguments: 1...6 as ClosedRange<UInt64>)
  func straightLine(seed: UInt64) {
    let search = Search(seed: seed, target: [4, 3, 1.2])
    search.seeker.turn(heading: 180)
    search.begin()
    search.world.advance(by: .seconds(2))
    search.seeker.walk(through: [[0, 6, 1.4], [0, 0, 1.4]], speed: 1)
    search.world.advance(by: .seconds(14))
    #expect(!search.app.ofPeer.contains(.converged))
    #expect(search.app.place == nil)
    guard case .notConverged(let reasons)? = search.app.ofPeer.last else {
      Issue.record("\(search.app.ofPeer)")
      return
    }
    #expect(reasons.contains(.insufficientHorizontalSweep))
  }

  @Test("Without camera assistance there is no angle, vertical direction, convergence or position")
  func off() {
    let search = Search()
    search.begin(camera: false)
    search.sweep()
    search.world.advance(by: .seconds(22))
    #expect(search.app.updates.count > 100)
    #expect(search.app.updates.allSatisfy { $0.horizontalAngle == nil })
    #expect(search.app.updates.allSatisfy { $0.verticalDirectionEstimate == .unknown })
    #expect(search.app.ofPeer.isEmpty)
    #expect(search.app.ofSession.isEmpty)
    #expect(search.app.place == nil)
  }

  @Test("The horizontal angle is independent of tilt and height", arguments: [-50.0, 0, 50])
  func levelAngle(pitch: Double) throws {
    let search = Search(seed: 5, target: [5, 3, 1.4])
    search.begin()
    search.world.advance(by: .seconds(2))
    search.sweep()
    search.world.advance(by: .seconds(22))
    search.seeker.turn(heading: 20, pitch: pitch)
    search.seeker.walk(to: [0, 0, 0.7], speed: 0.5)
    search.world.advance(by: .seconds(4))
    let angle = try #require(search.app.updates.last?.horizontalAngle)
    let truth = Float(atan2(5.0, 3.0) - 20 * .pi / 180)
    #expect(abs(angle - truth) < 0.12)
  }

  @Test(
    "A higher target is above, and a lower one below",
    arguments: [(4.2, NINearbyObject.VerticalDirectionEstimate.above), (-2.4, .below)])
  func vertical(height: Double, expected: NINearbyObject.VerticalDirectionEstimate) throws {
    let search = Search(seed: 4, target: [2, 2, height])
    search.begin()
    search.world.advance(by: .seconds(2))
    search.seeker.walk(
      through: [
        [1, 3, 1.4], [4, 4, 1.8], [4, 1, 0.6], [0, 0, 1.9], [1, 3, 0.5], [4, 4, 1.9], [0, 0, 1.4],
      ],
      speed: 1)
    search.world.advance(by: .seconds(26))
    #expect(search.app.updates.last?.verticalDirectionEstimate == expected)
  }

  @Test("Once the antennas saw the target, its direction is also known outside their cone")
  func directionBeyondCone() throws {
    let search = Search(seed: 3, target: [1, 5, 1.4])
    search.begin()
    search.world.advance(by: .seconds(2))
    #expect(search.app.updates.last?.direction != nil)
    search.sweep()
    search.world.advance(by: .seconds(22))
    #expect(search.app.ofPeer.last == .converged)
    search.seeker.turn(heading: 170)
    search.world.advance(by: .seconds(2))
    let direction = try #require(search.app.updates.last?.direction)
    let truth = simd_float3(search.seeker.truth(to: search.target).direction)
    #expect(simd_dot(direction, truth) > 0.97, "\(direction) for \(truth)")
    #expect(truth.z > 0.8)
  }

  @Test("Insufficient lighting is reported for session and peer, and no longer once there is light")
  func light() {
    let search = Search()
    search.seeker.setLight(20)
    search.begin()
    search.world.advance(by: .seconds(3))
    #expect(search.app.ofSession.last == .notConverged([.insufficientLighting]))
    guard case .notConverged(let reasons)? = search.app.ofPeer.last else {
      Issue.record("\(search.app.ofPeer)")
      return
    }
    #expect(reasons.contains(.insufficientLighting))
    search.seeker.setLight(900)
    search.world.advance(by: .seconds(3))
    #expect(search.app.ofSession.last == .converged)
    guard case .notConverged(let later)? = search.app.ofPeer.last else {
      Issue.record("\(search.app.ofPeer)")
      return
    }
    #expect(!later.contains(.insufficientLighting))
  }

  @Test("Lost frames are reported as insufficient signal strength")
  func signal() {
    let search = Search()
    search.begin()
    search.world.advance(by: .seconds(3))
    search.seeker.loseFrames(0.6)
    search.world.advance(by: .seconds(4))
    let lacked = search.app.ofPeer.contains { status in
      if case .notConverged(let reasons) = status {
        reasons.contains(.insufficientSignalStrength)
      } else {
        false
      }
    }
    #expect(lacked)
  }

  @Test(
    "After tracking was lost, the target is located again in the new AR world",
    arguments: 1...4 as ClosedRange<UInt64>)
  func trackingLost(seed: UInt64) throws {
    let search = Search(seed: seed)
    search.begin()
    search.world.advance(by: .seconds(2))
    search.sweep()
    search.world.advance(by: .seconds(22))
    #expect(search.app.place != nil)
    search.seeker.loseTracking()
    search.seeker.walk(to: [3, 0, 1.4], speed: 1)
    search.world.advance(by: .seconds(4))
    #expect(search.app.place == nil)
    search.seeker.regainTracking()
    search.world.advance(by: .seconds(1))
    #expect(search.app.place == nil, "a position in the old AR world is invalid in the new one")
    let place = try #require(
      search.placeFound(on: [[4.5, 0.5, 1.4], [5, 2, 1.4], [3, 2.5, 1.9], [2, 1, 0.6], [3, 0, 1.4]]))
    // The tracker missed 3 m of the walk, so the new AR world's origin is 3 m off.
    #expect(horizontal(place - (search.truth - simd_float3(3, 0, 0))) < 0.6, "\(place)")
  }

  @Test("A target that is carried away is located again", arguments: 1...4 as ClosedRange<UInt64>)
  func carriedAway(seed: UInt64) throws {
    let search = Search(seed: seed)
    search.begin()
    search.world.advance(by: .seconds(2))
    search.sweep()
    search.world.advance(by: .seconds(22))
    #expect(search.app.place != nil)
    search.target.place(at: [-4, 5, 1])
    // The app gets the old place until ranges contradict it.
    search.sweep()
    search.world.advance(by: .seconds(22))
    let place = try #require(search.placeFound(on: Search.sweeping))
    #expect(horizontal(place - search.truth) < 0.6, "\(place) for \(search.truth)")
  }

  @Test("Distances of a moving phone are more accurate than without the camera")
  func distances() {
    func error(camera: Bool) -> Double {
      var squares: [Double] = []
      for seed in 1...6 as ClosedRange<UInt64> {
        let search = Search(seed: seed)
        search.begin(camera: camera)
        search.world.advance(by: .seconds(2))
        search.sweep()
        for _ in 0..<160 {
          search.world.advance(by: .milliseconds(100))
          guard let distance = search.app.updates.last?.distance else { continue }
          let error = Double(distance) - search.seeker.truth(to: search.target).distance
          squares.append(error * error)
        }
      }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    let (with, without) = (error(camera: true), error(camera: false))
    #expect(with < 0.9 * without, "\(with) against \(without)")
  }

  @Test("The same seed gives the same results, and another seed different ones")
  func deterministic() {
    func run(_ seed: UInt64) -> [NINearbyObject] {
      let search = Search(seed: seed)
      search.begin()
      search.sweep()
      search.world.advance(by: .seconds(12))
      return search.app.updates
    }
    func figures(_ objects: [NINearbyObject]) -> [[Float?]] {
      objects.map { [$0.distance, $0.direction?.x, $0.horizontalAngle] }
    }
    #expect(figures(run(7)) == figures(run(7)))
    #expect(figures(run(7)) != figures(run(8)))
  }

  private func horizontal(_ v: simd_float3) -> Float { (v.x * v.x + v.z * v.z).squareRoot() }
}
