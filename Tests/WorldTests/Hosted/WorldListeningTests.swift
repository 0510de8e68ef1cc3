import CoreLocation
import Dispatch
import Foundation
import NearbyDevice
import NearbyInteraction
import NearbyWorld
import NearbyWorldProtocol
import TestSupport
import Testing

@Suite("Programs that listen to a shared world's anchors")
struct WorldListeningTests {
  @Test(
    "A joined program's delegate hears the anchors once a round; faults and switches reach it", .ownThreads)
  func heard() async throws {
    let world = try ServedWorld(try WorldAnchorTests.scenario())
    let listener = ListeningApp(on: try world.join("anna"))
    let (first, all): (Set<Int>, Set<Int>) = ([1, 2, 3, 4], [1, 2, 3, 4])
    #expect(await listener.heard.wait { $0.contains { Set($0.addresses) == all } }, "\(listener)")
    #expect(
      listener.heard.all.allSatisfy { $0.clusters.isSubset(of: [1]) && first.isSuperset(of: $0.addresses) })
    world.server.withWorld { $0.perform(.anchor(3, isOn: false)) }
    #expect(await listener.hears([1, 2, 3]), "\(listener)")
    world.server.withWorld { $0.perform(.anchorFault(1, .missedPolls, 1)) }
    #expect(await listener.hears([1, 3]), "\(listener)")
    world.server.withWorld {
      $0.perform(.anchorFault(1, .missedPolls, 0))
      $0.perform(.anchor(3, isOn: true))
      $0.perform(.anchorFault(2, .wrongSurvey, 2))
    }
    #expect(await listener.hears(all), "\(listener)")
    #expect(await listener.heard.wait { $0.contains { $0.places[3] == [2, 8, 2.2] } }, "\(listener)")
    listener.session.invalidate()
  }

  @Test("Without permission for location the session of a joined program ends", .ownThreads)
  func denied() async throws {
    let world = try ServedWorld(try WorldAnchorTests.scenario()) { $0.settings.answer = nil }
    let anna = try world.join("anna")
    world.server.withWorld { $0.perform(.standingAnswer(device: 0, .denied)) }
    let listener = ListeningApp(on: anna)
    #expect(await listener.ended.wait { $0.contains(.userDidNotAllow) }, "\(listener.ended.all)")
    #expect(listener.heard.all.isEmpty)
  }
}

/// An app that listens to network 77 and records what it hears.
private final class ListeningApp: NSObject, NISessionDelegate, @unchecked Sendable {
  // The session is used only on the test's task; what is recorded is behind a lock.
  struct Batch: Sendable {
    let addresses: [Int]
    let clusters: Set<Int>
    let places: [Int: SIMD3<Double>]
  }

  let session: NISession
  let heard = Heard<Batch>()
  let ended = Heard<NIError.Code>()
  private let manager: CLLocationManager

  init(on device: NearbyDevice) {
    (session, manager) = NearbyDevice.$current.withValue(device) { (NISession(), CLLocationManager()) }
    super.init()
    session.delegateQueue = DispatchQueue(label: "listener")
    session.delegate = self
    manager.requestWhenInUseAuthorization()
    session.run(NIDLTDOAConfiguration(networkIdentifier: 77))
  }

  override var description: String { "\(heard.all.suffix(4))" }

  /// Waits until the last twenty batches are of these anchors only, and contain each of them.
  func hears(_ addresses: Set<Int>) async -> Bool {
    let count = heard.all.count
    return await heard.wait {
      let new = $0.dropFirst(count).suffix(20)
      return new.count == 20 && new.reduce(into: Set()) { $0.formUnion($1.addresses) } == addresses
    }
  }

  func session(_ session: NISession, didUpdateDLTDOA measurements: [NIDLTDOAMeasurement]) {
    heard.add(
      Batch(
        addresses: measurements.map(\.address), clusters: Set(measurements.map(\.clusterInitiatorAddress)),
        places: Dictionary(measurements.map { ($0.address, $0.coordinates) }) { $1 }))
  }

  func session(_ session: NISession, didInvalidateWith error: any Error) {
    if let error = error as? NIError { ended.add(error.code) }
  }
}
