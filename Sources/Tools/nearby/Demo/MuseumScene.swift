import Museum
import NearbyConcurrency
import NearbyInteraction
import NearbyTesting
import Synchronization
import simd

/// The museum of `Examples/Museum` as a demo.
final class MuseumScene: DemoScene {
  let observer = "Visitor"
  let peer = "Jetpack"
  let seed: UInt64
  private let museum: Museum

  /// - Parameter report: Called on the thread that advances time, or while it waits.
  init(seed: UInt64, report: @escaping (DemoReport) -> Void) {
    self.seed = seed
    let hall = Box()
    museum = Museum(seed: seed) { phase in
      guard let museum = hall.museum.withLock({ $0.object }) else { return }
      let guidance = Self.guidance(phase, museum)
      report(
        DemoReport(
          time: museum.world.now, observer: "Visitor", peer: "Jetpack", event: .guidance(guidance)))
    }
    hall.museum.withLock { $0 = WeakBox(museum) }
  }

  var now: Duration { museum.world.now }
  func advance(by step: Duration) { museum.advance(by: step) }

  /// Lets the callback, which is created before the museum, refer to the museum.
  private final class Box: Sendable {
    let museum = Mutex(WeakBox<Museum>())
  }

  private static func guidance(_ phase: FindingApp.Phase, _ museum: Museum) -> DemoReport.Guidance {
    var guidance = DemoReport.Guidance(
      phase: "", angle: nil, distance: nil, missing: museum.app.missing.map(\.rawValue))
    switch phase {
    case .connecting: guidance.phase = "connecting"
    case .moveSideToSide: guidance.phase = "moveSideToSide"
    case .followArrow(let angle, let distance):
      guidance.phase = "followArrow"
      (guidance.angle, guidance.distance) = (angle, distance)
    case .moveUpAndDown(let angle, let distance):
      guidance.phase = "moveUpAndDown"
      (guidance.angle, guidance.distance) = (angle, distance)
    case .placed(let angle, let distance):
      guidance.phase = "placed"
      (guidance.angle, guidance.distance) = (angle, distance)
      guidance.sphereError = museum.error?.horizontal
    case .stopped(let reason): guidance.phase = reason
    }
    return guidance
  }
}
