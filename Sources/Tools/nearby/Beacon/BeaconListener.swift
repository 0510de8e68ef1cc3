import NearbyBeacons
import NearbyBluetooth
import NearbyDevice
import Synchronization

/// Receives beacons through a device's Bluetooth.
final class BeaconListener: BluetoothSink {
  private struct State: Sendable {
    var bluetooth = BluetoothState.unknown
    var ranger = BeaconRanger()
    /// `nil` if only beacons of one UUID are wanted.
    var eddystone: EddystoneRanger?
    var monitor: RegionMonitor?
    var actions: [RegionAction] = []
    var user: BluetoothUser?
  }

  private let state: Mutex<State>
  private let device: NearbyDevice
  /// The UUID of the wanted beacons; `nil` for all.
  private let uuid: BluetoothUUID?

  /// - Parameter monitor: Monitors regions, if given.
  init(on device: NearbyDevice, uuid: BluetoothUUID?, monitor: RegionMonitor? = nil) {
    var state = State()
    state.monitor = monitor
    state.eddystone = uuid == nil ? EddystoneRanger() : nil
    self.state = Mutex(state)
    self.device = device
    self.uuid = uuid
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

  var bluetooth: BluetoothState { state.withLock { $0.bluetooth } }

  func received(_ event: BluetoothEvent) {
    let now = device.app.now
    let user = state.withLock { state -> BluetoothUser? in
      switch event {
      case .state(let bluetooth):
        state.bluetooth = bluetooth
        state.actions += state.monitor?.setListening(bluetooth == .poweredOn, at: now) ?? []
        // A radio that was off has forgotten its scan.
        if bluetooth == .poweredOn { return state.user }
      case .sighted(let sighting): add(sighting, &state)
      case _: break
      }
      return nil
    }
    if let user { scan(user) }
  }

  private func add(_ sighting: BluetoothSighting, _ state: inout State) {
    guard let frame = try? BeaconFrame.first(in: sighting.advertisement.payload.span) else { return }
    let source = BeaconSource(high: sighting.peer.high, low: sighting.peer.low)
    state.eddystone?.received(frame, from: source, rssi: sighting.rssi, at: sighting.time)
    guard let heard = BeaconSighting(frame, source: source, rssi: sighting.rssi, time: sighting.time),
      uuid == nil || heard.identity.uuid == uuid
    else { return }
    // UUIDs are unknown until a beacon of theirs is received.
    state.ranger.start(BeaconConstraint(uuid: heard.identity.uuid), at: sighting.time)
    state.ranger.received(heard)
    state.actions += state.monitor?.sighted(heard.identity, at: sighting.time) ?? []
  }

  /// The beacons of the reports that are due, nearest first, or `nil` if no report is due.
  func ranged(at time: Duration) -> [RangedBeacon]? {
    let reports = state.withLock { $0.ranger.timePassed(at: time) }
    guard !reports.isEmpty else { return nil }
    return reports.flatMap(\.beacons).sorted { left, right in
      (left.distance ?? .infinity, left.identity, left.source)
        < (right.distance ?? .infinity, right.identity, right.source)
    }
  }

  /// The Eddystone beacons of the report that is due, nearest first, or `nil` if no report is due.
  func eddystone(at time: Duration) -> [RangedEddystone]? {
    state.withLock { $0.eddystone?.timePassed(at: time) }?.sorted { left, right in
      (left.reading.distance ?? .infinity, "\(left.identity)", left.source)
        < (right.reading.distance ?? .infinity, "\(right.identity)", right.source)
    }
  }

  /// What happened to the regions since the last call.
  func regionActions(at time: Duration) -> [RegionAction] {
    state.withLock { state in
      state.actions += state.monitor?.timePassed(at: time) ?? []
      defer { state.actions = [] }
      return state.actions
    }
  }
}
