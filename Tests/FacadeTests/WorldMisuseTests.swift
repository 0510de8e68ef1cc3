import CoreLocation
import Foundation
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import Synchronization
import Testing

@Suite("Mistakes in tests of apps")
struct WorldMisuseTests {
  @Test("A session made outside launch is reported on standard error with what to do")
  func line() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World()
      _ = NISession()
      withExtendedLifetime(world) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.components(separatedBy: "create it in phone.launch { … }").count == 2, "\(text)")
  }

  @Test("A session made outside launch is an issue of the test that made the world")
  func issue() {
    let count = Atomic(0)
    withKnownIssue {
      let world = World()
      _ = NISession()
      withExtendedLifetime(world) {}
    } matching: { issue in
      count.wrappingAdd(1, ordering: .relaxed)
      return issue.comments.contains { $0.rawValue.hasPrefix("a NISession was created outside Phone.launch") }
    }
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test("Queries about the device, and peer IDs, are not reported")
  func queries() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let world = World()
      _ = NISession.deviceCapabilities
      _ = CLLocationManager.locationServicesEnabled()
      _ = MCPeerID(displayName: "Ann")
      withExtendedLifetime(world) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!text.contains("launch"), "\(text)")
  }

  @Test("Two phones with the same name end the process with a reason")
  func sameName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let world = World()
      world.addPhone("Ann")
      world.addAccessory("Ann")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("phone named “Ann” already"), "\(text)")
  }

  @Test("Moving time back ends the process with a reason")
  func backwards() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      World().advance(by: .seconds(-1))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("only moves forward"), "\(text)")
  }
}
