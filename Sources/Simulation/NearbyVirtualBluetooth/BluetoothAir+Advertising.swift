import NearbyBluetooth
import NearbySchedule

/// Advertising and scanning.
extension BluetoothAir {
  /// The interval of advertisers that do not specify one, in nanoseconds: 100 ms.
  private static let advertisingInterval: Int64 = 100_000_000
  /// The interval of apps in the background, in nanoseconds: one of those in Apple's "Accessory Design
  /// Guidelines", Bluetooth Low Energy, Advertising Interval.
  private static let backgroundInterval: Int64 = 417_500_000
  /// Nanoseconds from one advertising channel to the next. Bluetooth Core 5.4, volume 6, part B, 4.4.2.3
  /// allows up to 10 ms; a packet of 31 octets takes 0.38 ms.
  private static let hop: Int64 = 500_000
  /// Nanoseconds from a packet to its answer: T_IFS, Bluetooth Core 5.4, volume 6, part B, 4.1.1.
  private static let answerTime: Int64 = 150_000
  /// The allowed intervals of legacy advertising, in nanoseconds: Bluetooth Core 5.4, volume 4, part E,
  /// 7.8.5.
  private static let allowedIntervals: ClosedRange<Int64> = 20_000_000...10_240_000_000

  /// Starts a client's advertising and reports the result. Only one advertisement per client is possible.
  mutating func startAdvertising(_ advertising: BluetoothAdvertising, _ client: Int) {
    guard clients[client]?.advertising == nil else {
      return notify(client, .advertising(.alreadyAdvertising))
    }
    guard AdvertisingContent(advertising.advertisement) != nil else {
      return notify(client, .advertising(.invalidParameters))
    }
    clients[client]?.advertising = advertising
    updateAdvertising(client)
    notify(client, .advertising(nil))
  }

  mutating func stopAdvertising(_ client: Int) {
    clients[client]?.advertising = nil
    updateAdvertising(client)
  }

  /// Replaces a client's advertising set by what its app may advertise in its current state.
  mutating func updateAdvertising(_ client: Int) {
    guard let it = clients[client] else { return }
    if let set = it.set { sets[set] = nil }
    clients[client]?.set = nil
    let device = devices[it.device]
    guard let advertising = it.advertising, device.state == .poweredOn else { return }
    if device.isInForeground, it.user != nil {
      guard let content = AdvertisingContent(advertising.advertisement) else { return }
      let set = start(content, advertising.interval, device: it.device, client: client)
      clients[client]?.set = set
    } else if device.modes.contains(.peripheral),
      let content = AdvertisingContent.inBackground(advertising.advertisement)
    {
      let set = start(
        content, .nanoseconds(Self.backgroundInterval), device: it.device, client: client)
      clients[client]?.set = set
    }
  }

  /// Starts an advertising set and returns its number. The interval is limited to the allowed range.
  @discardableResult
  mutating func start(
    _ content: AdvertisingContent, _ interval: Duration?, device: Int, client: Int?
  ) -> Int {
    let id = makeNumber()
    let wanted = interval.map(AirTime.nanoseconds) ?? Self.advertisingInterval
    let interval = min(max(wanted, Self.allowedIntervals.lowerBound), Self.allowedIntervals.upperBound)
    // Sets that a device starts at the same time differ by their client's position; a beacon has only one
    // set.
    let order = UInt64(client == nil ? 0 : devices[device].clients.firstIndex { $0 == client } ?? 0)
    let key = SplitMix64.mixed(seed ^ devices[device].identity &+ order)
    sets[id] = AdvertisingSet(
      device: device, client: client, content: content,
      clock: AdvertisingClock(key: key, interval: interval), epoch: makeNumber())
    if !listeners.isEmpty { schedule(id) }
    return id
  }

  /// Schedules a set's next advertisement.
  private mutating func schedule(_ id: Int) {
    guard let set = sets[id] else { return }
    var clock = set.clock
    let next = clock.next(after: time)
    sets[id]?.clock = clock
    sets[id]?.isScheduled = true
    queue.insert(PacketEvent(kind: .advertise, subject: id, epoch: set.epoch), at: next)
  }

  // MARK: Listening

  /// Whether a client's scan is active in its app's current state. In the background only scans for
  /// specific services continue.
  private func isSearching(_ client: Int) -> Bool {
    guard let it = clients[client], let scan = it.scan else { return false }
    if it.isSystem || isInFront(client) { return true }
    return devices[it.device].modes.contains(.central) && scan.services != nil
  }

  private func isInFront(_ client: Int) -> Bool {
    guard let it = clients[client] else { return false }
    return (it.isSystem || devices[it.device].isInForeground) && it.user != nil
  }

  /// Adds a device to `listeners`, or removes it, depending on what its clients are doing.
  mutating func updateListening(_ device: Int) {
    let it = devices[device]
    let listens = it.clients.contains { client in
      (clients[client]?.isSystem == true ? it.systemState : it.state) == .poweredOn
        && (isSearching(client) || clients[client]?.wanted.isEmpty == false)
    }
    let place = listeners.firstIndex(of: device)
    if listens, place == nil {
      let isFirst = listeners.isEmpty
      listeners.append(device)
      listeners.sort()
      // Advertisements are not scheduled while no device listens.
      if isFirst { for id in sets.keys.sorted() where sets[id]?.isScheduled == false { schedule(id) } }
    } else if !listens, let place {
      listeners.remove(at: place)
      answered[device] = nil
    }
  }

  // MARK: An advertising event

  /// Sends one advertisement on the three channels and schedules the next one.
  mutating func advertise(_ id: Int, epoch: Int, medium: inout some BluetoothMedium) {
    guard let set = sets[id], set.epoch == epoch else { return }
    guard !listeners.isEmpty else {
      sets[id]?.isScheduled = false
      return
    }
    schedule(id)
    guard devices[set.device].isOn else { return }
    for listener in listeners where listener != set.device {
      guard hears(listener, set) else { continue }
      let phase = Int64(truncatingIfNeeded: devices[listener].identity >> 34)
      let timing = devices[listener].isInForeground ? ScanTiming.foreground : .background
      for channel in UInt8(37)...39 {
        let sent = time + Int64(channel - 37) * Self.hop
        guard timing.hears(channel: channel, at: sent, phase: phase) else { continue }
        if let power = medium.receive(
          from: set.device, to: listener, channel: channel, at: .nanoseconds(sent))
        {
          heard(id, by: listener, power, channel: channel, at: sent, medium: &medium)
        }
        break
      }
    }
  }

  /// Whether a device is interested in a set's advertisements.
  private func hears(_ listener: Int, _ set: AdvertisingSet) -> Bool {
    devices[listener].clients.contains {
      isSearching($0) || clients[$0]?.wanted.contains(set.device) == true
    }
  }

  /// Handles an advertisement that a device received: connects if a client wants to, requests the scan
  /// response if it is still unknown, and reports the advertisement to the scanning clients.
  private mutating func heard(
    _ id: Int, by listener: Int, _ power: Int, channel: UInt8, at sent: Int64,
    medium: inout some BluetoothMedium
  ) {
    guard let set = sets[id] else { return }
    let isWanted = devices[listener].clients.contains { clients[$0]?.wanted.contains(set.device) == true }
    if isWanted, set.content.advertisement.isConnectable {
      let asked = Duration.nanoseconds(sent + Self.answerTime)
      if medium.receive(from: listener, to: set.device, channel: channel, at: asked) != nil {
        establish(central: listener, peripheral: set.device)
      }
    }
    let searching = devices[listener].clients.filter(isSearching)
    guard !searching.isEmpty else { return }
    let known = answered[listener]?[id] == set.epoch
    var isComplete = known || !set.content.hasScanResponse
    if !isComplete {
      isComplete =
        medium.receive(
          from: listener, to: set.device, channel: channel, at: .nanoseconds(sent + Self.answerTime)) != nil
        && medium.receive(
          from: set.device, to: listener, channel: channel, at: .nanoseconds(sent + 2 * Self.answerTime))
          != nil
      if isComplete { answered[listener, default: [:]][id] = set.epoch }
    }
    for client in searching { sight(set, isComplete: isComplete, power, at: sent, by: client) }
  }

  /// Reports an advertisement to a client if it matches the scan and has not been reported already.
  private mutating func sight(
    _ set: AdvertisingSet, isComplete: Bool, _ power: Int, at sent: Int64, by client: Int
  ) {
    guard let it = clients[client], let scan = it.scan else { return }
    let peer = peer(set.device, of: it.device)
    guard !it.isCentral || canSee(peer, device: it.device) else { return }
    var advertisement = isComplete ? set.content.complete : set.content.advertisement
    if let services = scan.services {
      advertisement.overflowServices = services.filter {
        set.content.overflow & AdvertisingContent.bit(of: $0) != 0
      }
      guard
        !advertisement.overflowServices.isEmpty || services.contains(where: advertisement.services.contains)
      else { return }
    }
    if !scan.allowsDuplicates || !isInFront(client) {
      // An advertisement without its scan response adds nothing to one already reported with it.
      let isKnown = it.reported[set.device, default: []].contains { before in
        var plain = before
        plain.name = nil
        return advertisement == before || advertisement == plain
      }
      if isKnown { return }
      clients[client]?.reported[set.device, default: []].append(advertisement)
    }
    if let name = advertisement.name { devices[it.device].names[set.device] = name }
    notify(
      client,
      .sighted(
        BluetoothSighting(peer: peer, advertisement: advertisement, rssi: power, time: .nanoseconds(sent))))
  }
}
