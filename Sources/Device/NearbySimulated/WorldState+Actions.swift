import NearbyAirs
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyVirtualUWB

/// Executes the actions of devices' machines, in the order that `Delivery` describes.
///
/// The pump calls apps outside the lock, after all other events of the same time. An action that follows a
/// delivery therefore waits in the outbox behind it, and is executed at the same virtual time, once the app has
/// been called.
extension WorldState {
  /// Executes an action now, or enqueues it behind the pending deliveries of its device.
  @inline(__always)
  mutating func accept(_ action: DeviceMachine.Action, of device: Int) {
    switch action {
    case .deliver(let id, let event):
      let peer = devices[device].machine.peer(of: id)
      if sessionLog != nil { log(event, of: device, peer: peer) }
      enqueue(action, of: device, peer: peer)
    case .deliverCamera, .accessory, .location(.notify): enqueue(action, of: device)
    case .transmit, .askPermission, .storePermission, .askCameraPermission, .storeCameraPermission, .location:
      if outbox.contains(where: { $0.device == device }) {
        enqueue(action, of: device)
        waitingActions += 1
      } else {
        execute(action, of: device)
      }
    }
  }

  @inline(__always)
  private mutating func enqueue(
    _ action: DeviceMachine.Action, of device: Int, peer: DiscoveryIdentity? = nil
  ) {
    outbox.append(PendingAction(device: device, action: action, peer: peer))
  }

  /// Executes the actions at the head of the outbox, then removes the deliveries up to the next action that waits
  /// for them.
  ///
  /// - Returns: `nil` if the outbox is empty.
  mutating func takeDeliveries() -> [PendingAction]? {
    // Usual: nothing but deliveries.
    if waitingActions == 0 {
      if outbox.isEmpty { return nil }
      // Emptied while shared with the result, it would be copied.
      let deliveries = outbox
      outbox = []
      outbox.reserveCapacity(deliveries.count)
      return deliveries
    }
    while let first = outbox.first {
      if first.action.isDelivery {
        guard let end = outbox.firstIndex(where: { !$0.action.isDelivery }) else {
          defer { outbox.removeAll(keepingCapacity: true) }
          return outbox
        }
        // Bounded: an index of the outbox.
        defer { outbox.removeSubrange(..<end) }
        return Array(outbox.prefix(end))
      }
      // Bounded: `first` is its first element.
      outbox.removeFirst()
      waitingActions -= 1
      execute(first.action, of: first.device)
      exchangeOctets()
    }
    return nil
  }

  /// Resolves the recipient of a delivery; `nil` if the app has released it since.
  mutating func delivery(for pending: PendingAction) -> Delivery? {
    let device = pending.device
    switch pending.action {
    case .deliver(let id, let event):
      return devices[device].sinks.sink(of: id).map { .session($0, event, peer: pending.peer) }
    case .deliverCamera(let user, let event):
      let sink = cameras[device]?.sinks.first { $0.user == user }?.sink
      return sink.map { .camera($0, event) }
    case .accessory(let output): return accessorySinks[device]?.object.map { .accessory($0, output) }
    case .location(.notify(let user, let event)):
      return locations[device]?.sinks[user]?.object.map { .location($0, event) }
    case .transmit, .askPermission, .storePermission, .askCameraPermission, .storeCameraPermission, .location:
      return nil
    }
  }

  private mutating func execute(_ action: DeviceMachine.Action, of device: Int) {
    onExecution?(device, action)
    switch action {
    case .transmit(let octets): air.uwb.received(octets, from: devices[device].radio, at: now)
    case .askPermission:
      if let answer = devices[device].answer { post(.answerPermission(answer), device: device) }
    case .askCameraPermission:
      if let answer = cameras[device]?.answer { post(.answerCameraPermission(answer), device: device) }
    // The machine itself keeps the answers for as long as the world exists.
    case .storePermission, .storeCameraPermission: break
    case .location(let action): execute(action, of: device)
    case .deliver, .deliverCamera, .accessory: break
    }
  }
}
