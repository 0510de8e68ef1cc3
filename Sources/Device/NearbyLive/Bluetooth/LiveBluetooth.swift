import Dispatch
import Foundation
import NearbyBlueZ
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyEventLoop
import Synchronization

/// This machine's Bluetooth, shared by all of the process's users: one connection to the bus, one radio.
///
/// Everything runs on the radio's loop; users are called through the `deliver` that their device provides.
///
/// `@unchecked Sendable`: state that is neither constant nor behind the mutex is used on the loop's thread only.
package final class LiveBluetooth: @unchecked Sendable {
  package typealias Deliver = @Sendable (@escaping @Sendable () -> Void) -> Void

  struct User {
    var sink: any BluetoothSink
    var deliver: Deliver
    /// The device's time.
    var now: @Sendable () -> Duration
    var scan: BluetoothScan?
    var seen: Set<BluetoothPeer> = []
    var seeking: Set<BluetoothPeer> = []
    var connected: Set<BluetoothPeer> = []
    /// Peers that the user asked to disconnect.
    var leaving: Set<BluetoothPeer> = []
    var notifying: Set<Attribute> = []
    /// Centrals that sent a request or subscribed.
    var centrals: Set<BluetoothPeer> = []
    var knowsState = false
    /// Whether it scans on behalf of the system, and so sees what the app may not.
    var isSystem = false
  }

  struct Attribute: Hashable {
    var peer: BluetoothPeer
    var id: AttributeID
  }

  /// State that callers read without waiting for the loop.
  struct Flow: ~Copyable {
    var lastUser = 0
    /// The values and writes in flight, and the users that wait for room.
    var updates: [BluetoothUser: Int] = [:]
    var waitingToUpdate: Set<BluetoothUser> = []
    var writes: [BluetoothPeer: Int] = [:]
    var waitingToWrite: [BluetoothPeer: Set<BluetoothUser>] = [:]
    var state = BluetoothState.unknown
  }

  static let flowLimit = 16
  /// How long to wait for an adapter or the daemon to return before it counts as gone.
  package struct Patience: Sendable {
    package var adapter = Duration.seconds(2)
    package var daemon = Duration.seconds(10)
    package init() {}
  }

  private static let nameLimit = 4096

  let loop: EventLoop?
  let radio: BlueZRadio?
  let names: PeerNames
  let flow = Mutex(Flow())
  var users: [BluetoothUser: User] = [:]
  /// The peers that the app may see, because they were set up for it; `nil` means all.
  var visible: Set<BluetoothPeer>?
  private var addresses: [BluetoothPeer: String] = [:]
  private var peers: [String: BluetoothPeer] = [:]
  var state = BluetoothState.unknown
  private let patience: Patience
  private var losses = 0
  var requests: [BluetoothRequestID: Bool] = [:]

  /// The device for whose users `makeUser(_:role:)` is; `nil` if each user brings its own clock and queue.
  let turns: LiveTurns?

  package init(_ settings: BluetoothSettings, turns: LiveTurns? = nil, patience: Patience = Patience()) {
    self.patience = patience
    self.turns = turns
    names = PeerNames(file: settings.keyFile)
    // Without a thread there is no Bluetooth: the state is `unsupported`.
    loop = try? EventLoop(label: "nearby.bluetooth")
    radio = loop.flatMap { loop in settings.radio.map { BlueZRadio($0, on: loop) } }
    guard radio == nil else {
      loop?.perform { [weak self] in self?.begin() }
      return
    }
    let isOff = loop != nil
    DeviceTrouble.set(isOff ? "NEARBY_BLUETOOTH is off" : "no thread for it", for: .bluetooth)
    state = .unsupported
    flow.withLock { $0.state = .unsupported }
  }

  deinit { stop() }

  private func begin() {
    radio?.onState = { [weak self] in self?.radioChanged(to: $0) }
    radio?.scanner.onSighting = { [weak self] in self?.sighted($0) }
    radio?.central.onEvent = { [weak self] in self?.received($0) }
    radio?.server.onEvent = { [weak self] in self?.received($0) }
    radio?.start()
  }

  /// Stops for good: users receive nothing more.
  package func stop() {
    loop?.perform { [radio] in radio?.stop() }
    loop?.stop()
  }

  // MARK: Users

  /// - Parameters:
  ///   - now: The time of the user's device.
  ///   - deliver: Runs its argument on the device's thread, in FIFO order.
  package func makeUser(
    _ sink: any BluetoothSink, now: @escaping @Sendable () -> Duration, isSystem: Bool = false,
    deliver: @escaping Deliver
  ) -> BluetoothUser {
    let user = flow.withLock { flow in
      flow.lastUser += 1
      return BluetoothUser(number: flow.lastUser)
    }
    // Ownership passes to the loop's thread.
    let entry = UncheckedSendable(User(sink: sink, deliver: deliver, now: now, isSystem: isSystem))
    guard let loop else {
      deliver { sink.received(.state(.unsupported)) }
      return user
    }
    loop.perform { [self] in
      users[user] = entry.value
      notifyState(user)
    }
    return user
  }

  package func release(_ user: BluetoothUser) {
    loop?.perform { [self] in
      guard let gone = users[user] else { return }
      users[user]?.scan = nil
      for peer in gone.connected.union(gone.seeking).sorted() { disconnect(peer, of: user) }
      users[user] = nil
      updateScan()
      radio?.advertiser.stop(user.number)
      radio?.server.removeAll(of: user.number)
      radio?.server.setAcceptsPairing(true, of: user.number)
    }
  }

  func notify(_ user: BluetoothUser, _ event: BluetoothEvent) {
    guard let entry = users[user] else { return }
    let sink = entry.sink
    entry.deliver { sink.received(event) }
  }

  var sortedUsers: [BluetoothUser] { users.keys.sorted() }

  // MARK: State

  package var currentState: BluetoothState { flow.withLock { $0.state } }

  /// A daemon that restarts removes its adapters, then its name, and brings back both.
  private func radioChanged(to radioState: RadioState) {
    let new = BluetoothState(radioState)
    DeviceTrouble.set(BluetoothState.trouble(radioState), for: .bluetooth)
    guard new == .unsupported, state == .poweredOn || state == .poweredOff || state == .resetting else {
      return set(new)
    }
    set(.resetting)
    // Object paths contain the adapter's name, which may change.
    peers = [:]
    losses += 1
    let loss = losses
    loop?.schedule(after: radioState == .noAdapter ? patience.adapter : patience.daemon) { [weak self] in
      guard let self, state == .resetting, losses == loss else { return }
      set(.unsupported)
    }
  }

  private func set(_ new: BluetoothState) {
    guard new != state else { return }
    state = new
    flow.withLock { $0.state = new }
    for user in sortedUsers { notifyState(user) }
  }

  private func notifyState(_ user: BluetoothUser) {
    guard state != .unknown else { return }
    notify(user, .state(state))
  }

  // MARK: Peers

  /// The peer of a device's object; `nil` for an object without an address.
  func peer(of device: String) -> BluetoothPeer? {
    if let peer = peers[device] { return peer }
    guard
      let address = radio?.central.property("Address", of: device)?.stringValue ?? Self.address(in: device)
    else { return nil }
    let peer = names.peer(address: address)
    if peers.count >= Self.nameLimit {
      // Dropped entries are found again by their address.
      let used = Set(users.values.flatMap { $0.connected.union($0.seeking) })
      addresses = addresses.filter { used.contains($0.key) }
      peers = [:]
    }
    // Pairing may reveal another address for the same object: keep the first.
    peers[device] = peer
    addresses[peer] = address
    return peer
  }

  private static func address(in device: String) -> String? {
    guard let name = device.split(separator: "/").last, name.hasPrefix("dev_"), name.count == 21 else {
      return nil
    }
    return String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 })
  }

  func device(of peer: BluetoothPeer) -> String? {
    if let device = peers.first(where: { $0.value == peer })?.key { return device }
    if addresses[peer] == nil {
      // The daemon may know a peer that an earlier process met.
      for device in radio?.central.devices ?? [] { _ = self.peer(of: device) }
    }
    return addresses[peer].flatMap { radio?.central.path(address: $0) }
  }

  /// Asks on the loop's thread and waits; the loop itself never waits, so this cannot deadlock.
  func ask<Answer>(_ question: @escaping @Sendable () -> Answer) -> Answer? {
    guard let loop else { return nil }
    guard !loop.isCurrent else { return question() }
    let answer = Guarded<Answer?>(nil)
    let done = DispatchSemaphore(value: 0)
    loop.perform {
      let value = question()
      answer.withLock { $0 = value }
      done.signal()
    }
    return done.wait(timeout: .now() + 5) == .success ? answer.withLock { $0 } : nil
  }

  package func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState? {
    let state = ask { [self] () -> BluetoothPeerState? in
      guard visible?.contains(peer) ?? true, let central = radio?.central, let device = device(of: peer)
      else { return nil }
      let isConnected = central.isConnected(device)
      return BluetoothPeerState(
        name: central.property("Name", of: device)?.stringValue, isConnected: isConnected,
        isPaired: central.isPaired(device), maximumWrite: isConnected ? 512 : 0,
        maximumWriteWithoutResponse: isConnected ? max(0, (central.mtu(of: device) ?? 23) - 3) : 0)
    }
    return state ?? nil
  }

  package func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer] {
    let peers = ask { [self] () -> [BluetoothPeer] in
      guard let central = radio?.central else { return [] }
      return central.connected.filter { device in
        let offered = (central.property("UUIDs", of: device)?.strings ?? []).compactMap { BluetoothUUID($0) }
        return offered.contains(where: services.contains)
      }.compactMap { peer(of: $0) }.filter { visible?.contains($0) ?? true }.sorted()
    }
    return peers ?? []
  }
}
