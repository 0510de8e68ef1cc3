import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// Sessions that listen to anchors.
extension NISession {
  /// Listens to a network of anchors from now on.
  func listen(_ configuration: NIDLTDOAConfiguration) {
    guard let network = UInt32(exactly: configuration.networkIdentifier),
      configuration.discoveryMethod == .bluetoothLowEnergy
    else { return device.sessions.post(.reject(id, .invalidConfiguration)) }
    let anchors = AnchorNetworkConfiguration(network: network)
    let use = state.withLock({ $0.locationUse }) ?? LocationUse(device)
    let isOver = state.withLock { state in
      guard !state.isOver else { return true }
      state.isPaused = false
      (state.request, state.peer, state.watch) = (nil, nil, nil)
      (state.anchors, state.locationUse) = (anchors, use)
      return false
    }
    if !isOver { device.sessions.post(.listen(id, anchors)) }
  }
}

/// A session's use of its device's location: permission, and the scan for advertisements.
final class LocationUse: LocationSink {
  private let service: any LocationSide
  // Written once, in the initializer.
  nonisolated(unsafe) private var user: LocationUser?

  init(_ device: NearbyDevice) {
    service = device.location
    user = service.makeUser(self, role: .anchors)
  }

  deinit { if let user { service.release(user) } }

  func received(_ event: LocationEvent) {}
}
