import NearbyDeviceMachine

/// A delivery that a device's machine asked for, with its recipient resolved.
///
/// # The order of actions
///
/// A machine gives its shell a list of actions. Both shells, `LiveDriver` and `WorldPump`, execute that list one
/// action at a time and in the order of the list, whatever the kinds of its actions are; the actions of one event
/// come before those of the next. In particular:
/// - Octets for the chip, questions to the user, values to store and the scan for beacons neither overtake a
///   delivery nor wait for one that comes after them.
/// - Deliveries to sessions, camera users, the accessory and location users keep their order among each other.
/// - A delivery names the peer that its session had when the machine gave the action.
///
/// The recipient is resolved under the shell's lock, which is why it is a value of its own, and called outside
/// it: recipients call the device again.
package enum Delivery: Sendable {
  case session(any SessionSink, SessionEvent, peer: DiscoveryIdentity?)
  case camera(any CameraSink, CameraEvent)
  case accessory(any AccessorySink, AccessoryOutput)
  case location(any LocationSink, LocationEvent)

  /// Calls the recipient. Not under the shell's lock.
  package func perform() {
    switch self {
    case .session(let sink, let event, let peer): sink.received(event, peer: peer)
    case .camera(let sink, let event): sink.received(event)
    case .accessory(let sink, let output): sink.received(output)
    case .location(let sink, let event): sink.received(event)
    }
  }
}

extension DeviceMachine.Action {
  /// Whether a recipient of the app's receives the action, rather than the shell itself executing it.
  package var isDelivery: Bool {
    switch self {
    case .deliver, .deliverCamera, .accessory, .location(.notify): true
    case .transmit, .askPermission, .storePermission, .askCameraPermission, .storeCameraPermission, .location:
      false
    }
  }
}
