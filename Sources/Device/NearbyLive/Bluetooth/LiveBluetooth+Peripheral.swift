import NearbyBlueZ
import NearbyBluetooth
import NearbyEventLoop
import Synchronization

/// Requests and events of peripherals, and the entry of all commands.
extension LiveBluetooth {
  package func perform(_ command: BluetoothCommand, of user: BluetoothUser) {
    loop?.perform { [self] in
      guard users[user] != nil else { return }
      execute(command, of: user)
    }
  }

  private func execute(_ command: BluetoothCommand, of user: BluetoothUser) {
    switch command {
    case .scan(let scan):
      users[user]?.scan = scan
      users[user]?.seen = []
      updateScan()
    case .stopScan:
      users[user]?.scan = nil
      updateScan()
    case .connect(let peer): connect(peer, of: user)
    case .disconnect(let peer): disconnect(peer, of: user)
    case .discover(let peer): discover(peer, of: user)
    case .read(let peer, let id): read(peer, id, of: user)
    case .write(let peer, let id, let value, let withResponse):
      write(peer, id, value, withResponse: withResponse, of: user)
    case .setNotify(let peer, let id, let isOn): setNotify(peer, id, isOn, of: user)
    case .readRSSI(let peer): readRSSI(peer, of: user)
    case .add(let service): add(service, of: user)
    case .remove(let id): radio?.server.remove(BlueZServer.Key(user: user.number, id: id))
    case .removeAll: radio?.server.removeAll(of: user.number)
    case .advertise(let advertising): advertise(advertising, of: user)
    case .stopAdvertising: radio?.advertiser.stop(user.number)
    case .acceptPairing(let accepts): radio?.server.setAcceptsPairing(accepts, of: user.number)
    // BlueZ has no interface for Channel Sounding.
    case .startSounding(let peer): notify(user, .soundingEnded(peer, .notSupported))
    case .stopSounding, .offerSounding: break
    case .pair(let peer): pair(peer, of: user)
    case .showOnly(let peers): if users[user]?.isSystem == true { setVisible(peers.map(Set.init)) }
    case .respond(let request, let result):
      guard let isRead = requests.removeValue(forKey: request) else { return }
      radio?.server.respond(request.number, isRead: isRead, result)
    }
  }

  private func add(_ service: GATTService, of user: BluetoothUser) {
    guard state != .unsupported else { return notify(user, .added(service.id, .notSupported)) }
    radio?.server.add(service, of: user.number) { [weak self] error in
      self?.notify(user, .added(service.id, error.map(BluetoothFailure.init)))
    }
  }

  private func advertise(_ advertising: BluetoothAdvertising, of user: BluetoothUser) {
    guard state != .unsupported else { return notify(user, .advertising(.notSupported)) }
    radio?.advertiser.send(
      advertising.advertisement, interval: advertising.interval, as: user.number
    ) { [weak self] error in
      self?.notify(user, .advertising(error.map(BluetoothFailure.init)))
    }
  }

  func received(_ event: BlueZServer.Event) {
    switch event {
    case .subscribed(let device, let key, let mtu):
      guard let (peer, user) = central(device, key) else { return }
      users[user]?.centrals.insert(peer)
      notify(user, .subscribed(peer, key.id, maximumUpdate: max(0, mtu - 3)))
    case .unsubscribed(let device, let key):
      guard let (peer, user) = central(device, key) else { return }
      notify(user, .unsubscribed(peer, key.id))
    case .requested(let number, let device, let key, let request):
      guard let (peer, user) = central(device, key) else { return }
      users[user]?.centrals.insert(peer)
      let id = BluetoothRequestID(number: number)
      switch request {
      case .read(let offset):
        requests[id] = true
        notify(user, .readRequest(id, peer, key.id, offset: offset))
      case .write(let offset, let value):
        requests[id] = false
        notify(
          user, .writeRequest(id, peer, [BluetoothWrite(attribute: key.id, offset: offset, value: value)]))
      }
    case .expired(let number): requests[BluetoothRequestID(number: number)] = nil
    }
  }

  private func central(_ device: String, _ key: BlueZServer.Key) -> (BluetoothPeer, BluetoothUser)? {
    let user = BluetoothUser(number: key.user)
    guard users[user] != nil, let peer = peer(of: device) else { return nil }
    return (peer, user)
  }

  // MARK: Flow

  /// Notifies every subscribed central, even if `centrals` names only some: the daemon has no other way.
  package func update(
    _ id: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool {
    guard let loop, let radio else { return false }
    guard centrals?.isEmpty != true else { return true }
    let isTaken = flow.withLock { flow in
      guard flow.updates[user, default: 0] < Self.flowLimit else {
        flow.waitingToUpdate.insert(user)
        return false
      }
      flow.updates[user, default: 0] += 1
      return true
    }
    guard isTaken else { return false }
    loop.perform { [self] in
      radio.server.update(BlueZServer.Key(user: user.number, id: id), value) { [weak self] in
        self?.updateTaken(of: user)
      }
    }
    return true
  }

  private func updateTaken(of user: BluetoothUser) {
    let isReady = flow.withLock { flow in
      flow.updates[user] = max(0, flow.updates[user, default: 0] - 1)
      return flow.waitingToUpdate.remove(user) != nil
    }
    if isReady { notify(user, .readyToUpdate) }
  }

  package func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool {
    flow.withLock { flow in
      guard flow.writes[peer, default: 0] >= Self.flowLimit else { return true }
      flow.waitingToWrite[peer, default: []].insert(user)
      return false
    }
  }
}
