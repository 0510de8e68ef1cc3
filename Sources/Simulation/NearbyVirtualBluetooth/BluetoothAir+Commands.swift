import NearbyBluetooth
import NearbySchedule

/// Commands from apps.
extension BluetoothAir {
  /// Performs an app's command. While Bluetooth cannot be used, commands that can report a failure do so.
  package mutating func perform(_ command: BluetoothCommand, of user: BluetoothUser, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    guard let client = clientOfUser[user], let it = clients[client] else { return }
    // This applies even while Bluetooth is off.
    if case .acceptPairing(let accepts) = command { clients[client]?.refusesPairing = !accepts }
    if case .offerSounding(let offers) = command { clients[client]?.offersSounding = offers }
    if case .showOnly(let peers) = command, it.isSystem {
      clients[client]?.limitsVisibility = peers != nil
      return setVisiblePeers(peers.map(Set.init), device: it.device, at: now)
    }
    let state = it.isSystem ? devices[it.device].systemState : devices[it.device].state
    guard state == .poweredOn else {
      if let refusal = command.refusal { notify(client, refusal) }
      return
    }
    switch command {
    case .scan(let scan): self.scan(scan, client)
    case .stopScan:
      clients[client]?.scan = nil
      clients[client]?.reported = [:]
      updateListening(it.device)
    case .connect(let peer): connect(peer, client, device: it.device)
    case .disconnect(let peer): disconnect(peer, client, device: it.device)
    case .discover(let peer): request(.discover, peer, client)
    case .read(let peer, let id): request(.read(id, soFar: []), peer, client)
    case .write(let peer, let id, let value, withResponse: true): request(.write(id, value), peer, client)
    case .write(let peer, let id, let value, withResponse: false): send(value, to: id, peer, client)
    case .setNotify(let peer, let id, let isOn): request(.configure(id, isOn: isOn), peer, client)
    case .readRSSI(let peer): readPower(peer, client)
    case .add(let service): add(service, client)
    case .remove(let id): removeService(id, client)
    case .removeAll: removeServices(of: client)
    case .advertise(let advertising): startAdvertising(advertising, client)
    case .stopAdvertising: stopAdvertising(client)
    case .respond(let id, let result): respond(id, result, client)
    case .startSounding(let peer): startSounding(peer, client)
    case .stopSounding(let peer): stopSounding(peer, client)
    case .pair(let peer): request(.pair, peer, client)
    case .acceptPairing, .offerSounding, .showOnly: break
    }
  }

  /// Starts or replaces a client's scan. Every advertiser counts as new.
  private mutating func scan(_ scan: BluetoothScan, _ client: Int) {
    var scan = scan
    if scan.services?.isEmpty == true { scan.services = nil }
    clients[client]?.scan = scan
    clients[client]?.reported = [:]
    if let device = clients[client]?.device {
      answered[device] = nil
      updateListening(device)
    }
  }

  /// The link by which a client, as central, is connected to a peer.
  func link(to peer: BluetoothPeer, _ client: Int) -> Int? {
    guard let it = clients[client], let other = device(of: peer, for: it.device) else { return nil }
    return devices[it.device].links.first {
      guard let link = links[$0] else { return false }
      return link.central == it.device && link.peripheral == other && link.hasCentral && !link.isEnding
        && link.users.contains(client)
    }
  }

  /// Joins an existing link to the peer, or waits for the peer's next advertisement.
  private mutating func connect(_ peer: BluetoothPeer, _ client: Int, device: Int) {
    let isVisible = clients[client]?.isCentral != true || canSee(peer, device: device)
    guard isVisible, let other = self.device(of: peer, for: device) else {
      return notify(client, .notConnected(peer, .unknownPeer))
    }
    let existing = devices[device].links.first {
      guard let link = links[$0] else { return false }
      return link.central == device && link.peripheral == other && link.hasCentral && !link.isEnding
    }
    if let existing {
      if links[existing]?.users.contains(client) == false { links[existing]?.users.append(client) }
      return notify(client, .connected(peer))
    }
    if clients[client]?.wanted.contains(other) == false { clients[client]?.wanted.append(other) }
    updateListening(device)
  }

  /// Leaves a link or stops waiting for one; a peripheral ends its central's link.
  mutating func disconnect(_ peer: BluetoothPeer, _ client: Int, device: Int) {
    guard let other = self.device(of: peer, for: device) else {
      return notify(client, .disconnected(peer, .unknownPeer))
    }
    if let id = link(to: peer, client) {
      leave(id, client)
      return notify(client, .disconnected(peer, nil))
    }
    if let index = clients[client]?.wanted.firstIndex(of: other) {
      clients[client]?.wanted.remove(at: index)
      updateListening(device)
      return notify(client, .disconnected(peer, nil))
    }
    // A peripheral disconnects its central.
    let served = devices[device].links.first {
      guard let link = links[$0] else { return false }
      return link.peripheral == device && link.central == other && link.hasPeripheral
    }
    guard let served, clients[client]?.isCentral == false else {
      return notify(client, .disconnected(peer, .notConnected))
    }
    endPeripheralSide(served)
    links[served]?.isEnding = true
    wake(served)
  }

  // MARK: Peer state

  /// The state of a peer; `nil` if the device does not know it.
  package func peerState(_ peer: BluetoothPeer, device: Int) -> BluetoothPeerState? {
    guard canSee(peer, device: device), let other = self.device(of: peer, for: device) else { return nil }
    var state = BluetoothPeerState(
      name: devices[device].names[other], isConnected: false, isPaired: devices[device].bonds[other] != nil)
    for id in devices[device].links {
      guard let link = links[id], Set([link.central, link.peripheral]) == [device, other], !link.isEnding,
        link.central == device ? link.hasCentral : link.hasPeripheral
      else { continue }
      state.isConnected = true
      state.maximumWrite = 512
      state.maximumWriteWithoutResponse = link.mtu - 3
    }
    return state
  }

  /// The services that a peer currently offers.
  package func services(of peer: BluetoothPeer, for device: Int) -> [BluetoothUUID] {
    guard let other = self.device(of: peer, for: device) else { return [] }
    return devices[other].table.services.map(\.uuid)
  }

  /// The connected peripherals that offer at least one of the services, in ascending order of their
  /// identifiers.
  package mutating func connectedPeers(with services: [BluetoothUUID], device: Int) -> [BluetoothPeer] {
    var peers: [BluetoothPeer] = []
    for id in devices[device].links {
      guard let link = links[id], link.central == device, link.hasCentral, !link.isEnding,
        devices[link.peripheral].table.services.contains(where: { services.contains($0.uuid) })
      else { continue }
      peers.append(peer(link.peripheral, of: device))
    }
    peers.removeAll { !canSee($0, device: device) }
    return peers.sorted()
  }
}

extension BluetoothCommand {
  /// The event that reports a failure because Bluetooth cannot be used; `nil` if the command has none.
  fileprivate var refusal: BluetoothEvent? {
    switch self {
    case .scan, .stopScan, .stopAdvertising, .removeAll, .remove, .respond, .acceptPairing, .offerSounding,
      .stopSounding, .showOnly:
      nil
    case .startSounding(let peer): .soundingEnded(peer, .notConnected)
    case .pair(let peer): .paired(peer, .notConnected)
    case .connect(let peer): .notConnected(peer, .connectionFailed)
    case .disconnect(let peer): .disconnected(peer, .notConnected)
    case .discover(let peer): .discovered(peer, .failure(.notConnected))
    case .read(let peer, let id): .read(peer, id, .failure(.notConnected))
    case .write(let peer, let id, _, _): .wrote(peer, id, .notConnected)
    case .setNotify(let peer, let id, let isOn): .notifying(peer, id, !isOn, .notConnected)
    case .readRSSI(let peer): .rssi(peer, .failure(.notConnected))
    case .add(let service): .added(service.id, .notSupported)
    case .advertise: .advertising(.notSupported)
    }
  }
}
