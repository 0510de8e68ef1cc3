import NearbyBluetooth
import NearbySchedule

/// The server side of GATT: services, updates and requests.
extension BluetoothAir {
  // MARK: Services

  /// Publishes a client's service and reports the result.
  mutating func add(_ service: GATTService, _ client: Int) {
    guard let it = clients[client] else { return }
    guard !it.services.contains(where: { $0.id == service.id }) else {
      return notify(client, .added(service.id, .invalidParameters))
    }
    guard devices[it.device].table.add(service, client: client) != nil else {
      return notify(client, .added(service.id, .att(.insufficientResources)))
    }
    clients[client]?.services.append(service)
    notify(client, .added(service.id, nil))
    tableChanged(it.device, gone: [])
  }

  mutating func removeService(_ own: AttributeID, _ client: Int) {
    guard let it = clients[client], let index = it.services.firstIndex(where: { $0.id == own }) else {
      return
    }
    clients[client]?.services.remove(at: index)
    let gone = devices[it.device].table.remove(own, client: client)
    tableChanged(it.device, gone: gone.map { [$0] } ?? [])
  }

  mutating func removeServices(of client: Int) {
    guard let it = clients[client], !it.services.isEmpty else { return }
    clients[client]?.services = []
    var gone: [AttributeID] = []
    for service in it.services {
      if let handle = devices[it.device].table.remove(service.id, client: client) { gone.append(handle) }
    }
    tableChanged(it.device, gone: gone)
  }

  /// Invalidates the centrals' copies of a device's table, and drops subscriptions to removed
  /// characteristics.
  private mutating func tableChanged(_ device: Int, gone: [AttributeID]) {
    devices[device].tableVersion += 1
    for id in devices[device].links {
      guard let link = links[id], link.peripheral == device else { continue }
      let table = devices[device].table
      for handle in link.listeners.keys.sorted() where table.entries[handle] == nil {
        links[id]?.listeners[handle] = nil
      }
      guard link.knownTable != nil else { continue }
      links[id]?.toCentral.append(.servicesChanged(gone))
      wake(id)
    }
  }

  // MARK: Updates

  /// Sends a new value to the subscribed centrals.
  ///
  /// - Parameters:
  ///   - attribute: The characteristic's id as the app chose it.
  ///   - value: Truncated to what fits into one packet of each link.
  ///   - centrals: The recipients; `nil` for all that subscribed.
  ///   - user: The user that published the characteristic.
  ///   - now: The current time.
  /// - Returns: Whether the value was enqueued. If not, `readyToUpdate` follows when there is room.
  package mutating func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser,
    at now: Duration
  ) -> Bool {
    time = max(time, AirTime.nanoseconds(now))
    guard let client = clientOfUser[user], let it = clients[client],
      let handle = devices[it.device].table.handle(of: attribute, client: client)
    else { return true }
    let chosen = centrals.map { Set($0.compactMap { device(of: $0, for: it.device) }) }
    let targets = devices[it.device].links.filter {
      guard let link = links[$0], link.peripheral == it.device, link.listeners[handle]?.isEmpty == false
      else {
        return false
      }
      return chosen?.contains(link.central) ?? true
    }
    let isFull = targets.contains {
      (links[$0]?.toCentral.count(where: \.isNotification) ?? 0) >= AirLink.queueLimit
    }
    if isFull {
      clients[client]?.waitsToUpdate = true
      return false
    }
    for id in targets {
      guard let link = links[id] else { continue }
      links[id]?.toCentral.append(.notification(handle, Array(value.prefix(link.mtu - 3))))
      wake(id)
    }
    return true
  }

  // MARK: Requests

  /// Serves a packet from the central.
  mutating func serve(_ packet: CentralPacket, _ id: Int) {
    guard let link = links[id], link.hasPeripheral else { return }
    switch packet {
    case .command(_, let handle, let value): serveCommand(handle, value, id)
    case .request:
      guard let request = link.requests.first else { return }
      if request.preliminaries > 0 { return answer(id, .success([])) }
      switch request.kind {
      case .exchangeMTU, .discover: answer(id, .success([]))
      case .encrypt: serveEncryption(id, link)
      case .pair: servePairing(id, link)
      case .read(let handle, let soFar): serveRead(handle, offset: soFar.count, id, link)
      case .write(let handle, let value): serveWrite(handle, value, id, link)
      case .configure(let handle, let isOn): serveConfiguration(handle, isOn: isOn, id, link)
      case .sound: serveSounding(id, link)
      }
    }
  }

  mutating func answer(_ id: Int, _ result: Result<[UInt8], ATTError>) {
    links[id]?.toCentral.append(.response(result))
  }

  /// Answers a read: from a fixed value at once, and otherwise by asking the serving program.
  private mutating func serveRead(_ handle: AttributeID, offset: Int, _ id: Int, _ link: AirLink) {
    guard let entry = devices[link.peripheral].table.entries[handle] else {
      return answer(id, .failure(.invalidHandle))
    }
    func slice(_ value: [UInt8]) -> Result<[UInt8], ATTError> {
      offset > value.count ? .failure(.invalidOffset) : .success(Array(value[offset...].prefix(link.mtu - 1)))
    }
    switch entry.content {
    case .service: answer(id, .failure(.readNotPermitted))
    case .configuration(let subject):
      answer(id, slice([link.listeners[subject]?.isEmpty == false ? 1 : 0, 0]))
    case .descriptor(let descriptor): answer(id, slice(descriptor.value ?? []))
    case .characteristic(let it):
      guard it.properties.contains(.read),
        !it.permissions.isDisjoint(with: [.readable, .readEncryptionRequired])
      else { return answer(id, .failure(.readNotPermitted)) }
      if it.permissions.contains(.readEncryptionRequired), !link.isEncrypted {
        return answer(id, .failure(.insufficientEncryption))
      }
      if let value = it.value { return answer(id, slice(value)) }
      let peer = peer(link.central, of: link.peripheral)
      guard let request = open(id, entry.client) else { return answer(id, .failure(.unlikelyError)) }
      notify(entry.client, .readRequest(request, peer, entry.own, offset: offset))
    }
  }

  /// Opens a request for the serving program to answer; `nil` if its app is suspended and cannot be woken
  /// for it.
  private mutating func open(_ link: Int, _ client: Int) -> BluetoothRequestID? {
    guard let it = clients[client], isRunning(client) || it.user == nil else { return nil }
    links[link]?.served.insert(client)
    let id = BluetoothRequestID(number: makeNumber())
    openRequests[id] = OpenRequest(link: link, client: client)
    return id
  }

  /// Why a write to a characteristic is rejected; `nil` if it is allowed.
  private func refusal(of it: GATTCharacteristic, commanded: Bool, _ link: AirLink) -> ATTError? {
    guard it.value == nil, it.properties.contains(commanded ? .writeWithoutResponse : .write),
      !it.permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired])
    else { return .writeNotPermitted }
    return it.permissions.contains(.writeEncryptionRequired) && !link.isEncrypted
      ? .insufficientEncryption : nil
  }

  private mutating func serveWrite(
    _ handle: AttributeID, _ value: [UInt8], _ id: Int, _ link: AirLink
  ) {
    guard let entry = devices[link.peripheral].table.entries[handle] else {
      return answer(id, .failure(.invalidHandle))
    }
    guard case .characteristic(let it) = entry.content else {
      return answer(id, .failure(.writeNotPermitted))
    }
    if let refusal = refusal(of: it, commanded: false, link) { return answer(id, .failure(refusal)) }
    let peer = peer(link.central, of: link.peripheral)
    guard let request = open(id, entry.client) else { return answer(id, .failure(.unlikelyError)) }
    notify(
      entry.client,
      .writeRequest(request, peer, [BluetoothWrite(attribute: entry.own, offset: 0, value: value)]))
  }

  private mutating func serveCommand(_ handle: AttributeID, _ value: [UInt8], _ id: Int) {
    // A write without response is dropped silently if it is refused.
    guard let link = links[id], let entry = devices[link.peripheral].table.entries[handle],
      case .characteristic(let it) = entry.content, refusal(of: it, commanded: true, link) == nil
    else { return }
    let peer = peer(link.central, of: link.peripheral)
    links[id]?.served.insert(entry.client)
    notify(
      entry.client,
      .writeRequest(
        BluetoothRequestID(number: makeNumber()), peer,
        [BluetoothWrite(attribute: entry.own, offset: 0, value: value)]))
  }

  /// Subscribes or unsubscribes the central, and notifies the serving program.
  private mutating func serveConfiguration(
    _ handle: AttributeID, isOn: Bool, _ id: Int, _ link: AirLink
  ) {
    guard let entry = devices[link.peripheral].table.entries[handle],
      case .characteristic(let it) = entry.content
    else { return answer(id, .failure(.invalidHandle)) }
    guard !it.properties.isDisjoint(with: [.notify, .indicate]) else {
      return answer(id, .failure(.requestNotSupported))
    }
    let isSecret = !it.properties.isDisjoint(with: [.notifyEncryptionRequired, .indicateEncryptionRequired])
    if isSecret, !link.isEncrypted { return answer(id, .failure(.insufficientEncryption)) }
    let peer = peer(link.central, of: link.peripheral)
    links[id]?.served.insert(entry.client)
    if isOn {
      let asking = link.requests.first?.client
      links[id]?.listeners[handle] = link.listeners[handle, default: []] + (asking.map { [$0] } ?? [])
      notify(entry.client, .subscribed(peer, entry.own, maximumUpdate: link.mtu - 3))
    } else {
      links[id]?.listeners[handle] = nil
      notify(entry.client, .unsubscribed(peer, entry.own))
    }
    answer(id, .success([]))
  }

  /// Sends the program's answer to an open request. Unknown requests are ignored.
  mutating func respond(_ request: BluetoothRequestID, _ result: Result<[UInt8], ATTError>, _ client: Int) {
    guard let open = openRequests[request], open.client == client else { return }
    openRequests[request] = nil
    guard let link = links[open.link] else { return }
    answer(open.link, result.map { Array($0.prefix(link.mtu - 1)) })
    wake(open.link)
  }

  // MARK: Keys

  /// Encrypts the link if both devices have the same key.
  private mutating func serveEncryption(_ id: Int, _ link: AirLink) {
    let key = devices[link.central].bonds[link.peripheral]
    let fits = key != nil && key == devices[link.peripheral].bonds[link.central]
    links[id]?.isEncrypted = fits
    answer(id, fits ? .success([]) : .failure(.insufficientAuthentication))
  }

  /// Pairs the two devices with a new key, unless the peripheral refuses new pairings.
  private mutating func servePairing(_ id: Int, _ link: AirLink) {
    let device = devices[link.peripheral]
    guard device.acceptsPairing, !device.clients.contains(where: { clients[$0]?.refusesPairing == true })
    else {
      return answer(id, .failure(.insufficientAuthentication))
    }
    var noise = SplitMix64(
      keys:
        seed, devices[link.central].identity, devices[link.peripheral].identity, UInt64(time))
    let key = noise.next()
    devices[link.central].bonds[link.peripheral] = key
    devices[link.peripheral].bonds[link.central] = key
    links[id]?.isEncrypted = true
    answer(id, .success([]))
  }
}
