import ARKit
import CoreBluetooth
import CoreLocation
import MultipeerConnectivity
import NearbyInteraction
import Testing

/// Apple declares these enumerations open: apps write `@unknown default`, `default` or neither beside all cases.
/// This target's warnings are errors, so that all three compile here without one.
@Suite("Open enumerations")
struct OpenEnumTests {
  @Test(
    "A switch over all cases may have @unknown default",
    arguments: [MCSessionState.notConnected, .connecting, .connected])
  func unknownDefault(state: MCSessionState) {
    let text =
      switch state {
      case .notConnected: "notConnected"
      case .connecting: "connecting"
      case .connected: "connected"
      @unknown default: "unknown"
      }
    #expect(text == "\(state)")
  }

  @Test(
    "A switch over all cases may have default", arguments: [NINearbyObject.RemovalReason.timeout, .peerEnded])
  func plainDefault(reason: NINearbyObject.RemovalReason) {
    let text =
      switch reason {
      case .timeout: "timeout"
      case .peerEnded: "peerEnded"
      default: "unknown"
      }
    #expect(text == "\(reason)")
  }

  @Test(
    "A switch over all cases needs no default", arguments: [CLProximity.unknown, .immediate, .near, .far])
  func noDefault(proximity: CLProximity) {
    let text =
      switch proximity {
      case .unknown: "unknown"
      case .immediate: "immediate"
      case .near: "near"
      case .far: "far"
      }
    #expect(text == "\(proximity)")
  }

  @Test("A switch over an enumeration without raw values may have default")
  func withPayload() {
    func text(_ status: NIAlgorithmConvergenceStatus) -> String {
      switch status {
      case .unknown: "unknown"
      case .notConverged(let reasons): "\(reasons.count)"
      case .converged: "converged"
      default: "new"
      }
    }
    #expect(text(.notConverged([])) == "0" && text(.converged) == "converged")
    #expect(NIAlgorithmConvergenceStatus.converged == .converged)
    #expect(NIAlgorithmConvergenceStatus.converged != .unknown)
  }

  @Test("There are no raw values besides Apple's")
  func rawValues() {
    #expect((-5...20).compactMap(MCSessionState.init).count == 3)
    #expect((-5...20).compactMap(CBManagerState.init).count == 6)
    #expect((-5...20).compactMap(CLProximity.init).count == 4)
    #expect((-5...20).compactMap(NINearbyObject.RemovalReason.init).count == 2)
    #expect((-5...20).compactMap(ARFrame.WorldMappingStatus.init).count == 4)
  }
}
