import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyRadioLinks
import Synchronization

extension LiveDriver.State {
  /// Resolves the recipient of an action; `nil` if it was released, or if the action is no delivery.
  mutating func delivery(of action: DeviceMachine.Action) -> Delivery? {
    switch action {
    case .deliver(let id, let event):
      sinks[id]?.sink.map { .session($0, event, peer: machine.peer(of: id)) }
    case .deliverCamera(let user, let event): cameraSinks[user]?.object.map { .camera($0, event) }
    case .accessory(let output): accessorySink.object.map { .accessory($0, output) }
    case .location(.notify(let user, let event)): locationSinks[user]?.object.map { .location($0, event) }
    case .transmit, .askPermission, .storePermission, .askCameraPermission, .storeCameraPermission, .location:
      nil
    }
  }
}

/// Executes the machine's actions on `queue`, in the order that `Delivery` describes.
extension LiveDriver {
  func execute(_ action: DeviceMachine.Action, _ delivery: Delivery?) {
    switch action {
    case .deliver(let id, let event):
      report(event, to: id)
      delivery?.perform()
    case .deliverCamera, .accessory: delivery?.perform()
    case .transmit(let octets): transmit(octets)
    case .askPermission:
      permissions.ask { [weak self] answer in
        self?.enqueue { $0.handle(.answerPermission(answer), at: $1) }
      }
    case .storePermission(let permission): permissions.store(permission)
    case .askCameraPermission:
      cameraPermissions?.ask { [weak self] answer in
        self?.enqueue { $0.handle(.answerCameraPermission(answer), at: $1) }
      }
    case .storeCameraPermission(let permission): cameraPermissions?.store(permission)
    case .location(let action): execute(action, delivery)
    }
  }

  private func transmit(_ octets: [UInt8]) {
    do throws(LinkError) {
      try link?.send(octets)
    } catch {
      // The link is full because the chip does not read, or it has ended. Closing it calls `onClose` only in the
      // first case, so the machine is notified here in the second.
      link?.close()
      enqueue { $0.linkClosed(at: $1) }
    }
  }

  private func report(_ event: SessionEvent, to session: SessionID) {
    guard let watcher else { return }
    var hypotheses: [SeenHypothesis] = []
    if case .assisted = event { hypotheses = state.withLock { $0.machine.hypotheses(of: session) } }
    watcher.delivered(event, to: session, hypotheses: hypotheses)
  }

  /// Notifies the watcher when tracking has started or ended.
  func reportCameraRun() {
    guard let watcher else { return }
    let (before, run) = state.withLock { state in
      let run = state.machine.isCameraRunning ? state.machine.cameraEpoch : nil
      defer { state.cameraRun = run }
      return (state.cameraRun, run)
    }
    if before != run { watcher.cameraChanged(run: run) }
  }
}
