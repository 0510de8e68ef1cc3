import NearbyBluetooth

/// The client side of GATT: a central's requests, one at a time on each link.
extension BluetoothAir {
  /// The round trips of pairing: features, public keys, confirmation, nonces, check, and keys with
  /// encryption.
  private static let pairingExchanges = 6
  private static let encryptionExchanges = 2
  /// The longest attribute value, in octets.
  private static let longestValue = 512

  /// Enqueues a client's request, or answers it at once if no packet is needed.
  mutating func request(_ kind: AttributeRequest.Kind, _ peer: BluetoothPeer, _ client: Int) {
    var request = AttributeRequest(kind: kind, client: client)
    guard let id = link(to: peer, client), let link = links[id] else {
      if let event = request.failed(peer, .notConnected) { notify(client, event) }
      return
    }
    switch kind {
    case .discover:
      // The table is already known on this link.
      if link.knownTable == devices[link.peripheral].tableVersion {
        return notify(client, .discovered(peer, .success(devices[link.peripheral].table.services)))
      }
    case .write(let handle, let value):
      guard value.count <= Self.longestValue else {
        return notify(client, .wrote(peer, handle, .att(.invalidAttributeValueLength)))
      }
      // A value that exceeds one packet is sent in parts, which the server then assembles.
      let room = link.mtu - 5
      if value.count > link.mtu - 3 { request.preliminaries = (value.count + room - 1) / room }
    case .configure(let handle, let isOn):
      if let others = link.listeners[handle], isOn != others.contains(client), isOn || others.count > 1 {
        if isOn {
          links[id]?.listeners[handle]?.append(client)
        } else {
          stopListening(client, to: handle, on: id)
        }
        return notify(client, .notifying(peer, handle, isOn, nil))
      }
      if isOn == (link.listeners[handle]?.contains(client) == true) {
        return notify(client, .notifying(peer, handle, isOn, nil))
      }
    case .sound: request.preliminaries = Self.soundingExchanges - 1
    case .pair:
      if link.isEncrypted { return notify(client, .paired(peer, nil)) }
      if devices[link.central].bonds[link.peripheral] != nil {
        request.kind = .encrypt
        request.preliminaries = Self.encryptionExchanges
      } else if devices[link.central].acceptsPairing {
        request.preliminaries = Self.pairingExchanges
      } else {
        return notify(client, .paired(peer, .pairingFailed))
      }
    case .exchangeMTU, .encrypt, .read: break
    }
    links[id]?.requests.append(request)
    pumpRequests(id)
  }

  /// Sends the first request unless one is in flight.
  mutating func pumpRequests(_ id: Int) {
    guard let link = links[id], link.hasCentral, !link.isRequestSent, !link.requests.isEmpty else { return }
    if case .discover = link.requests[0].kind, link.requests[0].preliminaries == 0 {
      let isCached =
        link.isEncrypted
        && devices[link.central].cachedTables[link.peripheral] == devices[link.peripheral].tableVersion
      let count = isCached ? 1 : devices[link.peripheral].table.exchangesToDiscover(mtu: link.mtu)
      links[id]?.requests[0].preliminaries = count - 1
    }
    links[id]?.isRequestSent = true
    links[id]?.requestDeadline = time + Self.requestTime
    links[id]?.toPeripheral.append(.request)
    wake(id)
  }

  /// Handles a packet from the peripheral.
  mutating func received(_ packet: PeripheralPacket, _ id: Int) {
    guard let link = links[id] else { return }
    let peer = peer(link.peripheral, of: link.central)
    switch packet {
    case .notification(let handle, let value):
      for client in link.listeners[handle] ?? [] { notify(client, .notified(peer, handle, value)) }
    case .servicesChanged(let gone):
      links[id]?.knownTable = nil
      for client in link.users { notify(client, .servicesChanged(peer, gone)) }
    case .response(let result): responded(result, id, link, peer)
    }
  }

  /// Handles a response: begins the request's next round trip, or completes it and sends the next request.
  private mutating func responded(
    _ result: Result<[UInt8], ATTError>, _ id: Int, _ link: AirLink, _ peer: BluetoothPeer
  ) {
    guard link.isRequestSent, let request = link.requests.first else { return }
    links[id]?.isRequestSent = false
    links[id]?.requestDeadline = nil
    if request.preliminaries > 0 {
      links[id]?.requests[0].preliminaries -= 1
      links[id]?.isRequestSent = true
      links[id]?.requestDeadline = time + Self.requestTime
      links[id]?.toPeripheral.append(.request)
      return
    }
    switch result {
    case .success(let octets): succeeded(request, octets, id, link, peer)
    case .failure(let error): failed(request, error, id, link, peer)
    }
    pumpRequests(id)
  }

  /// Completes a request and reports its result. A read continues as long as the packets are full.
  private mutating func succeeded(
    _ request: AttributeRequest, _ octets: [UInt8], _ id: Int, _ link: AirLink, _ peer: BluetoothPeer
  ) {
    if case .read(let handle, let soFar) = request.kind, octets.count == link.mtu - 1,
      soFar.count + octets.count < Self.longestValue
    {
      // The packet was full, so there may be more.
      links[id]?.requests[0].kind = .read(handle, soFar: soFar + octets)
      return
    }
    links[id]?.requests.removeFirst()
    switch request.kind {
    case .exchangeMTU:
      links[id]?.mtu = Self.mtu
      learnName(id, link, peer)
    case .encrypt, .pair: break
    case .discover:
      let version = devices[link.peripheral].tableVersion
      links[id]?.knownTable = version
      devices[link.central].cachedTables[link.peripheral] = version
    case .sound: if let client = request.client { beginSounding(id, client) }
    case .read, .write, .configure: break
    }
    guard let client = request.client else { return }
    switch request.kind {
    case .exchangeMTU, .sound: break
    case .encrypt, .pair: notify(client, .paired(peer, nil))
    case .discover: notify(client, .discovered(peer, .success(devices[link.peripheral].table.services)))
    case .read(let handle, let soFar):
      notify(client, .read(peer, handle, .success(Array((soFar + octets).prefix(Self.longestValue)))))
    case .write(let handle, _): notify(client, .wrote(peer, handle, nil))
    case .configure(let handle, let isOn): notify(client, .notifying(peer, handle, isOn, nil))
    }
  }

  /// Handles an error response: retries with encryption if that is what is missing, or reports the failure.
  private mutating func failed(
    _ request: AttributeRequest, _ error: ATTError, _ id: Int, _ link: AirLink, _ peer: BluetoothPeer
  ) {
    if case .read(let handle, let soFar) = request.kind, !soFar.isEmpty,
      error == .attributeNotLong || error == .invalidOffset
    {
      links[id]?.requests.removeFirst()
      if let client = request.client { notify(client, .read(peer, handle, .success(soFar))) }
      return
    }
    switch request.kind {
    case .encrypt: return keysRefused(id)
    case .pair where request.client != nil: return failNext(id, .pairingFailed, peer)
    case .pair:
      links[id]?.requests.removeFirst()
      return failNext(id, .pairingFailed, peer)
    case .exchangeMTU, .discover, .read, .write, .configure, .sound: break
    }
    if !link.isEncrypted, error == .insufficientEncryption || error == .insufficientAuthentication {
      return secure(id, link, error, peer)
    }
    failNext(id, .att(error), peer)
  }

  /// Fails the first request.
  private mutating func failNext(_ id: Int, _ failure: BluetoothFailure, _ peer: BluetoothPeer) {
    guard links[id]?.requests.isEmpty == false, let request = links[id]?.requests.removeFirst() else {
      return
    }
    if let client = request.client, let event = request.failed(peer, failure) { notify(client, event) }
  }

  /// Handles a request that was rejected for lack of encryption: encrypts or pairs first, and then repeats
  /// it.
  private mutating func secure(_ id: Int, _ link: AirLink, _ error: ATTError, _ peer: BluetoothPeer) {
    if devices[link.central].bonds[link.peripheral] != nil {
      links[id]?.requests.insert(
        AttributeRequest(kind: .encrypt, preliminaries: Self.encryptionExchanges), at: 0)
    } else if devices[link.central].acceptsPairing {
      links[id]?.requests.insert(AttributeRequest(kind: .pair, preliminaries: Self.pairingExchanges), at: 0)
    } else {
      failNext(id, .att(error), peer)
    }
  }

  /// Ends the link, because the peer no longer has the keys.
  private mutating func keysRefused(_ id: Int) {
    endCentralSide(id, .pairingFailed)
    links[id]?.isEnding = true
  }

  /// Learns the peer's own name if none is known from an advertisement.
  private mutating func learnName(_ id: Int, _ link: AirLink, _ peer: BluetoothPeer) {
    guard devices[link.central].names[link.peripheral] == nil, let name = devices[link.peripheral].name else {
      return
    }
    devices[link.central].names[link.peripheral] = name
    for client in link.users { notify(client, .nameChanged(peer, name)) }
  }

  /// Removes a client's subscription. The server is notified when the last client unsubscribes.
  mutating func stopListening(_ client: Int, to handle: AttributeID, on id: Int) {
    guard let link = links[id], let others = link.listeners[handle], others.contains(client) else { return }
    guard others.count == 1 else {
      links[id]?.listeners[handle]?.removeAll { $0 == client }
      return
    }
    links[id]?.requests.append(AttributeRequest(kind: .configure(handle, isOn: false)))
    pumpRequests(id)
  }
}
