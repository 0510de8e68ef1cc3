import NearbyBluetooth
import NearbyEventLoop

/// The Bluetooth radio of this machine: one BlueZ adapter, or the reason why none can be used.
///
/// What its parts were asked to do is remembered, and done again with the next adapter or daemon.
///
/// `@unchecked Sendable`: used on the loop's thread only.
package final class BlueZRadio: @unchecked Sendable {
  package struct Settings: Sendable {
    /// In the format of `DBUS_SYSTEM_BUS_ADDRESS`.
    package var busAddress = BlueZRadio.systemBus
    /// `hci0` and so on; `nil` selects the first adapter that is switched on.
    package var adapter: String?
    /// Scan passively, if `CAP_NET_RAW` allows reading the reports.
    package var isPassive = false
    package var pace = BlueZDaemon.Pace()
    package init() {}
  }

  package static let systemBus = "unix:path=/run/dbus/system_bus_socket"

  package let loop: EventLoop
  let daemon: BlueZDaemon
  private let adapterName: String?
  package let scanner: BlueZScanner
  package let advertiser: BlueZAdvertiser
  package let central: BlueZCentral
  package let server: BlueZServer
  let agent: BlueZAgent
  private let parts: [any RadioPart]

  package private(set) var state = RadioState.unknown
  /// Path of the adapter in use.
  private var adapter: String?
  /// The adapter used last; `nil` once it was removed or the daemon restarted.
  private var lastAdapter: String?
  package var onState: ((RadioState) -> Void)?

  package init(_ settings: Settings, on loop: EventLoop) {
    self.loop = loop
    adapterName = settings.adapter
    daemon = BlueZDaemon(address: settings.busAddress, pace: settings.pace, on: loop)
    scanner = BlueZScanner(daemon, isPassive: settings.isPassive)
    advertiser = BlueZAdvertiser(daemon)
    agent = BlueZAgent(daemon)
    central = BlueZCentral(daemon, scanner: scanner)
    server = BlueZServer(daemon, agent: agent)
    agent.isAsking = { [weak central] in central?.isAsking($0) == true }
    // The server precedes the central, so that unsubscriptions are reported before disconnections.
    parts = [agent, scanner, advertiser, server, central]
  }

  package func start() {
    daemon.onReach = { [weak self] _ in
      self?.lastAdapter = nil
      self?.selectAdapter()
    }
    daemon.onChange = { [weak self] change, signal in self?.treeChanged(change, signal) }
    daemon.start()
  }

  package func stop() {
    for part in parts where adapter != nil { part.ended() }
    adapter = nil
    onState = nil
    daemon.stop()
  }

  private func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal) {
    switch change {
    case .added(_, BlueZName.adapter): selectAdapter()
    case .removed(let path, BlueZName.adapter):
      if lastAdapter == path { lastAdapter = nil }
      selectAdapter()
    case .changed(_, BlueZName.adapter, let names) where names.contains("Powered"): selectAdapter()
    case .added, .removed, .changed: break
    }
    if adapter != nil { for part in parts { part.treeChanged(change, signal) } }
  }

  /// Selects the adapter to use and updates the state.
  private func selectAdapter() {
    let adapters = daemon.tree.paths(with: BlueZName.adapter).filter { path in
      adapterName.map { path.hasSuffix("/" + $0) } ?? true
    }
    let isOn = { [tree = daemon.tree] (path: String) in
      tree.property("Powered", of: path, BlueZName.adapter)?.boolValue == true
    }
    let wanted =
      adapter.flatMap { adapters.contains($0) && isOn($0) ? $0 : nil } ?? adapters.first(where: isOn)
    // A restarted daemon has forgotten our registrations, even if its adapter has the same path.
    if adapter != wanted || (wanted != nil && lastAdapter == nil) { use(wanted) }
    let now: RadioState = wanted != nil ? .on : adapters.isEmpty ? RadioState(daemon.reach) : .off
    guard now != state else { return }
    state = now
    onState?(now)
  }

  /// Detaches all parts from the adapter in use and attaches them to another one, or to none.
  private func use(_ wanted: String?) {
    if adapter != nil { for part in parts { part.ended() } }
    adapter = wanted
    guard let wanted else { return }
    let isNew = lastAdapter != wanted
    lastAdapter = wanted
    for part in parts { part.began(on: wanted, isNew: isNew) }
  }
}
