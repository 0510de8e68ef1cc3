import NearbyBluetooth

/// Sends advertisements, as many as the adapter supports, each identified by a number.
///
/// A controller stops a connectable advertisement when a central connects, and the kernel restarts it only
/// after that central has disconnected. It is therefore registered again at once; otherwise one guest would
/// hide the host from all others.
package final class BlueZAdvertiser: RadioPart {
  private static let root = "/nearby/advertisements"
  /// The default, as used by beacons and phones. The daemon's own default is 1.28 s.
  private static let interval = Duration.milliseconds(100)

  private struct Sending {
    var properties: [(String, BusValue)]
    var isConnectable: Bool
    /// Path of the exported object; a new one for each registration, because the daemon reads an object only
    /// once.
    var path: String?
    var completion: ((BusError?) -> Void)?
  }

  private let daemon: BlueZDaemon
  private var adapter: String?
  private var sendings: [Int: Sending] = [:]
  private var lastPath = 0

  init(_ daemon: BlueZDaemon) { self.daemon = daemon }

  /// Starts sending an advertisement, replacing any previous one with the same number.
  ///
  /// - Parameters:
  ///   - advertisement: What to send.
  ///   - interval: The advertising interval; `nil` means 100 ms. bluetoothd before 5.77 honours it only if
  ///     started with `-E`.
  ///   - number: Identifies the advertisement.
  ///   - completion: Called once, when the advertisement is on the air or has failed.
  package func send(
    _ advertisement: Advertisement, interval: Duration?, as number: Int,
    _ completion: @escaping (BusError?) -> Void
  ) {
    stop(number)
    let properties = advertisement.properties(interval: interval ?? Self.interval)
    sendings[number] = Sending(
      properties: properties, isConnectable: advertisement.isConnectable, completion: completion)
    register(number)
  }

  package func stop(_ number: Int) {
    guard let sending = sendings.removeValue(forKey: number) else { return }
    withdraw(sending)
  }

  func began(on adapter: String, isNew: Bool) {
    self.adapter = adapter
    for number in sendings.keys.sorted() { registerAgain(number) }
  }

  func ended() { adapter = nil }

  func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal) {
    switch change {
    case .changed(_, BlueZName.device, let names) where names.contains("Connected"): break
    case .added(let path, BlueZName.device)
    where daemon.tree.property("Connected", of: path, BlueZName.device)?.boolValue == true:
      break
    case .added, .changed, .removed: return
    }
    for number in sendings.keys.sorted() where sendings[number]?.isConnectable == true {
      registerAgain(number)
    }
  }

  /// Registers an advertisement again, under a new path.
  private func registerAgain(_ number: Int) {
    if let sending = sendings[number] { withdraw(sending) }
    sendings[number]?.path = nil
    register(number)
  }

  private func withdraw(_ sending: Sending) {
    guard let path = sending.path else { return }
    daemon.removeExports(under: path)
    guard let adapter else { return }
    daemon.call(adapter, BlueZName.advertisingManager, "UnregisterAdvertisement", [.path(path)])
  }

  private func register(_ number: Int) {
    guard let adapter, let sending = sendings[number] else { return }
    lastPath += 1
    let path = Self.root + "/\(lastPath)"
    sendings[number]?.path = path
    daemon.export(
      BusExport(BlueZName.advertisement, sending.properties) { [weak self] member, _, answer in
        answer.give()
        // The daemon dropped the advertisement on its own.
        if member == "Release" { self?.daemon.removeExports(under: path) }
      }, at: path)
    daemon.call(
      adapter, BlueZName.advertisingManager, "RegisterAdvertisement", [.path(path), .options()]
    ) { [weak self] result in
      guard let self, sendings[number]?.path == path else { return }
      let completion = sendings[number]?.completion
      sendings[number]?.completion = nil
      switch result {
      case .success: completion?(nil)
      // Keep the completion: registration is retried with the next adapter or daemon.
      case .failure(.closed): sendings[number]?.completion = completion
      case .failure(let error):
        daemon.removeExports(under: path)
        sendings[number]?.path = nil
        completion?(error)
      }
    }
  }
}
