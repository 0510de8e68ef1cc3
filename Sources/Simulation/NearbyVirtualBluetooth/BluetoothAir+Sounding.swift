import NearbyBluetooth
import NearbySchedule

/// Channel Sounding on links: how it starts, its procedures, and how it ends.
///
/// Only a central in the foreground starts it, and only with an accessory that was set up for its app. The peers pair
/// first if they are not paired: the tones of a procedure are derived from the link's keys.
extension BluetoothAir {
  /// Nanoseconds between procedures at best. Apple's devices measure at most four times a second.
  static let soundingInterval: Int64 = 250_000_000
  /// The round trips that start it: security, capabilities, configuration and the request of procedures (Bluetooth
  /// Core 6.0, volume 6, part B, 2.4.2.44 to 2.4.2.52).
  static let soundingExchanges = 4

  // MARK: Starting

  /// Starts Channel Sounding for a client; no-op if it has it already.
  mutating func startSounding(_ peer: BluetoothPeer, _ client: Int) {
    guard let id = link(to: peer, client), let link = links[id] else {
      return notify(client, .soundingEnded(peer, .notConnected))
    }
    guard mayCentralSound(link.central, peer) else {
      return notify(client, .soundingEnded(peer, .soundingConfigurationFailed))
    }
    let isRequested = link.requests.contains { request in
      guard case .sound = request.kind else { return false }
      return request.client == client
    }
    guard !isRequested, link.sounding?.clients.contains(client) != true else { return }
    request(.sound, peer, client)
  }

  /// Whether the device's app may use Channel Sounding with a peer now.
  private func mayCentralSound(_ device: Int, _ peer: BluetoothPeer) -> Bool {
    devices[device].isInForeground && devices[device].visiblePeers?.contains(peer) == true
  }

  private func reflectsTones(_ device: Int) -> Bool {
    devices[device].clients.contains { clients[$0]?.offersSounding == true }
  }

  /// The peripheral answers the request to start.
  mutating func serveSounding(_ id: Int, _ link: AirLink) {
    guard reflectsTones(link.peripheral) else { return answer(id, .failure(.requestNotSupported)) }
    answer(id, link.isEncrypted ? .success([]) : .failure(.insufficientEncryption))
  }

  /// The peers agreed: schedules the first procedure, or adds a client to those of the link.
  mutating func beginSounding(_ id: Int, _ client: Int) {
    guard let link = links[id] else { return }
    let peer = peer(link.peripheral, of: link.central)
    guard mayCentralSound(link.central, peer) else {
      return notify(client, .soundingEnded(peer, .soundingConfigurationFailed))
    }
    guard link.sounding == nil else {
      links[id]?.sounding?.clients.append(client)
      return
    }
    links[id]?.sounding = LinkSounding(clients: [client], epoch: 0)
    scheduleSounding(id)
  }

  private mutating func scheduleSounding(_ id: Int) {
    let epoch = makeNumber()
    links[id]?.sounding?.epoch = epoch
    // Bounded: the interval is under a minute, and the air's time is that of a run.
    let next = time + soundingInterval(of: id)
    queue.insert(PacketEvent(kind: .sounding, subject: id, epoch: epoch), at: next)
  }

  /// Nanoseconds to a link's next procedure. A radio shares its procedures among its links, and gives a link's data
  /// precedence.
  private func soundingInterval(of id: Int) -> Int64 {
    guard let link = links[id] else { return Self.soundingInterval }
    func load(_ device: Int) -> Int64 {
      Int64(devices[device].links.count { links[$0]?.sounding != nil })
    }
    let share = max(load(link.central), load(link.peripheral), 1)
    let hasData = !link.toPeripheral.isEmpty || !link.toCentral.isEmpty
    // Bounded: a device has at most its limit of links, a few dozen.
    return Self.soundingInterval * share * (hasData ? 2 : 1)
  }

  // MARK: Procedures

  /// Simulates one procedure, reports its result, and schedules the next one.
  mutating func soundingEvent(_ id: Int, epoch: Int, medium: inout some BluetoothMedium) {
    guard let link = links[id], let sounding = link.sounding, sounding.epoch == epoch else { return }
    let isWhole = link.hasPeripheral && !link.isEnding && reflectsTones(link.peripheral)
    let result =
      isWhole ? medium.sound(from: link.central, to: link.peripheral, at: .nanoseconds(time)) : nil
    let peer = peer(link.peripheral, of: link.central)
    let report = result.map { Result.success($0) } ?? .failure(BluetoothFailure.soundingProcedureFailed)
    for client in sounding.clients { notify(client, .sounded(peer, report)) }
    scheduleSounding(id)
  }

  // MARK: Ending

  /// Stops Channel Sounding for a client, or the request for it.
  mutating func stopSounding(_ peer: BluetoothPeer, _ client: Int) {
    guard let id = link(to: peer, client), let link = links[id] else { return }
    for index in link.requests.indices where link.requests[index].client == client {
      guard case .sound = link.requests[index].kind else { continue }
      links[id]?.requests[index].client = nil
      notify(client, .soundingEnded(peer, nil))
    }
    leaveSounding(id, client, nil)
  }

  /// A client that had Channel Sounding on a link gets no more of it.
  mutating func leaveSounding(_ id: Int, _ client: Int, _ failure: BluetoothFailure?) {
    guard let link = links[id], link.sounding?.clients.contains(client) == true else { return }
    links[id]?.sounding?.clients.removeAll { $0 == client }
    if links[id]?.sounding?.clients.isEmpty == true { links[id]?.sounding = nil }
    notify(client, .soundingEnded(peer(link.peripheral, of: link.central), failure))
  }

  /// Ends a link's Channel Sounding.
  mutating func endSounding(_ id: Int, _ failure: BluetoothFailure) {
    for client in links[id]?.sounding?.clients ?? [] { leaveSounding(id, client, failure) }
  }

  /// Ends what a device's app started as a central.
  mutating func endSoundings(of device: Int, _ failure: BluetoothFailure) {
    for id in devices[device].links where links[id]?.central == device { endSounding(id, failure) }
  }
}

extension BluetoothFailure {
  /// The reason why Channel Sounding did not start, from why its request failed.
  var ofSounding: Self {
    switch self {
    case .att: .soundingConfigurationFailed
    case .operationCancelled: .notConnected
    case .notConnected, .connectionTimeout, .peripheralDisconnected, .connectionFailed,
      .connectionLimitReached,
      .unknownPeer, .pairingFailed, .encryptionTimedOut, .notSupported, .alreadyAdvertising,
      .invalidParameters,
      .soundingConfigurationFailed, .soundingProcedureFailed:
      self
    }
  }
}
