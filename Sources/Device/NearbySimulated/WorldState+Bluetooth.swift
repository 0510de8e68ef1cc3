import NearbyAirs
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulator
import NearbyVirtualBluetooth

/// The Bluetooth side of a simulated world's devices.
extension WorldState {
  /// A device's index on the air, which it joins with the first call.
  mutating func bluetoothPlace(of device: Int, name: String) -> Int {
    air.bluetoothPlace(of: device, name: name, body: devices[device].body)
  }

  mutating func makeBluetoothUser(
    _ sink: any BluetoothSink, role: BluetoothRole, device: Int, name: String
  ) -> BluetoothUser {
    let user = makeBluetoothUser(role, device: device, name: name)
    bluetoothSinks[user] = sink
    return user
  }

  mutating func makeBluetoothUser(_ role: BluetoothRole, device: Int, name: String) -> BluetoothUser {
    let place = bluetoothPlace(of: device, name: name)
    let user = air.bluetooth.makeUser(role, device: place, at: now)
    performBluetoothActions()
    return user
  }

  mutating func releaseBluetoothUser(_ user: BluetoothUser) {
    bluetoothSinks[user] = nil
    air.bluetooth.release(user, at: now)
    performBluetoothActions()
  }

  mutating func perform(_ command: BluetoothCommand, of user: BluetoothUser) {
    air.bluetooth.perform(command, of: user, at: now)
    performBluetoothActions()
  }

  mutating func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool {
    air.bluetooth.update(attribute, value, centrals: centrals, of: user, at: now)
  }

  /// Changes a device's Bluetooth from outside its app.
  mutating func changeBluetooth(
    of device: Int, name: String, _ body: (inout BluetoothAir, _ place: Int, Duration) -> Void
  ) {
    let place = bluetoothPlace(of: device, name: name)
    body(&air.bluetooth, place, now)
    performBluetoothActions()
  }

  mutating func endBluetooth(of device: Int) {
    guard let place = air.bluetoothPlace(of: device) else { return }
    air.bluetooth.setForeground(true, device: place, at: now)
    air.bluetooth.endApp(of: place, at: now)
    performBluetoothActions()
  }

  /// A device's app enters the background or the foreground.
  mutating func setBluetoothForeground(_ isInForeground: Bool, device: Int) {
    guard let place = air.bluetoothPlace(of: device) else { return }
    air.bluetooth.setForeground(isInForeground, device: place, at: now)
    performBluetoothActions()
  }

  /// Executes the air's actions. Apps are notified a moment later: otherwise an app that retries as soon as it fails
  /// would retry endlessly without time advancing.
  mutating func performBluetoothActions() {
    guard air.bluetooth.hasActions else { return }
    for action in air.bluetooth.takeActions() {
      switch action {
      case .notify(let user, let event, let place):
        guard let device = air.bluetoothDevice(at: place) else { continue }
        tasks.insert(.bluetooth(device: device, user, event), at: now + Self.commandLatency)
      case .askPermission(let place):
        guard let device = air.bluetoothDevice(at: place) else { continue }
        if let answer = bluetoothAnswers[device, default: .allowedAlways] {
          tasks.insert(.answerBluetooth(device: device, answer), at: now + Self.commandLatency)
        }
      }
    }
  }

  mutating func answerBluetooth(_ answer: BluetoothAuthorization, device: Int) {
    guard let place = air.bluetoothPlace(of: device), air.bluetooth.authorization(of: place) == .notDetermined
    else { return }
    air.bluetooth.setAuthorization(answer, device: place, at: now)
    performBluetoothActions()
  }

  /// Delivers an event to its user, unless the user was released.
  mutating func deliver(_ event: BluetoothEvent, to user: BluetoothUser, of device: Int) {
    // The user may belong to an app that has ended since.
    guard air.bluetooth.isCurrent(user) else { return }
    if !locations.isEmpty, locations[device]?.scanner == user {
      devices[device].machine.receivedForLocation(event, at: now)
      return runUntilIdle(device)
    }
    if !setups.isEmpty, setups[device]?.scanner == user {
      return receivedForSetup(event, of: device)
    }
    guard let sink = bluetoothSinks[user] else { return }
    blocks.append(ScheduledBlock(device: device) { sink.received(event) })
  }
}
