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

  /// Updates what a device listens for, depending on what its clients are doing.
  mutating func updateListening(_ device: Int) {
    let it = devices[device]
    let listens = it.clients.contains { client in
      (clients[client]?.isSystem == true ? it.systemState : it.state) == .poweredOn
        && (isSearching(client) || clients[client]?.wanted.isEmpty == false)
    }
    interestVersions[device] &+= 1
    guard listens else {
      devices[device].interest = nil
      answered[device] = nil
      return listeners.remove(device)
    }
    devices[device].interest = AirDevice.Interest(
      searching: it.clients.filter(isSearching),
      wanted: Set(it.clients.flatMap { clients[$0]?.wanted ?? [] }),
      timing: it.isInForeground ? .foreground : .background,
      phase: Int64(truncatingIfNeeded: it.identity >> 34))
    let isFirst = listeners.isEmpty
    listeners.insert(device)
    // Advertisements are not scheduled while no device listens.
    if isFirst { for id in sets.keys.sorted() where sets[id]?.isScheduled == false { schedule(id) } }
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
    let sender = set.device
    for listener in medium.reachable(from: sender, among: listeners, at: .nanoseconds(time))
    where listener != sender {
      guard set.exhausted[listener] != interestVersions[listener],
        let (channel, sent) = channelHeard(by: listener, from: sender)
      else { continue }
      if let power = medium.receive(from: sender, to: listener, channel: channel, at: .nanoseconds(sent)) {
        heard(id, by: listener, power, channel: channel, at: sent, medium: &medium)
      }
    }
  }

  /// On which channel a device receives an advertisement that is sent now, and when; `nil` if it does not listen for
  /// the sender or not at the right moment.
  private func channelHeard(by listener: Int, from sender: Int) -> (channel: UInt8, sent: Int64)? {
    guard let interest = devices[listener].interest,
      !interest.searching.isEmpty || interest.wanted.contains(sender)
    else { return nil }
    for channel in UInt8(37)...39 {
      let sent = time + Int64(channel - 37) * Self.hop
      if interest.timing.hears(channel: channel, at: sent, phase: interest.phase) { return (channel, sent) }
    }
    return nil
  }

  /// Advertising sets, and different advertisements of one sender, of which a listener remembers what it received: a
  /// sender may change its advertisement as often as it likes.
  private static let mostKnown = 4096
  private static let mostReported = 64

  /// Handles an advertisement that a device received: connects if a client wants to, requests the scan
  /// response if it is still unknown, and reports the advertisement to the scanning clients.
  private mutating func heard(
    _ id: Int, by listener: Int, _ power: Int, channel: UInt8, at sent: Int64,
    medium: inout some BluetoothMedium
  ) {
    guard let set = sets[id], let interest = devices[listener].interest else { return }
    if interest.wanted.contains(set.device), set.content.advertisement.isConnectable {
      let asked = Duration.nanoseconds(sent + Self.answerTime)
      if medium.receive(from: listener, to: set.device, channel: channel, at: asked) != nil {
        establish(central: listener, peripheral: set.device)
      }
    }
    let searching = interest.searching
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
      if isComplete {
        if answered[listener]?.count ?? 0 >= Self.mostKnown { answered[listener] = nil }
        answered[listener, default: [:]][id] = set.epoch
      }
    }
    var isExhausted = isComplete && interest.wanted.isEmpty
    for client in searching where !sight(set, isComplete: isComplete, power, at: sent, by: client) {
      isExhausted = false
    }
    if isExhausted { sets[id]?.exhausted[listener] = interestVersions[listener] }
  }

  /// Reports an advertisement to a client if it matches the scan and has not been reported already.
  ///
  /// - Returns: Whether the client needs no repetition of this advertisement.
  private mutating func sight(
    _ set: AdvertisingSet, isComplete: Bool, _ power: Int, at sent: Int64, by client: Int
  ) -> Bool {
    guard let it = clients[client], let scan = it.scan else { return false }
    let peer = peer(set.device, of: it.device)
    guard !it.isCentral || canSee(peer, device: it.device) else { return false }
    var advertisement = isComplete ? set.content.complete : set.content.advertisement
    if let services = scan.services {
      advertisement.overflowServices = services.filter {
        set.content.overflow & AdvertisingContent.bit(of: $0) != 0
      }
      guard
        !advertisement.overflowServices.isEmpty || services.contains(where: advertisement.services.contains)
      else { return false }
    }
    if !scan.allowsDuplicates || !isInFront(client) {
      // An advertisement without its scan response adds nothing to one already reported with it.
      let isKnown = it.reported[set.device, default: []].contains { before in
        var plain = before
        plain.name = nil
        return advertisement == before || advertisement == plain
      }
      if isKnown { return !scan.allowsDuplicates }
      remember(advertisement, of: set.device, for: client)
    }
    if let name = advertisement.name { devices[it.device].names[set.device] = name }
    notify(
      client,
      .sighted(
        BluetoothSighting(peer: peer, advertisement: advertisement, rssi: power, time: .nanoseconds(sent))))
    return !scan.allowsDuplicates
  }

  private mutating func remember(_ advertisement: Advertisement, of sender: Int, for client: Int) {
    if clients[client]?.reported[sender]?.count ?? 0 >= Self.mostReported {
      clients[client]?.reported[sender]?.removeFirst()
    }
    clients[client]?.reported[sender, default: []].append(advertisement)
  }
}
