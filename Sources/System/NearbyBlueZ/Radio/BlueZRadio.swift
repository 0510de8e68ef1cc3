import NearbyBluetooth
import NearbyEventLoop

/// One adapter of BlueZ's, or what there is instead of one: everything that the rest of the program does by
/// Bluetooth on this machine.
///
/// What is asked of its parts is kept, and done again with the next adapter or daemon.
///
/// `@unchecked Sendable`: touched on the loop's thread only.
package final class BlueZRadio: @unchecked Sendable {
  package struct Settings: Sendable {
    /// As in `DBUS_SYSTEM_BUS_ADDRESS`.
    package var busAddress = BlueZRadio.systemBus
    /// `hci0` and so on; `nil` takes the first that is on, or else the first.
    package var adapter: String?
    /// Scans without asking anybody anything, where `CAP_NET_RAW` allows to read the reports.
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
  /// Path of the adapter that the parts work with.
  private var adapter: String?
  /// The adapter that was last worked with, while it has been there all the time.
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
    // Who had subscribed is told before who is gone.
    parts = [agent, scanner, advertiser, server, central]
  }

  package func start() {
    daemon.onReach = { [weak self] _ in
      self?.lastAdapter = nil
      self?.look()
    }
    daemon.onChange = { [weak self] change, signal in self?.followed(change, signal) }
    daemon.start()
  }

  package func stop() {
    for part in parts where adapter != nil { part.ended() }
    adapter = nil
    onState = nil
    daemon.stop()
  }

  private func followed(_ change: BlueZTree.Change, _ signal: BusSignal) {
    switch change {
    case .added(_, BlueZName.adapter): look()
    case .removed(let path, BlueZName.adapter):
      if lastAdapter == path { lastAdapter = nil }
      look()
    case .changed(_, BlueZName.adapter, let names) where names.contains("Powered"): look()
    case .added, .removed, .changed: break
    }
    if adapter != nil { for part in parts { part.followed(change, signal) } }
  }

  /// Which adapter is to be used now.
  private func look() {
    let adapters = daemon.tree.paths(with: BlueZName.adapter).filter { path in
      adapterName.map { path.hasSuffix("/" + $0) } ?? true
    }
    let isOn = { [tree = daemon.tree] (path: String) in
      tree.property("Powered", of: path, BlueZName.adapter)?.boolValue == true
    }
    let wanted =
      adapter.flatMap { adapters.contains($0) && isOn($0) ? $0 : nil } ?? adapters.first(where: isOn)
    // A daemon that is there anew has nothing of ours, though its adapter's path is the same.
    if adapter != wanted || (wanted != nil && lastAdapter == nil) { use(wanted) }
    let now: RadioState = wanted != nil ? .on : adapters.isEmpty ? RadioState(daemon.reach) : .off
    guard now != state else { return }
    state = now
    onState?(now)
  }

  private func use(_ wanted: String?) {
    if adapter != nil { for part in parts { part.ended() } }
    adapter = wanted
    guard let wanted else { return }
    let isNew = lastAdapter != wanted
    lastAdapter = wanted
    for part in parts { part.began(on: wanted, isNew: isNew) }
  }
}
