import NearbyAirs
import NearbyDeviceMachine
import NearbySimulator
import Synchronization

/// An event of a session, beside the truth at that time.
package struct LoggedSessionEvent: Sendable {
  package let time: Duration
  /// The device's index in the world.
  package let device: Int
  /// The index of the device that the session runs with, if it is one of this world.
  package let peer: Int?
  package let event: SessionEvent
  package let pose: Pose
  /// Seen from the device; `nil` without a peer.
  package let truth: SimulatedWorld.LinkTruth?
}

/// Where a world's session events are logged, and which device each session belongs to.
struct SessionLog: Sendable {
  /// Called under the world's lock.
  let add: @Sendable (LoggedSessionEvent) -> Void
  var owners: [DiscoveryIdentity: Int] = [:]
}

extension WorldPump {
  /// Logs every event of a session from now on. Call before the first session is made.
  ///
  /// - Parameter add: May ask for devices' names; must not call the world otherwise.
  package func logSessions(_ add: @escaping @Sendable (LoggedSessionEvent) -> Void) {
    state.withLock { $0.sessionLog = SessionLog(add: add) }
  }
}

extension WorldState {
  mutating func makeSession(on device: Int) -> (id: SessionID, identity: DiscoveryIdentity) {
    let session = devices[device].makeSession()
    sessionLog?.owners[session.identity] = device
    return session
  }

  mutating func log(_ event: SessionEvent, of device: Int, peer: DiscoveryIdentity?) {
    guard let log = sessionLog else { return }
    let other = peer.flatMap { log.owners[$0] }
    let radio = air.medium.radioInWorld(of: devices[device].radio)
    let truth = other.map { other in
      let otherRadio = air.medium.radioInWorld(of: devices[other].radio)
      return air.medium.world.truth(from: radio, to: otherRadio, at: now)
    }
    let pose = air.medium.world.pose(of: devices[device].body, at: now)
    log.add(
      LoggedSessionEvent(time: now, device: device, peer: other, event: event, pose: pose, truth: truth))
  }
}
