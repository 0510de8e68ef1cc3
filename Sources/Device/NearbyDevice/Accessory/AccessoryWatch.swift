import NearbyBluetooth
import NearbyDeviceMachine
import Synchronization

/// The system's eye on one accessory, for a session that names it on Bluetooth: whether it is paired and
/// connected, and what its Nearby Interaction service holds.
///
/// Apps cannot read that service themselves. While the watch lives the device stays connected to the accessory
/// as far as it is concerned; it never begins a connection or a pairing.
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

  /// Tells the device how things are now, and reads the accessory's service.
  package func look() {
    guard let known = device.bluetooth.peerState(peer), known.isConnected, known.isPaired else {
      return device.accessory.post(.setAccessoryLink(peer, nil))
    }
    device.accessory.post(.setAccessoryLink(peer, AccessoryLinkState()))
    let user = user.withLock { held in
      if let held { return held }
      let ear = Ear(peer, of: device)
      let made = device.bluetooth.makeUser(ear, role: .central(restoring: nil))
      // Events come later than this call, on the device's own thread.
      ear.user.withLock { $0 = made }
      held = made
      return made
    }
    // The link is there: the watch has a share in it from now on, at once.
    device.bluetooth.perform(.connect(peer), of: user)
    device.bluetooth.perform(.discover(peer), of: user)
  }

  /// Hears what the driver tells; kept by the driver, so that it must not keep the watch.
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
        guard let characteristic else { return tell([]) }
        device.bluetooth.perform(.read(peer, characteristic.id), of: user)
      case .discovered(peer, .failure), .read(peer, _, .failure): tell([])
      case .read(peer, _, .success(let octets)):
        tell(octets)
      case .disconnected(peer, _), .notConnected(peer, _): device.accessory.post(.setAccessoryLink(peer, nil))
      case .servicesChanged(peer, _): device.bluetooth.perform(.discover(peer), of: user)
      case _: break
      }
    }

    /// - Parameter configuration: None where the service is not there, or cannot be read.
    private func tell(_ configuration: [UInt8]) {
      device.accessory.post(.setAccessoryLink(peer, AccessoryLinkState(configuration: configuration)))
    }
  }
}
