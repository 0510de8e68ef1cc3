import NearbyBluetooth
import NearbyDeviceMachine
import Synchronization

/// Performs Bluetooth Channel Sounding with one accessory for one session, and reports what it measures.
///
/// It acts as a user of Bluetooth beside the app's managers. While it exists it keeps its share in the connection to the
/// accessory; it never starts a connection.
package final class SoundingWatch: Sendable {
  private let peer: BluetoothPeer
  private let device: NearbyDevice
  private let session: SessionID
  private let user = Mutex<BluetoothUser?>(nil)

  package init(_ peer: BluetoothPeer, for session: SessionID, of device: NearbyDevice) {
    self.peer = peer
    self.session = session
    self.device = device
  }

  deinit {
    if let user = user.withLock({ $0 }) { device.bluetooth.release(user) }
  }

  /// Starts Channel Sounding, if the accessory is connected.
  package func start() {
    guard device.bluetooth.supportsSounding else {
      return device.sessions.post(.sounding(session, .ended(.notSupported)))
    }
    guard device.bluetooth.peerState(peer)?.isConnected == true else {
      return device.sessions.post(.sounding(session, .ended(.notConnected)))
    }
    let made = device.bluetooth.makeUser(Ear(session, of: device), role: .central(restoring: nil))
    user.withLock { $0 = made }
    // The accessory is connected, so this takes a share in the connection at once.
    device.bluetooth.perform(.connect(peer), of: made)
    device.bluetooth.perform(.startSounding(peer), of: made)
  }

  /// Receives Bluetooth events. Bluetooth retains its sinks, so this one must not retain the watch.
  private final class Ear: BluetoothSink {
    private let session: SessionID
    private let device: NearbyDevice

    init(_ session: SessionID, of device: NearbyDevice) {
      self.session = session
      self.device = device
    }

    func received(_ event: BluetoothEvent) {
      switch event {
      case .sounded(_, .success(let sounding)): report(.sounded(sounding))
      case .sounded(_, .failure): report(.sounded(nil))
      case .soundingEnded(_, let failure): report(.ended(failure))
      case _: break
      }
    }

    private func report(_ input: SoundingInput) { device.sessions.post(.sounding(session, input)) }
  }
}
