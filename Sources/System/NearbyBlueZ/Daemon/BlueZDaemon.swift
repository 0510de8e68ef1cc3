import Glibc
import NearbyEventLoop

/// The connection to bluetoothd: connects to the bus, finds the daemon on it, mirrors the daemon's objects,
/// and starts over whenever either goes away.
///
/// `reach` is the state of the connection:
///
///     connecting     at first
///     noBus          no connection to the bus, or it was lost; retried
///     notPermitted   the bus or its policy rejects this user; retried
///     noDaemon       no process owns `org.bluez`, and the bus will report when one does; or the owner
///                    could not list its objects; retried
///     running        the reply to GetManagedObjects has arrived, and `tree` follows the daemon's signals
///
/// Retries follow `pace`, which starts over once the daemon is running. Outside of `running`, `tree` is empty
/// and calls fail with `.closed`.
///
/// Signals and calls are accepted only if the bus confirms that they come from the owner of the daemon's
/// name, because anyone on a system bus may send them.
///
/// `@unchecked Sendable`: used on the loop's thread only.
package final class BlueZDaemon: @unchecked Sendable {
  /// The state of the connection.
  package enum Reach: Equatable, Sendable {
    case connecting
    /// There is no bus to connect to.
    case noBus
    /// The bus, or its policy for the daemon, rejects this user.
    case notPermitted
    case noDaemon
    /// The daemon is running and its objects are known.
    case running
  }

  /// The delays between attempts to connect.
  package struct Pace: Sendable {
    /// Delay after the first failure, doubled after each further one.
    package var first = Duration.seconds(1)
    package var longest = Duration.seconds(30)
    package init() {}
  }

  package let loop: EventLoop
  private let address: String
  private let pace: Pace
  private var connection: BusConnection?
  private var delay: Duration
  /// The unique name of the owner of `org.bluez`.
  private var owner: String?
  private var exports = BusExports()

  package private(set) var reach = Reach.connecting
  package private(set) var tree = BlueZTree()
  package var onReach: ((Reach) -> Void)?
  /// Called for each change the daemon signals, after `tree` was updated.
  package var onChange: ((BlueZTree.Change, BusSignal) -> Void)?

  package init(address: String, pace: Pace = Pace(), on loop: EventLoop) {
    self.address = address
    self.pace = pace
    self.loop = loop
    delay = pace.first
  }

  // MARK: Connecting

  package func start() {
    assert(loop.isCurrent)
    do throws(BusError) {
      let connection = try BusConnection(address: address, on: loop)
      self.connection = connection
      connection.onSignal = { [weak self] in self?.received($0) }
      connection.onCall = { [weak self] in self?.received($0, $1) }
      connection.onClose = { [weak self] in
        self?.connection = nil
        self?.failed(.noBus)
      }
      listen(connection)
    } catch .system(_, let number) where number == EACCES || number == EPERM {
      failed(.notPermitted)
    } catch {
      failed(.noBus)
    }
  }

  /// Disconnects permanently.
  package func stop() {
    connection?.onClose = nil
    connection?.close()
    connection = nil
    (onReach, onChange) = (nil, nil)
  }

  /// Drops the daemon's state and tries again after the current delay.
  private func failed(_ reach: Reach) {
    owner = nil
    set(reach)
    loop.schedule(after: delay) { [weak self] in
      guard let self, onReach != nil else { return }
      if connection == nil { start() } else { findOwner() }
    }
    delay = min(delay * 2, pace.longest)
  }

  /// Subscribes to changes of the owner of `org.bluez` and to the daemon's signals, then looks for the owner.
  private func listen(_ connection: BusConnection) {
    let rules = [
      "type='signal',sender='\(BlueZName.bus)',interface='\(BlueZName.bus)',member='NameOwnerChanged',"
        + "arg0='\(BlueZName.service)'",
      "type='signal',sender='\(BlueZName.service)'",
    ]
    for rule in rules { callBus("AddMatch", [.string(rule)]) { _ in } }
    findOwner()
  }

  private func findOwner() {
    callBus("GetNameOwner", [.string(BlueZName.service)]) { [weak self] result in
      switch result {
      case .success(let body):
        if let owner = body.first?.stringValue { self?.load(owner) }
      case .failure(.closed): break
      case .failure(let error) where error.name == BlueZName.accessDenied: self?.failed(.notPermitted)
      // The daemon is not running; NameOwnerChanged will report its start.
      case .failure: self?.ownerChanged(to: "")
      }
    }
  }

  private func ownerChanged(to name: String) {
    guard name.isEmpty else { return load(name) }
    owner = nil
    set(.noDaemon)
  }

  /// Reads all objects of the daemon with this unique name.
  private func load(_ name: String) {
    guard owner != name else { return }
    if owner != nil { set(.noDaemon) }
    owner = name
    // Signals that arrive before the reply can be ignored, because the reply includes them.
    let request = BusRequest(to: name, "/", BlueZName.objectManager, "GetManagedObjects")
    connection?.call(request) { [weak self] result in
      guard let self, owner == name else { return }
      switch result {
      case .success(let body):
        guard let tree = BlueZTree(managed: body.first) else { return failed(.noDaemon) }
        self.tree = tree
        delay = pace.first
        set(.running)
      case .failure(.closed): break
      case .failure(let error): failed(error.name == BlueZName.accessDenied ? .notPermitted : .noDaemon)
      }
    }
  }

  private func set(_ reach: Reach) {
    if reach != .running { tree = BlueZTree() }
    guard self.reach != reach else { return }
    self.reach = reach
    onReach?(reach)
  }

  // MARK: Exchanging messages

  private func callBus(
    _ member: String, _ body: [BusValue], _ completion: @escaping (Result<[BusValue], BusError>) -> Void
  ) {
    let request = BusRequest(to: BlueZName.bus, BlueZName.busPath, BlueZName.bus, member, body)
    connection?.call(request, completion)
  }

  /// Calls a method of the daemon; fails with `.closed` if it is not running. `completion` is called once,
  /// later.
  package func call(
    _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
    limit: Duration = .seconds(25), _ completion: @escaping (Result<[BusValue], BusError>) -> Void = { _ in }
  ) {
    assert(loop.isCurrent)
    guard let owner, let connection, reach == .running else {
      loop.schedule(after: .zero) { completion(.failure(.closed)) }
      return
    }
    connection.call(BusRequest(to: owner, path, interface, member, body, limit: limit), completion)
  }

  package func set(
    _ name: String, of path: String, _ interface: String, to value: BusValue,
    _ completion: @escaping (Result<[BusValue], BusError>) -> Void = { _ in }
  ) {
    call(path, BlueZName.properties, "Set", [.string(interface), .string(name), .variant(value)], completion)
  }

  package func export(_ export: BusExport, at path: String) { exports[path] = export }
  package func removeExports(under root: String) { exports.removeAll(under: root) }

  /// Signals the change of a property of one of our objects.
  package func emitChange(_ name: String, to value: BusValue, of path: String, _ interface: String) {
    connection?.emit(
      path, BlueZName.properties, "PropertiesChanged",
      [.string(interface), .options([(name, value)]), .strings([])])
  }

  /// Handles a change of the daemon's owner, or applies a signal of the daemon to the tree.
  private func received(_ signal: BusSignal) {
    if signal.sender == BlueZName.bus {
      guard signal.member == "NameOwnerChanged", signal.body.count == 3,
        signal.body[0].stringValue == BlueZName.service, let name = signal.body[2].stringValue
      else { return }
      return ownerChanged(to: name)
    }
    guard signal.sender == owner, reach == .running else { return }
    for change in tree.apply(signal) { onChange?(change, signal) }
  }

  private func received(_ call: BusCall, _ answer: BusConnection.Answer) {
    guard call.sender == owner else { return answer.refuse(BlueZName.accessDenied) }
    exports.answer(call, answer)
  }
}
