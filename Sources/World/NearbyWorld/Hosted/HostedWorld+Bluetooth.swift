import NearbyAirs
import NearbyBluetooth
import NearbySimulated
import NearbyVirtualBluetooth
import NearbyWorldProtocol

/// The Bluetooth adapters of a world's devices, as used by their programs.
extension HostedWorld {
  /// Maximum number of Bluetooth users per device. `Docs/world-protocol.md` §4.
  private static let userLimit = 64

  /// Handles a message from a program. Messages about unknown users are ignored.
  mutating func received(_ message: DeviceBluetoothMessage, by device: Int, _ client: WorldClient) {
    advanceAir()
    switch message {
    case .made(let number, let role): make(number, role, device, client)
    case .released(let number):
      guard let user = devices[device].bluetooth.users.removeValue(forKey: number) else { break }
      bluetoothUsers[user] = nil
      air.bluetooth.release(user, at: time)
    case .command(let number, let command):
      guard let user = devices[device].bluetooth.users[number] else { break }
      if case .add(let service) = command, !hasRoom(for: service, of: device) {
        sendBluetooth(.event(user: number, .added(service.id, .att(.insufficientResources))), device)
        break
      }
      air.bluetooth.perform(command, of: user, at: time)
      if case .write(let peer, _, _, withResponse: false) = command {
        let hasRoom = air.bluetooth.canWrite(to: peer, of: user)
        exchangeBluetooth()
        sendBluetooth(.wrote(user: number, peer, hasRoom: hasRoom), device)
      }
    case .update(let number, let attribute, let value, let centrals):
      guard let user = devices[device].bluetooth.users[number] else { break }
      let isTaken = air.bluetooth.update(attribute, value, centrals: centrals, of: user, at: time)
      sendBluetooth(.taken(user: number, isTaken), device)
    }
    exchangeBluetooth()
  }

  /// Whether the device's services, including `service`, still fit into one message to a peer that discovers
  /// them.
  private func hasRoom(for service: GATTService, of device: Int) -> Bool {
    guard let place = air.bluetoothPlace(of: device) else { return true }
    let offered = air.bluetooth.offeredServices(of: place)
    let octets = offered.reduce(service.messageOctets) { $0 + $1.messageOctets }
    return octets <= BluetoothLimits.services
  }

  /// Creates a Bluetooth user, or drops the connection if the number is in use or the limit is reached.
  private mutating func make(_ number: UInt32, _ role: BluetoothRole, _ device: Int, _ client: WorldClient) {
    guard devices[device].bluetooth.users[number] == nil else {
      return refuse(client, "a second Bluetooth user \(number)")
    }
    guard devices[device].bluetooth.users.count < Self.userLimit else {
      return refuse(client, "more than \(Self.userLimit) Bluetooth users")
    }
    let place = bluetoothPlace(of: device)
    let user = air.bluetooth.makeUser(role, device: place, at: time)
    devices[device].bluetooth.users[number] = user
    bluetoothUsers[user] = (device, number)
    sendBluetoothStatus(device, place)
  }

  private mutating func bluetoothPlace(of device: Int) -> Int {
    if let place = air.bluetoothPlace(of: device) { return place }
    let place = air.bluetoothPlace(of: device, name: devices[device].name, body: devices[device].body)
    air.bluetooth.setForeground(devices[device].isInForeground, device: place, at: time)
    air.bluetooth.setPower(isOn: devices[device].isBluetoothOn, device: place, at: time)
    applyBluetoothModes(device)
    return place
  }

  /// Applies the Bluetooth background modes that the device's app declared.
  mutating func applyBluetoothModes(_ device: Int) {
    guard let place = air.bluetoothPlace(of: device) else { return }
    var modes: BluetoothModes = []
    let declared = devices[device].backgroundModes
    if declared?.contains(.bluetoothCentral) != false { modes.insert(.central) }
    if declared?.contains(.bluetoothPeripheral) != false { modes.insert(.peripheral) }
    air.bluetooth.setModes(modes, device: place, at: time)
    exchangeBluetooth()
  }

  /// Switches a device's Bluetooth on or off, as its user would.
  mutating func setBluetooth(_ device: Int, isOn: Bool) {
    devices[device].isBluetoothOn = isOn
    guard let place = air.bluetoothPlace(of: device) else { return }
    air.bluetooth.setPower(isOn: isOn, device: place, at: time)
    exchangeBluetooth()
  }

  /// The user's answer about Bluetooth; restricted counts as denied.
  func bluetoothPermission(of device: Int) -> WorldAnswer {
    guard let place = air.bluetoothPlace(of: device) else { return .notDetermined }
    return switch air.bluetooth.authorization(of: place) {
    case .notDetermined: .notDetermined
    case .allowedAlways: .allowed
    case .restricted, .denied: .denied
    }
  }

  private mutating func sendBluetooth(_ message: WorldBluetoothMessage, _ device: Int) {
    guard case .program(let client, name: _) = devices[device].holder else { return }
    actions.append(.send(.bluetooth(message), to: client, at: time))
  }

  private mutating func sendBluetoothStatus(_ device: Int, _ place: Int) {
    sendBluetooth(.status(air.bluetooth.state(of: place), air.bluetooth.authorization(of: place)), device)
  }

  /// Routes the air's Bluetooth events to the programs they concern.
  mutating func exchangeBluetooth() {
    guard air.bluetooth.hasActions else { return }
    for action in air.bluetooth.takeActions() {
      switch action {
      case .notify(let user, let event, let place):
        guard let (device, number) = bluetoothUsers[user] else { continue }
        if case .state = event { sendBluetoothStatus(device, place) }
        for peer in event.peers { sendPeer(peer, device, place) }
        sendBluetooth(.event(user: number, event), device)
      case .askPermission(let place):
        if let device = air.bluetoothDevice(at: place) { ask(device, .bluetooth) }
      }
    }
  }

  /// Sends the program a peer's state and services if they differ from what it last received.
  private mutating func sendPeer(_ peer: BluetoothPeer, _ device: Int, _ place: Int) {
    guard let state = air.bluetooth.peerState(peer, device: place) else { return }
    let services = state.isConnected ? air.bluetooth.services(of: peer, for: place) : []
    let known = HostedBluetooth.Known(state: state, services: services)
    guard devices[device].bluetooth.known[peer] != known else { return }
    devices[device].bluetooth.known[peer] = known
    sendBluetooth(.peer(peer, state, services: services), device)
  }

  mutating func setBluetoothForeground(_ device: Int, _ isInForeground: Bool) {
    guard let place = air.bluetoothPlace(of: device) else { return }
    air.bluetooth.setForeground(isInForeground, device: place, at: time)
    exchangeBluetooth()
  }

  /// Applies the user's answer, creating the device's place on the Bluetooth air if necessary.
  mutating func setBluetoothPermission(_ device: Int, _ answer: WorldAnswer) {
    let authorization: BluetoothAuthorization =
      switch answer {
      case .notDetermined: .notDetermined
      case .allowed, .allowedOnce: .allowedAlways
      case .denied: .denied
      }
    let place = bluetoothPlace(of: device)
    air.bluetooth.setAuthorization(authorization, device: place, at: time)
    exchangeBluetooth()
  }

  /// Switches off a removed device's Bluetooth and frees its place on the air.
  mutating func forgetBluetooth(of device: Int) {
    guard let place = air.bluetoothPlace(of: device) else { return }
    air.bluetooth.setPower(isOn: false, device: place, at: time)
    exchangeBluetooth()
    air.forgetBluetooth(of: device)
  }

  /// Releases all Bluetooth users of a program that ended.
  mutating func endBluetooth(of device: Int) {
    guard let place = air.bluetoothPlace(of: device) else { return }
    for user in devices[device].bluetooth.users.values { bluetoothUsers[user] = nil }
    devices[device].bluetooth = HostedBluetooth()
    air.bluetooth.endApp(of: place, at: time)
    exchangeBluetooth()
  }
}

/// A program's view of its device's Bluetooth.
struct HostedBluetooth: Sendable {
  struct Known: Equatable, Sendable {
    let state: BluetoothPeerState
    let services: [BluetoothUUID]
  }

  /// Users by the program's own numbers.
  var users: [UInt32: BluetoothUser] = [:]
  /// State of each peer as last sent to the program.
  var known: [BluetoothPeer: Known] = [:]
}

extension BluetoothEvent {
  /// The peers that the event concerns.
  fileprivate var peers: [BluetoothPeer] {
    switch self {
    case .state, .added, .advertising, .readyToUpdate: []
    case .restored(let it): it.connected + it.connecting
    case .sighted(let sighting): [sighting.peer]
    case .connected(let peer), .notConnected(let peer, _), .disconnected(let peer, _),
      .discovered(let peer, _), .read(let peer, _, _), .notified(let peer, _, _), .wrote(let peer, _, _),
      .notifying(let peer, _, _, _), .rssi(let peer, _), .readyToWrite(let peer),
      .servicesChanged(let peer, _),
      .nameChanged(let peer, _), .subscribed(let peer, _, _), .unsubscribed(let peer, _),
      .readRequest(_, let peer, _, _), .writeRequest(_, let peer, _), .centralGone(let peer),
      .sounded(let peer, _), .soundingEnded(let peer, _), .paired(let peer, _):
      [peer]
    }
  }
}
