import NearbyBluetooth
import NearbyEventLoop

/// Scans for advertisements.
///
/// Normally it runs discovery with a filter, plus an advertisement monitor. With a monitor registered, the
/// kernel scans with the controller's duplicate filter off, so that the signal strength of every
/// advertisement is reported instead of one in ten seconds. If the daemon's experimental interfaces are
/// disabled, there is no monitor, and discovery runs alone.
///
/// In passive mode, with the capability to open a raw socket, there is only a monitor: the kernel scans
/// without sending scan requests, and each report is read from the socket. Discovery still runs while a
/// connection is wanted.
package final class BlueZScanner: RadioPart {
  /// An advertisement that was received.
  package struct DeviceSighting: Sendable {
    /// Path of the advertiser's object.
    package var device: String
    package var advertisement: Advertisement
    /// Signal strength, in dBm.
    package var rssi: Int
    package var time: ContinuousClock.Instant
  }

  /// What scanning is for.
  package enum Purpose: Hashable, Sendable {
    case sightings
    /// Finding devices to connect to.
    case connections
  }

  /// The registration of the advertisement monitor. Discovery waits while it is in progress, because the
  /// kernel chooses its scan parameters when discovery starts.
  private enum Monitor {
    case none
    case registering
    case active
    case refused
  }

  private static let root = "/nearby/monitors"
  /// Data type 0xFF, Apple's company identifier, type and length of an iBeacon: selective, because each match
  /// costs a call.
  private static let pattern: BusValue = .structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0, 0x02, 0x15])])
  /// Delay before discovery is started again after a failure.
  private static let retry = Duration.seconds(2)
  /// How long the daemon may take to activate the monitor, before discovery runs without it.
  private static let monitorPatience = Duration.seconds(3)
  /// The valid range, in dBm.
  private static let strengths = -126...20

  private let daemon: BlueZDaemon
  private var adapter: String?
  private var wants: Set<Purpose> = []
  /// Number of connections being made, during which scanning pauses.
  private var pauses = 0
  private var isStarted = false
  private var isDiscovering = false
  private var monitor = Monitor.none
  /// Identifies the latest registration of the monitor, so that results of an earlier one are ignored.
  private var registration = 0
  private let isPassive: Bool
  /// The source of reports while scanning passively.
  private var socket: HCISocket?
  /// Identifies the current run of discovery, so that replies to an earlier one are ignored.
  private var run = 0

  package var onSighting: ((DeviceSighting) -> Void)?

  init(_ daemon: BlueZDaemon, isPassive: Bool) {
    self.daemon = daemon
    self.isPassive = isPassive
  }

  /// Declares or withdraws a reason for scanning; the scanner runs while there is any.
  package func want(_ purpose: Purpose, _ isWanted: Bool) {
    if isWanted { wants.insert(purpose) } else { wants.remove(purpose) }
    updateScan()
  }

  func pause() {
    pauses += 1
    updateScan()
  }

  func resume() {
    pauses = max(0, pauses - 1)
    updateScan()
  }

  func began(on adapter: String, isNew: Bool) {
    self.adapter = adapter
    if isNew { monitor = .none }
    updateScan()
  }

  func ended() {
    adapter = nil
    isStarted = false
    isDiscovering = false
    run += 1
    listen(to: nil)
  }

  /// Starts or stops the socket, the monitor and discovery, to match what is wanted now.
  private func updateScan() {
    guard let adapter else { return }
    isStarted = !wants.isEmpty && pauses == 0
    listen(to: isStarted && isPassive ? adapter : nil)
    if isStarted, monitor == .none { register(adapter) }
    let isHeardOtherwise = socket != nil && monitor == .active && !wants.contains(.connections)
    let isToDiscover = isStarted && monitor != .registering && !isHeardOtherwise
    if isToDiscover != isDiscovering {
      isDiscovering = isToDiscover
      run += 1
      if isToDiscover {
        discover(adapter, run)
      } else {
        daemon.call(adapter, BlueZName.adapter, "StopDiscovery")
      }
    }
    if wants.isEmpty, monitor != .none {
      monitor = .none
      daemon.call(adapter, BlueZName.monitorManager, "UnregisterMonitor", [.path(Self.root)])
      daemon.removeExports(under: Self.root)
    }
  }

  /// Opens the socket for an adapter, or closes it. Without permission for the socket, discovery is used.
  private func listen(to adapter: String?) {
    if let adapter {
      guard socket == nil else { return }
      socket = HCISocket(adapter: adapter, on: daemon.loop) { [weak self] in self?.hear($0) }
    } else {
      socket?.close()
      socket = nil
    }
  }

  /// Registers the monitor. The daemon activates or releases it later.
  private func register(_ adapter: String) {
    guard daemon.tree[adapter, BlueZName.monitorManager] != nil else { return monitor = .refused }
    monitor = .registering
    registration += 1
    let number = registration
    let patterns = BusValue.array(of: "(yyay)", [Self.pattern])
    daemon.export(
      BusExport(BlueZName.monitor, [("Type", .string("or_patterns")), ("Patterns", patterns)]) {
        [weak self] member, _, answer in
        answer.give()
        // DeviceFound is ignored: matching devices are also reported by discovery or the socket.
        if member == "Activate" { self?.monitorSettled(.active, number) }
        if member == "Release" { self?.monitorSettled(.refused, number) }
      }, at: Self.root + "/beacons")
    daemon.call(adapter, BlueZName.monitorManager, "RegisterMonitor", [.path(Self.root)]) {
      [weak self] result in
      if case .failure = result { self?.monitorSettled(.refused, number) }
    }
    daemon.loop.schedule(after: Self.monitorPatience) { [weak self] in
      self?.monitorSettled(.refused, number)
    }
  }

  private func monitorSettled(_ outcome: Monitor, _ number: Int) {
    guard monitor == .registering, registration == number else { return }
    monitor = outcome
    updateScan()
  }

  private func discover(_ adapter: String, _ run: Int) {
    let filter = BusValue.options(["Transport": .string("le"), "DuplicateData": .bool(true)])
    daemon.call(adapter, BlueZName.adapter, "SetDiscoveryFilter", [filter])
    daemon.call(adapter, BlueZName.adapter, "StartDiscovery") { [weak self] result in
      guard let self, self.run == run, case .failure(let error) = result, error.name != BlueZError.inProgress
      else { return }
      daemon.loop.schedule(after: Self.retry) { [weak self] in
        guard let self, self.run == run else { return }
        discover(adapter, run)
      }
    }
  }

  func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal) {
    switch change {
    case .added(let path, BlueZName.device):
      if let told = daemon.tree[path, BlueZName.device] { see(path, told, told) }
    case .changed(let path, BlueZName.device, let names) where names.contains("RSSI"):
      if let told = signal.body.dropFirst().first, let known = daemon.tree[path, BlueZName.device] {
        var news: BlueZTree.Properties = [:]
        for entry in told.entries ?? [] {
          if let name = entry.key.stringValue { news[name] = entry.value.unwrapped }
        }
        see(path, news, known)
      }
    case .added, .changed, .removed: break
    }
  }

  /// - Parameters:
  ///   - path: Path of the device's object.
  ///   - news: Properties in the signal, which are the data of this advertisement.
  ///   - known: All properties of the device, including its name and services, which are signalled only once.
  private func see(_ path: String, _ news: BlueZTree.Properties, _ known: BlueZTree.Properties) {
    // Advertisements that the socket delivers must not be reported twice.
    guard socket == nil || Self.isBehindAnother(known), let rssi = news["RSSI"]?.int16Value.map(Int.init)
    else {
      return
    }
    reportSighting(path, Advertisement(told: news, known: known), rssi)
  }

  /// Whether a device advertises under other addresses than its object's, so that only the daemon can
  /// identify it.
  private static func isBehindAnother(_ known: BlueZTree.Properties) -> Bool {
    if known["Paired"]?.boolValue == true { return true }
    let first = known["Address"]?.stringValue.flatMap { UInt8($0.prefix(2), radix: 16) } ?? 0
    return known["AddressType"]?.stringValue == "random" && first >> 6 == 1
  }

  private func hear(_ report: AdvertisingReport) {
    guard !report.isResolvable, !report.isScanResponse, let adapter else { return }
    let path = adapter + "/dev_" + String(report.address.map { $0 == ":" ? "_" : $0 })
    guard daemon.tree.property("Paired", of: path, BlueZName.device)?.boolValue != true else { return }
    reportSighting(
      path, Advertisement(payload: report.payload.span, isConnectable: report.isConnectable), report.rssi)
  }

  private func reportSighting(_ path: String, _ advertisement: Advertisement, _ rssi: Int) {
    guard isStarted, path.hasPrefix((adapter ?? "/") + "/"), rssi != 0, Self.strengths.contains(rssi) else {
      return
    }
    onSighting?(DeviceSighting(device: path, advertisement: advertisement, rssi: rssi, time: .now))
  }
}
