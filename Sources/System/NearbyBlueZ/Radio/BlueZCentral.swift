import NearbyBluetooth
import NearbyEventLoop

/// Connects to devices and uses their attributes.
///
/// Devices are identified by the paths of their objects. A request for a connection stays in effect until it
/// succeeds or is cancelled: while one is pending, the scanner runs to find the device, and an attempt starts
/// once the daemon knows it. Only one connection is being made at a time, and scanning pauses meanwhile.
/// After a failure the device is attempted again when it is next heard, or after 30 s.
///
/// Operations on a device run one after another, each with a deadline of our own. When the connection is
/// lost, the ones in the queue fail with `.notConnected`.
package final class BlueZCentral: RadioPart {
  package enum Event: Equatable, Sendable {
    case connected(device: String)
    case disconnected(device: String)
    /// A characteristic sent a notification or indication.
    case notified(device: String, AttributeID, [UInt8])
    case servicesChanged(device: String, [AttributeID])
    case nameChanged(device: String)
  }

  struct Link {
    /// A connection was requested but does not exist yet.
    var isSought = false
    /// Number of the attempt that failed last; the next one waits until the device is heard again or the retry
    /// delay has passed. `nil` if the next attempt may start at once.
    var failedAttempt: Int?
    var isConnected = false
    var isDiscovered = false
    var notifying: Set<AttributeID> = []
    /// The attribute being read. Values it reports meanwhile go to `held`, because the daemon signals a value
    /// read as if it had been notified.
    var reading: AttributeID?
    var held: [[UInt8]] = []
    var operations: [() -> Void] = []
    var isBusy = false
    var waitingForServices: [() -> Void] = []
    var changedServices: Set<AttributeID> = []
  }

  /// Longer than the daemon's own limit of 40 s.
  private static let connectLimit = Duration.seconds(45)
  static let resolveLimit = Duration.seconds(40)
  /// Pause between two attempts, and the time in which changes of services are collected.
  private static let pauseBetween = Duration.milliseconds(300)
  /// Delay before a device that failed is attempted again even if it was not heard.
  private static let unheardRetry = Duration.seconds(30)

  let daemon: BlueZDaemon
  private let scanner: BlueZScanner
  private var adapter: String?
  private var connecting: String?
  /// Number of the latest connection attempt.
  private var attempt = 0
  var links: [String: Link] = [:]

  package var onEvent: ((Event) -> Void)?

  init(_ daemon: BlueZDaemon, scanner: BlueZScanner) {
    self.daemon = daemon
    self.scanner = scanner
  }

  // MARK: Known devices

  package func isConnected(_ device: String) -> Bool { links[device]?.isConnected == true }
  package var connected: [String] { links.filter(\.value.isConnected).map(\.key).sorted() }

  /// Whether an operation on the device is in progress.
  func isAsking(_ device: String) -> Bool { links[device]?.isBusy == true }

  package func property(_ name: String, of device: String) -> BusValue? {
    daemon.tree.property(name, of: device, BlueZName.device)
  }

  /// All devices the daemon knows.
  package var devices: [String] { daemon.tree.paths(with: BlueZName.device) }

  /// The path that an object for a device with this address has or would have.
  package func path(address: String) -> String? {
    adapter.map { $0 + "/dev_" + String(address.map { $0 == ":" ? "_" : $0 }) }
  }

  /// The connection's ATT_MTU, in octets; `nil` if unknown.
  package func mtu(of device: String) -> Int? {
    daemon.tree.paths(with: BlueZName.characteristic, under: device + "/service").lazy.compactMap {
      self.daemon.tree.property("MTU", of: $0, BlueZName.characteristic)?.uint16Value.map(Int.init)
    }.first
  }

  // MARK: Connections

  /// Connects as soon as possible, without a time limit, and reports `connected`.
  package func connect(_ device: String) {
    guard !isConnected(device) else { return reportLater(.connected(device: device)) }
    links[device, default: Link()].isSought = true
    seek()
  }

  /// Ends a connection, or cancels the request for one; reports `disconnected` if the device was connected.
  package func disconnect(_ device: String) {
    links[device]?.isSought = false
    if isConnected(device) || connecting == device {
      daemon.call(device, BlueZName.device, "Disconnect")
    }
    if !isConnected(device) { links[device] = nil }
    seek()
  }

  /// Starts the next connection attempt, unless one is in progress.
  private func seek() {
    let sought = links.filter { $0.value.isSought && !$0.value.isConnected }.map(\.key).sorted()
    scanner.want(.connections, !sought.isEmpty)
    guard connecting == nil, adapter != nil,
      let device = sought.first(where: {
        links[$0]?.failedAttempt == nil && daemon.tree[$0, BlueZName.device] != nil
      })
    else { return }
    connecting = device
    attempt += 1
    scanner.pause()
    daemon.call(device, BlueZName.device, "Connect", limit: Self.connectLimit) { [weak self] result in
      self?.connectionEnded(device, result)
    }
  }

  private func connectionEnded(_ device: String, _ result: Result<[BusValue], BusError>) {
    connecting = nil
    scanner.resume()
    if case .failure(let error) = result, error.name != BlueZError.alreadyConnected {
      // Stop the daemon's own attempt, which would continue beyond our deadline.
      if error == .timedOut { daemon.call(device, BlueZName.device, "Disconnect") }
      if links[device]?.isConnected == false { retryLater(device) }
    }
    daemon.loop.schedule(after: Self.pauseBetween) { [weak self] in self?.seek() }
  }

  /// Keeps the next attempt from starting until the retry delay has passed. A later failure restarts the
  /// delay.
  private func retryLater(_ device: String) {
    let number = attempt
    links[device]?.failedAttempt = number
    daemon.loop.schedule(after: Self.unheardRetry) { [weak self] in
      guard let self, links[device]?.failedAttempt == number else { return }
      links[device]?.failedAttempt = nil
      seek()
    }
  }

  private func connectionChanged(_ device: String, _ isThere: Bool) {
    guard isThere != isConnected(device) else { return }
    guard isThere else { return lost(device) }
    links[device, default: Link()].isConnected = true
    links[device]?.isSought = false
    onEvent?(.connected(device: device))
    if daemon.tree.property("ServicesResolved", of: device, BlueZName.device)?.boolValue == true {
      servicesResolved(device)
    }
    seek()
  }

  /// Forgets a lost connection. The pending work fails as it runs, because the device is no longer connected.
  private func lost(_ device: String) {
    guard let link = links.removeValue(forKey: device), link.isConnected else { return }
    onEvent?(.disconnected(device: device))
    for work in link.waitingForServices { work() }
    for work in link.operations { work() }
  }

  private func reportLater(_ event: Event) {
    daemon.loop.schedule(after: .zero) { [weak self] in self?.onEvent?(event) }
  }

  // MARK: Changes from the daemon

  func began(on adapter: String, isNew: Bool) {
    self.adapter = adapter
    for device in daemon.tree.paths(with: BlueZName.device, under: adapter + "/") {
      if property("Connected", of: device)?.boolValue == true { connectionChanged(device, true) }
    }
    for device in links.keys { links[device]?.failedAttempt = nil }
    seek()
  }

  func ended() {
    adapter = nil
    for device in connected { lost(device) }
  }

  func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal) {
    switch change {
    case .added(let path, BlueZName.device):
      heard(path)
      if property("Connected", of: path)?.boolValue == true { connectionChanged(path, true) }
    case .changed(let path, BlueZName.device, let names):
      if names.contains("RSSI"), property("RSSI", of: path) != nil { heard(path) }
      if names.contains("Connected") {
        connectionChanged(path, property("Connected", of: path)?.boolValue == true)
      }
      if names.contains("ServicesResolved"), property("ServicesResolved", of: path)?.boolValue == true {
        servicesResolved(path)
      }
      if names.contains("Name"), links[path] != nil { onEvent?(.nameChanged(device: path)) }
    case .removed(let path, BlueZName.device): connectionChanged(path, false)
    case .added(let path, BlueZName.gattService), .removed(let path, BlueZName.gattService):
      serviceChanged(path)
    case .changed(let path, BlueZName.characteristic, let names) where names.contains("Value"):
      if let value = daemon.tree.property("Value", of: path, BlueZName.characteristic)?.bytesValue {
        valueChanged(path, value)
      }
    case .added, .changed, .removed: break
    }
  }

  private func heard(_ device: String) {
    guard let link = links[device], link.isSought, connecting != device else { return }
    links[device]?.failedAttempt = nil
    seek()
  }

  private func servicesResolved(_ device: String) {
    let waiting = links[device]?.waitingForServices ?? []
    links[device]?.waitingForServices = []
    for work in waiting { work() }
  }

  /// Reports changed services of a device whose table was read.
  private func serviceChanged(_ path: String) {
    guard let device = Self.device(of: path), let id = GATTTable.id(of: path),
      links[device]?.isConnected == true, links[device]?.isDiscovered == true
    else { return }
    let isFirst = links[device]?.changedServices.isEmpty == true
    links[device]?.changedServices.insert(id)
    guard isFirst else { return }
    // Changes arrive one by one; collect them.
    daemon.loop.schedule(after: Self.pauseBetween) { [weak self] in
      guard let self, let changed = links[device]?.changedServices, !changed.isEmpty else { return }
      links[device]?.changedServices = []
      onEvent?(.servicesChanged(device: device, changed.sorted()))
    }
  }

  /// Reports a notification, or holds it back while the same attribute is being read.
  private func valueChanged(_ path: String, _ value: [UInt8]) {
    guard let device = Self.device(of: path), let id = GATTTable.id(of: path), let link = links[device],
      link.notifying.contains(id)
    else { return }
    guard link.reading != id else {
      links[device]?.held.append(value)
      return
    }
    onEvent?(.notified(device: device, id, value))
  }

  /// The path `/org/bluez/hci0/dev_…` that an attribute's path starts with.
  private static func device(of path: String) -> String? {
    let parts = path.split(separator: "/")
    return parts.count > 4 ? "/" + parts.prefix(4).joined(separator: "/") : nil
  }
}
