import NearbyAirs
import NearbyScenarios
import NearbySimulator
import NearbyVirtualUWB
import Synchronization

/// Anchors of a simulated world.
extension WorldPump {
  /// Adds an anchor for a body that is already in the world.
  ///
  /// - Returns: Its index; `nil` if its chip refuses the setup.
  package func addAnchor(
    named name: String, _ setup: AnchorSetup, _ characteristics: RadioCharacteristics, body: BodyID,
    advertises: Bool = true
  ) -> Int? {
    state.withLock {
      $0.addAnchor(named: name, setup, characteristics, body: body, advertises: advertises)
    }
  }

  /// Adds the anchors of a scenario, in its order.
  package func addAnchors(of scenario: Scenario) {
    state.withLock { $0.addAnchors(of: scenario) }
  }

  /// Applies a scenario event to an anchor.
  package func perform(_ action: Scenario.Event.Action, ofAnchor index: Int) {
    state.withLock { $0.air.perform(action, ofAnchor: index, at: $0.now) }
  }

  /// Changes an anchor's setup.
  package func changeAnchor(_ index: Int, _ change: @Sendable (inout AnchorSetup) -> Void) {
    state.withLock { $0.air.changeAnchor(index, at: $0.now, change) }
  }

  /// Switches an anchor on or off.
  package func setAnchor(_ index: Int, isOn: Bool) {
    state.withLock { $0.air.setAnchor(index, isOn: isOn, at: $0.now) }
  }

  /// Reads an anchor.
  package func anchor(_ index: Int) -> SimulatedAnchor { state.withLock { $0.air.anchors[index] } }

  /// Steps between an anchor and the time reference of its network; `nil` while it does not know.
  package func hopCount(ofAnchor index: Int) -> UInt8? {
    state.withLock { $0.air.uwb.hopCount(of: $0.air.anchors[index].chip) }
  }
}
