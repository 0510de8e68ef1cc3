import NearbyBluetooth
import NearbySchedule

/// Users of Bluetooth, and the state of their devices' Bluetooth.
extension BluetoothAir {
  /// Creates a user. A user with the restoration name of one whose process has ended takes over its
  /// activity.
  package mutating func makeUser(
    _ role: BluetoothRole, device: Int, at now: Duration
  ) -> BluetoothUser {
    time = max(time, AirTime.nanoseconds(now))
    let user = BluetoothUser(number: makeNumber())
    if let earlier = dormantClient(role, device: device) {
      clients[earlier]?.user = user
      clientOfUser[user] = earlier
      notifyRestored(earlier)
      return user
    }
    let client = makeNumber()
    clients[client] = AirClient(device: device, role: role, user: user)
    clientOfUser[user] = client
    devices[device].clients.append(client)
    notifyState(client)
    let apps = devices[device].clients.count { clients[$0]?.isSystem == false }
    if role != .system, devices[device].state == .unknown, apps == 1 {
      actions.append(.askPermission(device: device))
    }
    return user
  }

  /// A client without process that has the same role and restoration name.
  private func dormantClient(_ role: BluetoothRole, device: Int) -> Int? {
    devices[device].clients.first {
      guard let it = clients[$0], it.user == nil, it.restorationName != nil else { return false }
      return it.role == role
    }
  }

  /// Reports to a successor what remains of the earlier process, then the state and the events held
  /// meanwhile.
  private mutating func notifyRestored(_ client: Int) {
    guard let it = clients[client] else { return }
    var restoration = BluetoothRestoration()
    for id in devices[it.device].links {
      guard let link = links[id], link.central == it.device, link.users.contains(client) else { continue }
      let peer = peer(link.peripheral, of: it.device)
      restoration.connected.append(peer)
      if link.knownTable == devices[link.peripheral].tableVersion {
        restoration.tables[peer] = devices[link.peripheral].table.services
      }
      let notifying = link.listeners.keys.sorted().filter { link.listeners[$0]?.contains(client) == true }
      // A frame of the world protocol contains no empty lists, and a program that joined a world must
      // receive the same as one in the simulator.
      if !notifying.isEmpty { restoration.notifying[peer] = notifying }
    }
    restoration.connecting = it.wanted.map { peer($0, of: it.device) }
    restoration.scan = it.scan
    restoration.services = it.services
    restoration.advertising = it.advertising
    let held = it.held
    clients[client]?.held = []
    clients[client]?.reported = [:]
    notify(client, .restored(restoration))
    clients[client]?.reportedState = .unknown
    notifyState(client)
    for event in held {
      if case .state = event { continue }
      notify(client, event)
    }
    updateAdvertising(client)
    updateListening(it.device)
  }

  /// Removes a user and ends everything it was doing.
  package mutating func release(_ user: BluetoothUser, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    guard let client = clientOfUser.removeValue(forKey: user) else { return }
    remove(client)
  }

  private mutating func remove(_ client: Int) {
    guard let it = clients[client] else { return }
    clients[client]?.user = nil
    stopAdvertising(client)
    removeServices(of: client)
    for id in devices[it.device].links where links[id]?.users.contains(client) == true {
      leave(id, client)
    }
    for (id, request) in openRequests where request.client == client { openRequests[id] = nil }
    clients[client] = nil
    devices[it.device].clients.removeAll { $0 == client }
    updateListening(it.device)
    if it.limitsVisibility { setVisiblePeers(nil, device: it.device, at: .nanoseconds(time)) }
  }

  /// Whether the user still exists and its process has not ended.
  package func isCurrent(_ user: BluetoothUser) -> Bool { clientOfUser[user] != nil }

  /// The app's process ends unexpectedly and will be restarted. For users with a restoration name the
  /// system keeps links and scans until their successors take over; other users are removed.
  package mutating func endApp(of device: Int, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    for client in devices[device].clients {
      guard let it = clients[client] else { continue }
      if let user = it.user { clientOfUser[user] = nil }
      guard it.restorationName != nil, devices[device].state == .poweredOn else {
        remove(client)
        continue
      }
      clients[client]?.user = nil
      updateAdvertising(client)
    }
    updateListening(device)
  }

  /// The services that a device's users offer, including users whose process has ended.
  package func offeredServices(of device: Int) -> [GATTService] {
    devices[device].clients.flatMap { clients[$0]?.services ?? [] }
  }

  // MARK: State

  package func state(of device: Int) -> BluetoothState { devices[device].state }
  package func authorization(of device: Int) -> BluetoothAuthorization {
    devices[device].visiblePeers == nil ? devices[device].authorization : .allowedAlways
  }

  /// Reports the state of Bluetooth to a client if it has changed.
  private mutating func notifyState(_ client: Int) {
    guard let it = clients[client] else { return }
    let state = it.isSystem ? devices[it.device].systemState : devices[it.device].state
    guard it.reportedState != state else { return }
    clients[client]?.reportedState = state
    notify(client, .state(state))
  }

  /// Switches the radio on or off.
  package mutating func setPower(isOn: Bool, device: Int, at now: Duration) {
    change(device, at: now) { $0.isOn = isOn }
  }

  /// Sets the person's answer to the permission question, or changes it later as in Settings.
  package mutating func setAuthorization(
    _ answer: BluetoothAuthorization, device: Int, at now: Duration
  ) {
    change(device, at: now) { $0.authorization = answer }
  }

  /// Sets whether the app has declared what it needs Bluetooth for. Without that it may not use Bluetooth.
  package mutating func setDescribed(_ isDescribed: Bool, device: Int, at now: Duration) {
    change(device, at: now) { $0.isDescribed = isDescribed }
  }

  /// Changes a device's power, permission or declaration, and handles a resulting change of state.
  mutating func change(_ device: Int, at now: Duration, _ body: (inout AirDevice) -> Void) {
    time = max(time, AirTime.nanoseconds(now))
    let (before, systemBefore) = (devices[device].state, devices[device].systemState)
    body(&devices[device])
    let (state, systemState) = (devices[device].state, devices[device].systemState)
    guard state != before || systemState != systemBefore else { return }
    if before == .poweredOn, state != before { fallSilent(device) }
    if systemBefore == .poweredOn, systemState != systemBefore {
      for client in devices[device].clients where clients[client]?.isSystem == true {
        clients[client]?.scan = nil
      }
      updateListening(device)
    }
    for client in devices[device].clients { notifyState(client) }
  }

  /// Ends everything that needs the radio. The device's own users learn of it from the new state.
  private mutating func fallSilent(_ device: Int) {
    for client in devices[device].clients where clients[client]?.isSystem == false {
      clients[client]?.scan = nil
      clients[client]?.wanted = []
      stopAdvertising(client)
    }
    for id in devices[device].links { abandon(id, by: device) }
    updateListening(device)
  }

  // MARK: The app's life

  /// Sets whether the device's app is in the foreground.
  package mutating func setForeground(_ isInForeground: Bool, device: Int, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    guard devices[device].isInForeground != isInForeground else { return }
    devices[device].isInForeground = isInForeground
    if !isInForeground { endSoundings(of: device, .soundingProcedureFailed) }
    updateApp(of: device)
  }

  /// Sets the background modes that the app declares.
  package mutating func setModes(_ modes: BluetoothModes, device: Int, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    devices[device].modes = modes
    updateApp(of: device)
  }

  /// Adapts advertising, scanning and held events to the app's new state.
  private mutating func updateApp(of device: Int) {
    for client in devices[device].clients {
      updateAdvertising(client)
      release(held: client)
    }
    updateListening(device)
  }

  // MARK: Settings and test hooks

  package mutating func setAcceptsPairing(_ accepts: Bool, device: Int) {
    devices[device].acceptsPairing = accepts
  }

  /// Sets the limit on simultaneous links.
  package mutating func setConnectionLimit(_ limit: Int, device: Int) {
    devices[device].connectionLimit = max(limit, 0)
  }

  /// Makes a device forget the keys of another device, or of all. The others keep theirs.
  package mutating func unpair(_ device: Int, from other: Int?) {
    guard let other else {
      devices[device].bonds = [:]
      return
    }
    devices[device].bonds[other] = nil
  }

  package func isPaired(_ device: Int, with other: Int) -> Bool { devices[device].bonds[other] != nil }

  /// Switches a beacon that was added by `addBeacon` on or off.
  package mutating func setBeacon(_ device: Int, isOn: Bool, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    devices[device].isOn = isOn
  }

  /// Breaks the links between two devices. Both are notified at once and may connect again.
  package mutating func cut(_ a: Int, _ b: Int, at now: Duration) {
    time = max(time, AirTime.nanoseconds(now))
    for id in devices[a].links {
      guard let link = links[id], Set([link.central, link.peripheral]) == [a, b] else { continue }
      endCentralSide(id, .connectionTimeout)
      endPeripheralSide(id)
    }
  }
}
