import NearbyBeacons
import NearbyBluetooth
import NearbyCommandLine
import NearbyDevice
import NearbyReadings
import Synchronization

/// Reports the beacons that a device's Bluetooth hears.
final class GatewayListener: BluetoothSink {
  private struct State: Sendable {
    var bluetooth = BluetoothState.unknown
    var user: BluetoothUser?
  }

  private let state = Mutex(State())
  private let device: NearbyDevice
  private let inbox: GatewayInbox

  init(on device: NearbyDevice, _ inbox: GatewayInbox) {
    self.device = device
    self.inbox = inbox
  }

  /// Starts listening. Release the returned user to stop.
  func start() -> BluetoothUser {
    let user = device.bluetooth.makeUser(self, role: .system)
    state.withLock { $0.user = user }
    scan(user)
    return user
  }

  private func scan(_ user: BluetoothUser) {
    device.bluetooth.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user)
  }

  /// Why nothing will ever be heard; an adapter that is off can come back.
  var trouble: CommandError? {
    switch state.withLock({ $0.bluetooth }) {
    case .unsupported, .unauthorized: BluetoothTrouble.error(simulating: false)
    case .unknown, .resetting, .poweredOff, .poweredOn: nil
    }
  }

  func received(_ event: BluetoothEvent) {
    switch event {
    case .state(let bluetooth):
      // A radio that was off has forgotten its scan.
      let user = state.withLock { state -> BluetoothUser? in
        state.bluetooth = bluetooth
        return bluetooth == .poweredOn ? state.user : nil
      }
      if let user { scan(user) }
    case .sighted(let sighting): add(sighting)
    case _: break
    }
  }

  private func add(_ sighting: BluetoothSighting) {
    guard let frame = try? BeaconFrame.first(in: sighting.advertisement.payload.span),
      let beacon = BeaconID.text(frame)
    else { return }
    inbox.add(
      GatewayReading(
        time: GatewayClock.now, uncertainty: GatewayClock.delay, peer: beacon.id,
        value: .advertisement(rssi: Double(sighting.rssi), power: beacon.power)))
  }
}
