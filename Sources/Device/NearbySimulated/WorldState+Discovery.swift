import NearbyDevice
import NearbyPeerLink

/// Records of advertisers, and the browsers that see them.
extension WorldState {
  /// Schedules a check by every browser of a record that is new or withdrawn.
  private mutating func announce(_ key: Int) {
    guard let type = network.records[key]?.type else { return }
    for user in browsers() where browsedType(user) == type {
      plan(.checkRecord(browser: user, record: key), after: network.drawDiscovery())
    }
  }

  private func browsers() -> [PeerUser] {
    network.users.keys.sorted().filter { browsedType($0) != nil }
  }

  private func browsedType(_ user: PeerUser) -> ServiceType? {
    guard case .browser(let type, _, isOn: true) = network.users[user]?.role else { return nil }
    return type
  }

  mutating func startAdvertising(_ user: PeerUser) {
    guard var entry = network.users[user], case .advertiser(let type, let info, record: nil) = entry.role,
      let station = entry.station
    else { return }
    let key = network.makeNumber()
    network.records[key] = NetworkRecord(
      device: entry.device, station: station, type: type,
      advertised: AdvertisedPeer(peer: entry.local, info: info))
    entry.role = .advertiser(type, info, record: key)
    network.users[user] = entry
    withNode(station) { node, _ in node.advertise(type) }
    announce(key)
  }

  mutating func stopAdvertising(_ user: PeerUser) {
    guard var entry = network.users[user],
      case .advertiser(let type, let info, record: let key?) = entry.role,
      let station = entry.station
    else { return }
    entry.role = .advertiser(type, info, record: nil)
    network.users[user] = entry
    withdraw(key)
    let isLast = !advertisers(of: station).contains { other in
      guard case .advertiser(type, _, record: .some) = network.users[other]?.role else { return false }
      return true
    }
    if isLast { withNode(station) { node, _ in node.stopAdvertising(type) } }
  }

  mutating func withdraw(_ key: Int) {
    network.records[key]?.isWithdrawn = true
    announce(key)
    // A browser that missed the goodbye drops the record when it expires.
    expireLater(key)
  }

  mutating func startBrowsing(_ user: PeerUser) {
    guard var entry = network.users[user], case .browser(let type, _, isOn: false) = entry.role else {
      return
    }
    entry.role = .browser(type, DiscoveryMachine(own: entry.local.identity), isOn: true)
    network.users[user] = entry
    for key in network.records.keys.sorted() where network.records[key]?.type == type {
      plan(.checkRecord(browser: user, record: key), after: network.drawDiscovery())
    }
  }

  mutating func stopBrowsing(_ user: PeerUser) {
    guard var entry = network.users[user], case .browser(let type, var machine, isOn: true) = entry.role
    else {
      return
    }
    machine.stop()
    entry.role = .browser(type, machine, isOn: false)
    network.users[user] = entry
  }

  // MARK: Sightings

  /// Schedules a check of every record after the network changed.
  mutating func scheduleRecordChecks() {
    for user in browsers() {
      guard let type = browsedType(user), let device = network.users[user]?.device else { continue }
      if network.away.contains(device) {
        withDiscovery(user) { $0.interfaceDown(1, at: $1) }
      }
      for key in network.records.keys.sorted() where network.records[key]?.type == type {
        plan(.checkRecord(browser: user, record: key), after: network.drawDiscovery())
      }
    }
    for key in network.records.keys.sorted() { expireLater(key) }
  }

  private mutating func expireLater(_ key: Int) {
    guard let type = network.records[key]?.type else { return }
    for user in browsers() where browsedType(user) == type {
      plan(
        .expire(browser: user, record: key, epoch: network.epoch), after: WorldNetwork.recordLife)
    }
  }

  private func hears(_ user: PeerUser, _ record: NetworkRecord) -> Bool {
    guard let browser = network.users[user]?.device else { return false }
    // A device still announces the records of a station that ended.
    return network.hears(browser, record.device)
  }

  mutating func checkRecord(_ user: PeerUser, _ key: Int) {
    guard let record = network.records[key], hears(user, record) else { return }
    let source = DiscoveryMachine.Source(
      interface: record.device == network.users[user]?.device ? 0 : 1, instance: String(key))
    withDiscovery(user) { machine, now in
      record.isWithdrawn
        ? machine.goodbye(source, at: now)
        : machine.seen(
          record.advertised, from: source, contact: Self.contact(station: record.station), timeToLive: nil,
          at: now)
    }
  }

  mutating func expire(_ user: PeerUser, _ key: Int, _ epoch: Int) {
    guard let record = network.records[key] else { return }
    let isOver = epoch == network.epoch && (record.isWithdrawn || !hears(user, record))
    guard isOver else { return }
    withDiscovery(user) { $0.removed(DiscoveryMachine.Source(interface: 1, instance: String(key)), at: $1) }
  }

  mutating func wakeDiscovery(_ user: PeerUser) { withDiscovery(user) { $0.timePassed(at: $1) } }

  private mutating func withDiscovery(
    _ user: PeerUser, _ body: (inout DiscoveryMachine, Duration) -> [DiscoveryMachine.Event]
  ) {
    guard var entry = network.users[user], case .browser(let type, var machine, isOn: true) = entry.role
    else {
      return
    }
    let events = body(&machine, now)
    entry.role = .browser(type, machine, isOn: true)
    network.users[user] = entry
    for event in events {
      switch event {
      case .found(let peer), .updated(let peer): notify(user, .found(peer))
      case .lost(let peer): notify(user, .lost(peer))
      case .wake(let time): plan(.discoveryWake(browser: user), after: time - now)
      }
    }
  }
}
