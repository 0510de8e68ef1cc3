import NearbyBluetooth
import NearbyDeviceMachine
import Synchronization

/// Watches one accessory on Bluetooth for a session that names it there: whether it is paired and connected,
/// and what its Nearby Interaction service holds. It acts on behalf of the system, because apps cannot read
/// that service.
///
/// While the watch exists it keeps its share in a connection to the accessory. It never starts a connection
/// or a pairing.
package final class AccessoryWatch: Sendable {
  package let peer: BluetoothPeer
  private let device: NearbyDevice
  private let user = Mutex<BluetoothUser?>(nil)

  package init(_ peer: BluetoothPeer, of device: NearbyDevice) {
    self.peer = peer
    self.device = device
  }

  deinit {
    if let user = user.withLock({ $0 }) { device.bluetooth.release(user) }
  }

  /// Reports the accessory's present state to the device and reads its service.
  package func refresh() {
    guard let known = device.bluetooth.peerState(peer), known.isConnected, known.isPaired else {
      return device.accessory.post(.setAccessoryLink(peer, nil))
    }
    device.accessory.post(.setAccessoryLink(peer, AccessoryLinkState()))
    let user = user.withLock { held in
      if let held { return held }
      let ear = Ear(peer, of: device)
      let made = device.bluetooth.makeUser(ear, role: .central(restoring: nil))
      // Set in time, because events arrive later than this call, on the device's own thread.
      ear.user.withLock { $0 = made }
      held = made
      return made
    }
    // The accessory is connected, so this takes the watch's share in the connection at once.
    device.bluetooth.perform(.connect(peer), of: user)
    device.bluetooth.perform(.discover(peer), of: user)
  }

  /// Receives Bluetooth events. Bluetooth retains its sinks, so this one must not retain the watch.
  private final class Ear: BluetoothSink {
    private let peer: BluetoothPeer
    private let device: NearbyDevice
    let user = Mutex<BluetoothUser?>(nil)

    init(_ peer: BluetoothPeer, of device: NearbyDevice) {
      self.peer = peer
      self.device = device
    }

    func received(_ event: BluetoothEvent) {
      guard let user = user.withLock({ $0 }) else { return }
      switch event {
      case .discovered(peer, .success(let services)):
        let characteristic = services.filter { $0.uuid == AccessoryUUIDs.service }
          .flatMap(\.characteristics).first { $0.uuid == AccessoryUUIDs.configuration }
        guard let characteristic else { return reportConfiguration([]) }
        device.bluetooth.perform(.read(peer, characteristic.id), of: user)
      case .discovered(peer, .failure), .read(peer, _, .failure): reportConfiguration([])
      case .read(peer, _, .success(let octets)):
        reportConfiguration(octets)
      case .disconnected(peer, _), .notConnected(peer, _): device.accessory.post(.setAccessoryLink(peer, nil))
      case .servicesChanged(peer, _): device.bluetooth.perform(.discover(peer), of: user)
      case _: break
      }
    }

    /// Reports the accessory's configuration to the device.
    ///
    /// - Parameter configuration: Empty if the service is missing or cannot be read.
    private func reportConfiguration(_ configuration: [UInt8]) {
      device.accessory.post(.setAccessoryLink(peer, AccessoryLinkState(configuration: configuration)))
    }
  }
}
