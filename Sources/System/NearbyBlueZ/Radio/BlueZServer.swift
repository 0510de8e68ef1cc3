import NearbyBluetooth
import NearbyEventLoop

/// Serves attributes to connected centrals.
///
/// Each service is registered as a separate application, so that it can come and go independently. The
/// characteristics offer `AcquireNotify` but always reject it: the daemon calls it for each subscribing
/// central, and no other call identifies that central.
package final class BlueZServer: RadioPart {
  /// Identifies a user's service or attribute.
  package struct Key: Hashable, Sendable {
    package var user: Int
    package var id: AttributeID
    package init(user: Int, id: AttributeID) {
      self.user = user
      self.id = id
    }
  }

  package enum Request: Equatable, Sendable {
    case read(offset: Int)
    case write(offset: Int, value: [UInt8])
  }

  package enum Event {
    case subscribed(device: String, Key, mtu: Int)
    case unsubscribed(device: String, Key)
    /// Answer it with `respond`.
    case requested(Int, device: String, Key, Request)
    /// The request was answered with an error because the deadline passed.
    case expired(Int)
  }

  private struct Served {
    var service: GATTService
    /// Root path of the exported objects, while the daemon has them.
    var root: String?
    var completion: ((BusError?) -> Void)?
  }

  /// Less than the 30 s after which a client drops the whole connection.
  private static let answerLimit = Duration.seconds(20)
  /// Maximum number of values that the daemon has not processed yet.
  private static let window = 8

  private let daemon: BlueZDaemon
  private let agent: BlueZAgent
  private var adapter: String?
  private var served: [Key: Served] = [:]
  private var subscribers: [Key: Set<String>] = [:]
  private var answers: [Int: BusConnection.Answer] = [:]
  private var lastRoot = 0
  private var lastRequest = 0
  private var outgoing: [(key: Key, value: [UInt8], taken: () -> Void)] = []
  private var underway = 0

  private var refusingUsers: Set<Int> = []
  package var onEvent: ((Event) -> Void)?

  init(_ daemon: BlueZDaemon, agent: BlueZAgent) {
    self.daemon = daemon
    self.agent = agent
  }

  // MARK: Services

  /// - Parameter completion: Called once, when the daemon serves or has rejected the service.
  package func add(_ service: GATTService, of user: Int, _ completion: @escaping (BusError?) -> Void) {
    let key = Key(user: user, id: service.id)
    remove(key)
    served[key] = Served(service: service, completion: completion)
    agent.setTakesPairing(needsPairing)
    register(key)
  }

  package func remove(_ key: Key) {
    guard let gone = served.removeValue(forKey: key) else { return }
    withdraw(gone)
    for characteristic in gone.service.characteristics {
      subscribers[Key(user: key.user, id: characteristic.id)] = nil
    }
    agent.setTakesPairing(needsPairing)
  }

  package func removeAll(of user: Int) {
    for key in served.keys.sorted(by: { $0.id < $1.id }) where key.user == user { remove(key) }
  }

  /// Allows or forbids new pairings; a single user who forbids them is enough.
  package func setAcceptsPairing(_ accepts: Bool, of user: Int) {
    if accepts { refusingUsers.remove(user) } else { refusingUsers.insert(user) }
    agent.setRefusesPairing(!refusingUsers.isEmpty)
  }

  private var needsPairing: Bool {
    let encrypted: AttributePermissions = [.readEncryptionRequired, .writeEncryptionRequired]
    return served.values.contains { served in
      served.service.characteristics.contains { characteristic in
        !characteristic.permissions.isDisjoint(with: encrypted)
          || !characteristic.properties.isDisjoint(with: [
            .notifyEncryptionRequired, .indicateEncryptionRequired,
          ])
      }
    }
  }

  func began(on adapter: String, isNew: Bool) {
    self.adapter = adapter
    guard isNew else { return }
    for key in served.keys.sorted(by: { ($0.user, $0.id) < ($1.user, $1.id) }) {
      if let root = served[key]?.root { daemon.removeExports(under: root) }
      served[key]?.root = nil
      register(key)
    }
  }

  func ended() {
    adapter = nil
    for device in Set(subscribers.values.flatMap(\.self)).sorted() { gone(device) }
    let late = answers.keys.sorted()
    answers = [:]
    for number in late { onEvent?(.expired(number)) }
  }

  func treeChanged(_ change: BlueZTree.Change, _ signal: BusSignal) {
    switch change {
    case .changed(let path, BlueZName.device, let names) where names.contains("Connected"):
      if daemon.tree.property("Connected", of: path, BlueZName.device)?.boolValue != true { gone(path) }
    case .removed(let path, BlueZName.device): gone(path)
    case .added, .changed, .removed: break
    }
  }

  private func gone(_ device: String) {
    let keys = subscribers.filter { $0.value.contains(device) }.map(\.key)
    for key in keys.sorted(by: { ($0.user, $0.id) < ($1.user, $1.id) }) { unsubscribe(device, key) }
  }

  private func withdraw(_ gone: Served) {
    guard let root = gone.root else { return }
    daemon.removeExports(under: root)
    guard let adapter else { return }
    daemon.call(adapter, BlueZName.gattManager, "UnregisterApplication", [.path(root)])
  }

  /// Exports a service's objects under a new root and registers them with the daemon.
  private func register(_ key: Key) {
    guard let adapter, let service = served[key]?.service else { return }
    lastRoot += 1
    let root = "/nearby/services/\(lastRoot)"
    served[key]?.root = root
    export(service, of: key.user, at: root + "/service")
    daemon.call(
      adapter, BlueZName.gattManager, "RegisterApplication", [.path(root), .options()]
    ) { [weak self] result in
      guard let self, served[key]?.root == root else { return }
      let completion = served[key]?.completion
      served[key]?.completion = nil
      switch result {
      case .success: completion?(nil)
      // Keep the completion: registration is retried with the next adapter or daemon.
      case .failure(.closed): served[key]?.completion = completion
      case .failure(let error):
        daemon.removeExports(under: root)
        served[key] = nil
        completion?(error)
      }
    }
  }

  // MARK: Objects

  /// Exports a service with its characteristics and descriptors.
  private func export(_ service: GATTService, of user: Int, at path: String) {
    daemon.export(
      BusExport(
        BlueZName.gattService,
        [("UUID", .string(service.uuid.fullText)), ("Primary", .bool(service.isPrimary))]),
      at: path)
    for (index, characteristic) in service.characteristics.enumerated() {
      export(characteristic, of: user, at: path + "/char\(index)", in: path)
    }
  }

  private func export(
    _ characteristic: GATTCharacteristic, of user: Int, at path: String, in service: String
  ) {
    let key = Key(user: user, id: characteristic.id)
    let flags = characteristic.properties.flags(characteristic.permissions)
    var properties: [(String, BusValue)] = [
      ("UUID", .string(characteristic.uuid.fullText)), ("Service", .path(service)),
      ("Flags", .strings(flags)),
    ]
    if !Set(flags).isDisjoint(with: ["notify", "indicate"]) {
      properties.append(("NotifyAcquired", .bool(false)))
    }
    daemon.export(
      BusExport(BlueZName.characteristic, properties) { [weak self] member, body, answer in
        self?.received(member, body, answer, for: key, characteristic.value)
      }, at: path)
    for (index, descriptor) in characteristic.descriptors.enumerated() {
      daemon.export(
        BusExport(
          BlueZName.descriptor,
          [
            ("UUID", .string(descriptor.uuid.fullText)), ("Characteristic", .path(path)),
            ("Flags", .strings(["read"])),
          ]
        ) { member, body, answer in
          guard member == "ReadValue" else { return answer.refuse(BlueZError.notSupported) }
          Self.answer(answer, with: descriptor.value ?? [], body.first)
        }, at: path + "/desc\(index)")
    }
  }

  /// Handles a call to a characteristic. A constant value is read without asking the user.
  private func received(
    _ member: String, _ body: [BusValue], _ answer: BusConnection.Answer, for key: Key, _ value: [UInt8]?
  ) {
    let options = body.last
    let device = options?["device"]?.pathValue ?? ""
    let offset = Int(options?["offset"]?.uint16Value ?? 0)
    switch member {
    case "ReadValue":
      if let value { return Self.answer(answer, with: value, options) }
      request(.read(offset: offset), from: device, key, answer)
    case "WriteValue":
      guard body.count == 2, let octets = body[0].bytesValue else {
        return answer.refuse(BlueZError.invalidLength)
      }
      request(.write(offset: offset, value: octets), from: device, key, answer)
    case "AcquireNotify":
      answer.refuse(BlueZError.notSupported)
      subscribe(device, key, mtu: Int(options?["mtu"]?.uint16Value ?? 23))
    case "StartNotify", "Confirm": answer.give()
    case "StopNotify":
      answer.give()
      for device in (subscribers[key] ?? []).sorted() { unsubscribe(device, key) }
    case _: answer.refuse(BlueZError.notSupported)
    }
  }

  private static func answer(_ answer: BusConnection.Answer, with value: [UInt8], _ options: BusValue?) {
    let offset = Int(options?["offset"]?.uint16Value ?? 0)
    guard offset <= value.count else { return answer.refuse(BlueZError.invalidOffset) }
    answer.give([.bytes(Array(value[offset...]))])
  }

  private func subscribe(_ device: String, _ key: Key, mtu: Int) {
    guard !device.isEmpty, subscribers[key, default: []].insert(device).inserted else { return }
    onEvent?(.subscribed(device: device, key, mtu: mtu))
  }

  private func unsubscribe(_ device: String, _ key: Key) {
    guard subscribers[key]?.remove(device) != nil else { return }
    onEvent?(.unsubscribed(device: device, key))
  }

  // MARK: Requests

  /// Passes a request to the user; it expires if no answer arrives in time.
  private func request(_ request: Request, from device: String, _ key: Key, _ answer: BusConnection.Answer) {
    guard let onEvent, !device.isEmpty else { return answer.refuse(BlueZError.failed) }
    lastRequest += 1
    let number = lastRequest
    answers[number] = answer
    daemon.loop.schedule(after: Self.answerLimit) { [weak self] in
      guard let self, let answer = answers.removeValue(forKey: number) else { return }
      answer.refuse(BlueZError.failed)
      self.onEvent?(.expired(number))
    }
    onEvent(.requested(number, device: device, key, request))
  }

  /// - Parameter isRead: Whether the request is a read; the answer to a write carries no value.
  package func respond(_ number: Int, isRead: Bool, _ result: Result<[UInt8], ATTError>) {
    guard let answer = answers.removeValue(forKey: number) else { return }
    switch result {
    case .success(let value): answer.give(isRead ? [.bytes(value)] : [])
    case .failure(.readNotPermitted), .failure(.writeNotPermitted): answer.refuse(BlueZError.notPermitted)
    case .failure(.requestNotSupported): answer.refuse(BlueZError.notSupported)
    case .failure(.invalidOffset): answer.refuse(BlueZError.invalidOffset)
    case .failure(.insufficientAuthorization): answer.refuse(BlueZError.notAuthorized)
    case .failure(.invalidAttributeValueLength): answer.refuse(BlueZError.invalidLength)
    // The daemon forwards an application error given as text, and reports anything else as an unlikely error.
    case .failure(let error): answer.refuse(BlueZError.failed, "0x" + String(error.code, radix: 16))
    }
  }

  // MARK: Values

  /// Notifies all subscribers; the daemon cannot address a single one.
  ///
  /// - Parameter taken: Called once, when the daemon has processed the value, or immediately before sending
  ///   if there are no subscribers.
  package func update(_ key: Key, _ value: [UInt8], taken: @escaping () -> Void) {
    outgoing.append((key, value, taken))
    flush()
  }

  /// Sends queued values while the window has room.
  private func flush() {
    while underway < Self.window, !outgoing.isEmpty {
      let (key, value, taken) = outgoing.removeFirst()
      guard let path = path(of: key), subscribers[key]?.isEmpty == false else {
        taken()
        continue
      }
      underway += 1
      daemon.emitChange("Value", to: .bytes(value), of: path, BlueZName.characteristic)
      // The daemon answers this after processing the value, which limits the number of values in flight.
      let question: [BusValue] = [.string(BlueZName.adapter), .string("Address")]
      daemon.call(adapter ?? "/", BlueZName.properties, "Get", question) { [weak self] _ in
        taken()
        self?.underway -= 1
        self?.flush()
      }
    }
  }

  private func path(of key: Key) -> String? {
    for (owner, entry) in served where owner.user == key.user {
      guard let root = entry.root,
        let index = entry.service.characteristics.firstIndex(where: { $0.id == key.id })
      else { continue }
      return root + "/service/char\(index)"
    }
    return nil
  }
}
