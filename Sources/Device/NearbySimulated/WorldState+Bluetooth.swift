import NearbyBluetooth
import NearbyDevice
import NearbySimulator
import NearbyVirtualBluetooth

/// The Bluetooth side of a simulated world's devices.
extension WorldState {
  /// A device's place on the air; there it is from the first time that something is asked.
  mutating func bluetoothPlace(of device: Int, name: String) -> Int {
    bluetooth.place(of: device, name: name, body: devices[device].body)
  }

  mutating func makeBluetoothUser(
    _ sink: any BluetoothSink, role: BluetoothRole, device: Int, name: String
  ) -> BluetoothUser {
    let place = bluetoothPlace(of: device, name: name)
    let user = bluetooth.air.makeUser(role, device: place, at: now)
    bluetooth.sinks[user] = sink
    settleBluetooth()
    return user
  }

  mutating func releaseBluetoothUser(_ user: BluetoothUser) {
    bluetooth.sinks[user] = nil
    bluetooth.air.release(user, at: now)
    settleBluetooth()
  }

  mutating func perform(_ command: BluetoothCommand, of user: BluetoothUser) {
    bluetooth.air.perform(command, of: user, at: now)
    settleBluetooth()
  }

  mutating func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool {
    bluetooth.air.update(attribute, value, centrals: centrals, of: user, at: now)
  }

  /// Changes something of a device's Bluetooth from outside its app.
  mutating func changeBluetooth(
    of device: Int, name: String, _ body: (inout BluetoothAir, _ place: Int, Duration) -> Void
  ) {
    let place = bluetoothPlace(of: device, name: name)
    body(&bluetooth.air, place, now)
    settleBluetooth()
  }

  mutating func endBluetooth(of device: Int) {
    guard let place = bluetooth.place(of: device) else { return }
    bluetooth.air.setForeground(true, device: place, at: now)
    bluetooth.air.endApp(of: place, at: now)
    settleBluetooth()
  }

  /// The app of a device goes into the background or comes back.
  mutating func setBluetoothForeground(_ isInForeground: Bool, device: Int) {
    guard let place = bluetooth.place(of: device) else { return }
    bluetooth.air.setForeground(isInForeground, device: place, at: now)
    settleBluetooth()
  }

  mutating func advanceBluetooth() {
    bluetooth.advance(to: now, world: &medium.world)
    settleBluetooth()
  }

  /// Does what the air wants done. Apps hear a moment later: one that starts over as soon as it fails would
  /// otherwise do so for ever at one moment.
  mutating func settleBluetooth() {
    guard bluetooth.air.hasActions else { return }
    for action in bluetooth.air.takeActions() {
      switch action {
      case .tell(let user, let event, let place):
        guard let device = bluetooth.device(at: place) else { continue }
        tasks.insert(.bluetooth(device: device, user, event), at: now + Self.commandLatency)
      case .askPermission(let place):
        guard let device = bluetooth.device(at: place) else { continue }
        if let answer = bluetooth.answers[device, default: .allowedAlways] {
          tasks.insert(.answerBluetooth(device: device, answer), at: now + Self.commandLatency)
        }
      }
    }
  }

  mutating func answerBluetooth(_ answer: BluetoothAuthorization, device: Int) {
    guard let place = bluetooth.place(of: device), bluetooth.air.authorization(of: place) == .notDetermined
    else { return }
    bluetooth.air.setAuthorization(answer, device: place, at: now)
    settleBluetooth()
  }

  /// Hands an event to who still wants it.
  mutating func deliver(_ event: BluetoothEvent, to user: BluetoothUser, of device: Int) {
    // What was on its way to an app that ended meanwhile is lost with it.
    guard bluetooth.air.isCurrent(user), let sink = bluetooth.sinks[user] else { return }
    performances.append(Performance(device: device) { sink.received(event) })
  }
}
