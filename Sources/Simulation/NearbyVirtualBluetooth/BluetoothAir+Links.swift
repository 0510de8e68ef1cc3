import NearbyBluetooth
import NearbySchedule

/// Links: how they begin, carry packets in connection events, and end.
extension BluetoothAir {
  /// The connection interval that phones request, in nanoseconds. Apple's "Accessory Design Guidelines"
  /// allow no less than 15 ms.
  static let connectionInterval: Int64 = 30_000_000
  /// The ATT_MTU that devices agree on, in octets, as phones answer in the exchange of MTUs.
  static let mtu = 185
  /// The limit on packet exchanges in one connection event, so that an event takes about a third of its
  /// interval. Our choice.
  private static let exchangesPerEvent = 6
  /// Nanoseconds from one exchange to the next, and from the central's packet to the peripheral's. Our
  /// choices, between a short packet each way (0.5 ms at 1 Mbit/s) and a full one of 185 octets with its
  /// answer (2.0 ms).
  private static let exchangeTime: Int64 = 1_500_000
  private static let turn: Int64 = 500_000
  /// On an idle link only every fourth connection event is simulated.
  private static let idleStep: Int64 = 4
  /// The time in nanoseconds after which an unanswered request ends its link (Bluetooth Core 5.4, volume 3,
  /// part F, 3.3.3).
  static let requestTime: Int64 = 30_000_000_000

  // MARK: Establishing

  /// Begins a link after the central's connection request has arrived, and notifies the clients that wanted
  /// it.
  mutating func establish(central: Int, peripheral: Int) {
    let asking = devices[central].clients.filter { clients[$0]?.wanted.contains(peripheral) == true }
    let peer = peer(peripheral, of: central)
    func isFull(_ device: Int) -> Bool { devices[device].links.count >= devices[device].connectionLimit }
    guard !isFull(peripheral) else { return }
    for client in asking { clients[client]?.wanted.removeAll { $0 == peripheral } }
    updateListening(central)
    guard !isFull(central) else {
      for client in asking { notify(client, .notConnected(peer, .connectionLimitReached)) }
      return
    }
    let id = makeNumber()
    var noise = SplitMix64(keys: seed, devices[central].identity, devices[peripheral].identity, UInt64(time))
    var link = AirLink(
      central: central, peripheral: peripheral, users: asking, interval: Self.connectionInterval,
      supervision: AirTime.nanoseconds(devices[central].supervision), lastHeard: time)
    link.requests.append(AttributeRequest(kind: .exchangeMTU))
    if devices[central].bonds[peripheral] != nil {
      link.requests.append(AttributeRequest(kind: .encrypt, preliminaries: 2))
    }
    links[id] = link
    devices[central].links.append(id)
    devices[peripheral].links.append(id)
    // The first event follows transmitWindowDelay (1.25 ms) and lies within the transmit window: Bluetooth
    // Core 5.4, volume 6, part B, 4.5.3.
    plan(id, at: time + 1_250_000 + noise.below(Self.connectionInterval / 2))
    pumpRequests(id)
    for client in asking { notify(client, .connected(peer)) }
  }

  /// Schedules a link's next connection event, which makes the one scheduled before stale.
  private mutating func plan(_ id: Int, at next: Int64) {
    let epoch = (linkEpochs[id]?.epoch ?? 0) + 1
    linkEpochs[id] = (epoch, next)
    queue.insert(PacketEvent(kind: .connection, subject: id, epoch: epoch), at: next)
  }

  /// Brings an idle link's next simulated event forward to its next connection event, because there is
  /// something to send.
  mutating func wake(_ id: Int) {
    guard let link = links[id], let next = linkEpochs[id]?.next else { return }
    let ahead = (next - time) / link.interval
    if ahead > 0, next - ahead * link.interval > time { plan(id, at: next - ahead * link.interval) }
  }

  // MARK: A connection event

  /// Simulates one connection event: exchanges packets, checks the timeouts, and schedules the next event.
  mutating func connectionEvent(_ id: Int, epoch: Int, medium: inout some BluetoothMedium) {
    guard linkEpochs[id]?.epoch == epoch, var link = links[id] else { return }
    link.events += 1
    links[id] = link
    var heard = false
    if link.hasCentral || link.isEnding, link.hasPeripheral || link.isEnding {
      heard = exchange(id, medium: &medium)
    }
    guard let after = links[id] else { return }
    if after.isEnding, heard || time - after.lastHeard > after.supervision {
      finish(id)
      return
    }
    if time - after.lastHeard > after.supervision {
      endCentralSide(id, .connectionTimeout)
      endPeripheralSide(id)
      return
    }
    if let deadline = after.requestDeadline, deadline <= time {
      endCentralSide(id, .connectionTimeout)
      links[id]?.isEnding = true
    }
    notifyRoom(id)
    guard let last = links[id] else { return }
    let step = last.isIdle && heard ? Self.idleStep : 1
    plan(id, at: time + step * last.interval)
  }

  /// Exchanges packets until both queues are empty or one packet is lost.
  ///
  /// - Returns: Whether each side received the other at least once.
  private mutating func exchange(_ id: Int, medium: inout some BluetoothMedium) -> Bool {
    guard let link = links[id] else { return false }
    // Channel selection algorithm #1 with hopIncrement 7: Bluetooth Core 5.4, volume 6, part B, 4.5.8.2.
    let channel = UInt8((link.events &* 7) % 37)
    var heard = false
    var arrived: [CentralPacket] = []
    for number in 0..<Self.exchangesPerEvent {
      let start = time + Int64(number) * Self.exchangeTime
      guard
        medium.receive(
          from: link.central, to: link.peripheral, channel: channel, at: .nanoseconds(start)) != nil,
        let power = medium.receive(
          from: link.peripheral, to: link.central, channel: channel,
          at: .nanoseconds(start + Self.turn))
      else { break }
      heard = true
      links[id]?.lastHeard = time
      notifyPower(id, power)
      if links[id]?.isEnding == true { return true }
      if let packet = takeFirst(id, \.toPeripheral) { arrived.append(packet) }
      if let packet = takeFirst(id, \.toCentral) { received(packet, id) }
      guard let now = links[id], !(now.toPeripheral.isEmpty && now.toCentral.isEmpty) else { break }
    }
    // Serve requests after the event: the server's answers go out in the next one.
    for packet in arrived { serve(packet, id) }
    return heard
  }

  private mutating func takeFirst<Packet>(_ id: Int, _ list: WritableKeyPath<AirLink, [Packet]>) -> Packet? {
    guard links[id]?[keyPath: list].isEmpty == false else { return nil }
    return links[id]?[keyPath: list].removeFirst()
  }

  private mutating func notifyPower(_ id: Int, _ power: Int) {
    guard let link = links[id], !link.powerWanted.isEmpty else { return }
    links[id]?.powerWanted = []
    let peer = peer(link.peripheral, of: link.central)
    for client in link.powerWanted { notify(client, .rssi(peer, .success(power))) }
  }

  mutating func readPower(_ peer: BluetoothPeer, _ client: Int) {
    guard let id = link(to: peer, client) else { return notify(client, .rssi(peer, .failure(.notConnected))) }
    links[id]?.powerWanted.append(client)
    wake(id)
  }

  // MARK: Back-pressure

  /// Notifies clients whose writes or updates were refused that there is room again.
  private mutating func notifyRoom(_ id: Int) {
    guard let link = links[id] else { return }
    for client in link.waitsToWrite.sorted() where commands(of: client, on: link) < AirLink.queueLimit {
      links[id]?.waitsToWrite.remove(client)
      let peer = peer(link.peripheral, of: link.central)
      notify(client, .readyToWrite(peer))
    }
    for client in devices[link.peripheral].clients where clients[client]?.waitsToUpdate == true {
      guard link.toCentral.count(where: \.isNotification) < AirLink.queueLimit else { continue }
      clients[client]?.waitsToUpdate = false
      notify(client, .readyToUpdate)
    }
  }

  private func commands(of client: Int, on link: AirLink) -> Int {
    link.toPeripheral.count {
      guard case .command(client, _, _) = $0 else { return false }
      return true
    }
  }

  /// Whether a write without response would be accepted. If the queue is full, `readyToWrite` follows.
  package mutating func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool {
    guard let client = clientOfUser[user], let id = link(to: peer, client), let link = links[id] else {
      return false
    }
    guard commands(of: client, on: link) >= AirLink.queueLimit else { return true }
    links[id]?.waitsToWrite.insert(client)
    return false
  }

  /// Enqueues a write without response. A failure is reported by `wrote`.
  mutating func send(_ value: [UInt8], to id: AttributeID, _ peer: BluetoothPeer, _ client: Int) {
    guard let number = link(to: peer, client), let link = links[number] else {
      return notify(client, .wrote(peer, id, .notConnected))
    }
    guard commands(of: client, on: link) < AirLink.queueLimit else {
      links[number]?.waitsToWrite.insert(client)
      return notify(client, .wrote(peer, id, .att(.insufficientResources)))
    }
    guard value.count <= link.mtu - 3 else {
      return notify(client, .wrote(peer, id, .att(.invalidAttributeValueLength)))
    }
    links[number]?.toPeripheral.append(.command(client: client, id, value))
    wake(number)
  }

  // MARK: Ending

  /// One client disconnects from a link. The link ends with its last client.
  mutating func leave(_ id: Int, _ client: Int) {
    guard let link = links[id] else { return }
    links[id]?.users.removeAll { $0 == client }
    fail(id, of: client)
    let heard = link.listeners.filter { $0.value.contains(client) }.keys.sorted()
    for handle in heard { stopListening(client, to: handle, on: id) }
    if links[id]?.users.isEmpty == true {
      endCentralSide(id, nil)
      links[id]?.isEnding = true
      wake(id)
    }
  }

  /// Silences one side of a link without notice. The other side finds out by its supervision timeout.
  mutating func abandon(_ id: Int, by device: Int) {
    guard let link = links[id] else { return }
    if link.central == device {
      endSounding(id, .notConnected)
      links[id]?.users = []
      links[id]?.hasCentral = false
    } else {
      endPeripheralSide(id)
    }
    dropIfOver(id)
    devices[device].links.removeAll { $0 == id }
  }

  /// Ends the central's side and, with a failure, notifies its clients.
  mutating func endCentralSide(_ id: Int, _ failure: BluetoothFailure?) {
    guard let link = links[id], link.hasCentral else { return }
    links[id]?.hasCentral = false
    let peer = peer(link.peripheral, of: link.central)
    for client in link.users {
      fail(id, of: client)
      if let failure { notify(client, .disconnected(peer, failure)) }
    }
    links[id]?.users = []
    links[id]?.requests = []
    devices[link.central].links.removeAll { $0 == id }
    dropIfOver(id)
  }

  /// Ends the peripheral's side and notifies its clients.
  mutating func endPeripheralSide(_ id: Int) {
    guard let link = links[id], link.hasPeripheral else { return }
    links[id]?.hasPeripheral = false
    let peer = peer(link.central, of: link.peripheral)
    for handle in link.listeners.keys.sorted() {
      guard let entry = devices[link.peripheral].table.entries[handle] else { continue }
      notify(entry.client, .unsubscribed(peer, entry.own))
    }
    for client in link.served.sorted() { notify(client, .centralGone(peer)) }
    for (request, open) in openRequests where open.link == id { openRequests[request] = nil }
    devices[link.peripheral].links.removeAll { $0 == id }
    dropIfOver(id)
  }

  /// Removes a link once both sides have ended.
  private mutating func dropIfOver(_ id: Int) {
    guard let link = links[id], !link.hasCentral, !link.hasPeripheral else { return }
    links[id] = nil
    linkEpochs[id] = nil
  }

  /// Ends both sides. The side that did not end the link learns of it here.
  private mutating func finish(_ id: Int) {
    endCentralSide(id, .peripheralDisconnected)
    endPeripheralSide(id)
  }

  /// Fails everything that a client is waiting for on a link.
  private mutating func fail(_ id: Int, of client: Int) {
    guard let link = links[id] else { return }
    let peer = peer(link.peripheral, of: link.central)
    for request in link.requests where request.client == client {
      if let event = request.failed(peer, .operationCancelled) { notify(client, event) }
    }
    // Drop the response to any request still in flight.
    for index in link.requests.indices where link.requests[index].client == client {
      links[id]?.requests[index].client = nil
    }
    leaveSounding(id, client, .notConnected)
    if link.powerWanted.contains(client) {
      links[id]?.powerWanted.removeAll { $0 == client }
      notify(client, .rssi(peer, .failure(.operationCancelled)))
    }
  }
}

extension AttributeRequest {
  /// The event that reports the request's failure; `nil` for a request of the system.
  func failed(_ peer: BluetoothPeer, _ failure: BluetoothFailure) -> BluetoothEvent? {
    switch kind {
    case .exchangeMTU: nil
    case .encrypt, .pair: .paired(peer, failure)
    case .discover: .discovered(peer, .failure(failure))
    case .read(let id, soFar: _): .read(peer, id, .failure(failure))
    case .write(let id, _): .wrote(peer, id, failure)
    case .configure(let id, let isOn): .notifying(peer, id, !isOn, failure)
    case .sound: .soundingEnded(peer, failure.ofSounding)
    }
  }
}
