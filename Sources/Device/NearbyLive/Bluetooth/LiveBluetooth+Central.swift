import NearbyBlueZ
import NearbyBluetooth
import NearbyEventLoop
import Synchronization

/// Requests and events of centrals.
extension LiveBluetooth {
  private static let seenLimit = 16_384

  func updateScan() {
    radio?.scanner.want(.sightings, users.values.contains { $0.scan != nil })
  }

  func sighted(_ sighting: BlueZScanner.DeviceSighting) {
    guard let peer = peer(of: sighting.device) else { return }
    let age = ContinuousClock.now - sighting.time
    for user in sortedUsers {
      guard let entry = users[user], let scan = entry.scan, canSee(peer, entry),
        scan.services.map({ $0.contains(where: sighting.advertisement.services.contains) }) ?? true,
        scan.allowsDuplicates || !entry.seen.contains(peer)
      else { continue }
      if !scan.allowsDuplicates {
        // Changing addresses must not exhaust memory: a duplicate report is better.
        if entry.seen.count >= Self.seenLimit { users[user]?.seen = [] }
        users[user]?.seen.insert(peer)
      }
      notify(
        user,
        .sighted(
          BluetoothSighting(
            peer: peer, advertisement: sighting.advertisement, rssi: sighting.rssi, time: entry.now() - age)))
    }
  }

  /// Limits what the app may see. Its connections to other peers end.
  func setVisible(_ peers: Set<BluetoothPeer>?) {
    visible = peers
    guard let peers else { return }
    for user in sortedUsers {
      guard let entry = users[user], !entry.isSystem else { continue }
      for peer in entry.connected.union(entry.seeking).subtracting(peers).sorted() {
        disconnect(peer, of: user)
      }
    }
  }

  private func canSee(_ peer: BluetoothPeer, _ user: User) -> Bool {
    user.isSystem || visible?.contains(peer) ?? true
  }

  func connect(_ peer: BluetoothPeer, of user: BluetoothUser) {
    if let entry = users[user], !canSee(peer, entry) {
      return notify(user, .notConnected(peer, .unknownPeer))
    }
    guard state != .unsupported else { return notify(user, .notConnected(peer, .notSupported)) }
    guard let device = device(of: peer) else { return notify(user, .notConnected(peer, .unknownPeer)) }
    guard radio?.central.isConnected(device) != true else {
      // Already connected: the user shares the link at once and may use it.
      users[user]?.connected.insert(peer)
      return notify(user, .connected(peer))
    }
    users[user]?.seeking.insert(peer)
    radio?.central.connect(device)
  }

  func disconnect(_ peer: BluetoothPeer, of user: BluetoothUser) {
    guard let entry = users[user], let device = device(of: peer) else { return }
    let wasConnected = entry.connected.contains(peer)
    guard wasConnected || entry.seeking.contains(peer) else { return }
    for attribute in entry.notifying where attribute.peer == peer { stopNotifying(attribute, of: user) }
    users[user]?.seeking.remove(peer)
    let isWanted = users.contains { $0.key != user && $0.value.wants(peer) }
    if wasConnected, !isWanted, radio?.central.isConnected(device) == true {
      users[user]?.leaving.insert(peer)
    } else {
      users[user]?.connected.remove(peer)
      notify(user, .disconnected(peer, nil))
    }
    if !isWanted { radio?.central.disconnect(device) }
  }

  func received(_ event: BlueZCentral.Event) {
    switch event {
    case .connected(let device):
      guard let peer = peer(of: device) else { return }
      for user in sortedUsers where users[user]?.seeking.remove(peer) != nil {
        users[user]?.connected.insert(peer)
        notify(user, .connected(peer))
      }
    case .disconnected(let device): lost(device)
    case .notified(let device, let id, let value):
      guard let peer = peer(of: device) else { return }
      for user in sortedUsers where users[user]?.notifying.contains(Attribute(peer: peer, id: id)) == true {
        notify(user, .notified(peer, id, value))
      }
    case .servicesChanged(let device, let ids):
      guard let peer = peer(of: device) else { return }
      for user in sortedUsers where users[user]?.connected.contains(peer) == true {
        notify(user, .servicesChanged(peer, ids))
      }
    case .nameChanged(let device):
      guard let peer = peer(of: device) else { return }
      let name = radio?.central.property("Name", of: device)?.stringValue
      for user in sortedUsers where users[user]?.wants(peer) == true {
        notify(user, .nameChanged(peer, name))
      }
    }
  }

  private func lost(_ device: String) {
    guard let peer = peer(of: device) else { return }
    flow.withLock { flow in
      flow.writes[peer] = nil
      flow.waitingToWrite[peer] = nil
    }
    for user in sortedUsers {
      let others: Set<Attribute> = users[user]?.notifying ?? []
      users[user]?.notifying = others.filter { $0.peer != peer }
      if users[user]?.centrals.remove(peer) != nil { notify(user, .centralGone(peer)) }
      guard users[user]?.connected.remove(peer) != nil else { continue }
      let isAsked = users[user]?.leaving.remove(peer) != nil
      notify(user, .disconnected(peer, isAsked ? nil : .peripheralDisconnected))
    }
  }

  /// The daemon's device of a peer that the user is connected to.
  private func connectedDevice(_ peer: BluetoothPeer, of user: BluetoothUser) -> String? {
    users[user]?.connected.contains(peer) == true ? device(of: peer) : nil
  }

  func pair(_ peer: BluetoothPeer, of user: BluetoothUser) {
    guard let device = connectedDevice(peer, of: user), let central = radio?.central else {
      return notify(user, .paired(peer, .notConnected))
    }
    central.pair(device) { [weak self] isPaired in
      self?.notify(user, .paired(peer, isPaired ? nil : .pairingFailed))
    }
  }

  // MARK: Attributes

  func discover(_ peer: BluetoothPeer, of user: BluetoothUser) {
    guard let device = connectedDevice(peer, of: user), let central = radio?.central else {
      return notify(user, .discovered(peer, .failure(.notConnected)))
    }
    central.discover(device) { [weak self] result in
      self?.notify(user, .discovered(peer, result.mapError(BluetoothFailure.init)))
    }
  }

  func read(_ peer: BluetoothPeer, _ id: AttributeID, of user: BluetoothUser) {
    guard let device = connectedDevice(peer, of: user), let central = radio?.central else {
      return notify(user, .read(peer, id, .failure(.notConnected)))
    }
    central.read(device, id) { [weak self] result in
      self?.notify(user, .read(peer, id, result.mapError(BluetoothFailure.init)))
    }
  }

  func write(
    _ peer: BluetoothPeer, _ id: AttributeID, _ value: [UInt8], withResponse: Bool, of user: BluetoothUser
  ) {
    guard let device = connectedDevice(peer, of: user), let central = radio?.central else {
      if withResponse { notify(user, .wrote(peer, id, .notConnected)) }
      return
    }
    guard !withResponse else {
      return central.write(device, id, value, withResponse: true) { [weak self] result in
        self?.notify(user, .wrote(peer, id, result.failure))
      }
    }
    flow.withLock { $0.writes[peer, default: 0] += 1 }
    central.write(device, id, value, withResponse: false) { [weak self] _ in self?.writeTaken(peer) }
  }

  private func writeTaken(_ peer: BluetoothPeer) {
    let ready = flow.withLock { flow -> Set<BluetoothUser> in
      guard let count = flow.writes[peer], count > 0 else { return [] }
      flow.writes[peer] = count - 1
      return count - 1 < Self.flowLimit ? flow.waitingToWrite.removeValue(forKey: peer) ?? [] : []
    }
    for user in ready.sorted() { notify(user, .readyToWrite(peer)) }
  }

  func setNotify(_ peer: BluetoothPeer, _ id: AttributeID, _ isOn: Bool, of user: BluetoothUser) {
    let attribute = Attribute(peer: peer, id: id)
    guard let device = connectedDevice(peer, of: user), let central = radio?.central else {
      return notify(user, .notifying(peer, id, false, .notConnected))
    }
    let isShared = users.contains { $0.key != user && $0.value.notifying.contains(attribute) }
    guard isOn else {
      guard !isShared else {
        users[user]?.notifying.remove(attribute)
        return notify(user, .notifying(peer, id, false, nil))
      }
      return central.setNotify(device, id, false) { [weak self] result in
        self?.users[user]?.notifying.remove(attribute)
        self?.notify(user, .notifying(peer, id, false, result.failure))
      }
    }
    users[user]?.notifying.insert(attribute)
    guard !isShared else { return notify(user, .notifying(peer, id, true, nil)) }
    central.setNotify(device, id, true) { [weak self] result in
      if case .failure = result { self?.users[user]?.notifying.remove(attribute) }
      self?.notify(user, .notifying(peer, id, result.failure == nil, result.failure))
    }
  }

  private func stopNotifying(_ attribute: Attribute, of user: BluetoothUser) {
    guard users[user]?.notifying.remove(attribute) != nil, let device = device(of: attribute.peer),
      !users.values.contains(where: { $0.notifying.contains(attribute) })
    else { return }
    radio?.central.setNotify(device, attribute.id, false) { _ in }
  }

  /// The daemon reports the signal strength of advertisements only, so a connected device has that of its last.
  func readRSSI(_ peer: BluetoothPeer, of user: BluetoothUser) {
    guard let device = connectedDevice(peer, of: user) else {
      return notify(user, .rssi(peer, .failure(.notConnected)))
    }
    let rssi = radio?.central.property("RSSI", of: device)?.int16Value.map(Int.init)
    notify(user, .rssi(peer, rssi.map { .success($0) } ?? .failure(.notSupported)))
  }
}

extension LiveBluetooth.User {
  func wants(_ peer: BluetoothPeer) -> Bool { connected.contains(peer) || seeking.contains(peer) }
}

extension Result where Failure == GATTFailure {
  var failure: BluetoothFailure? {
    if case .failure(let failure) = self { BluetoothFailure(failure) } else { nil }
  }
}
