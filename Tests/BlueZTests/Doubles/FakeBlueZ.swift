import Dispatch
import Foundation
import NearbyEventLoop

@testable import NearbyBlueZ

/// A simulated bluetoothd on a private bus, with the types of the real one. It has the objects that the test
/// adds, records calls, and behaves like the real one as far as its clients depend on it.
///
/// `@unchecked Sendable`: mutable state is touched only on its loop's thread.
final class FakeBlueZ: @unchecked Sendable {
  struct Call: Sendable {
    var path: String
    var interface: String
    var member: String
    var body: [BusValue]
  }
  typealias Handler = (BusCall, BusConnection.Answer) -> Void

  static let adapter = "/org/bluez/hci0"

  let calls = Inbox<Call>()
  /// The client's objects as read at each registration, with the member that registered them.
  let read = Inbox<(member: String, body: [BusValue])>()
  private let loop: EventLoop
  private var connection: BusConnection?
  private var objects: [String: [String: [(String, BusValue)]]] = [:]
  private var handlers: [String: Handler] = [:]
  /// Unique name of the last caller.
  private var client = ""

  /// - Parameters:
  ///   - bus: The bus to connect to.
  ///   - name: The name to own; with `nil` it is an unrelated program on the bus.
  ///   - hasAdapter: Whether it has an adapter that is on.
  init(on bus: PrivateBus, name: String? = "org.bluez", hasAdapter: Bool = true) throws {
    loop = try EventLoop(label: "fake bluez")
    if hasAdapter { addAdapter(Self.adapter, isOn: true, tells: false) }
    let opened = Inbox<BusError?>()
    loop.perform { [self] in
      do throws(BusError) {
        let connection = try BusConnection(address: bus.address, on: loop)
        self.connection = connection
        connection.onCall = { [weak self] in self?.received($0, $1) }
        guard let name else { return opened.put(nil) }
        connection.call(
          BusRequest(
            to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(name), .uint32(0)])
        ) { result in
          if case .failure(let error) = result { opened.put(error) } else { opened.put(nil) }
        }
      } catch {
        opened.put(error)
      }
    }
    if let error = try opened.next() { throw error }
  }

  deinit {
    let connection = connection
    loop.perform { connection?.close() }
    loop.stop()
  }

  /// Leaves the bus.
  func end() {
    loop.perform { [self] in connection?.close() }
  }

  // MARK: Called by the test

  /// Sets the handler of a member. It is in effect when the function returns.
  ///
  /// A handler that uses this object must capture it weakly, because this object retains its handlers.
  func on(_ member: String, _ handler: @escaping @Sendable (BusCall, BusConnection.Answer) -> Void) {
    guard !loop.isCurrent else { return handlers[member] = handler }
    let isSet = DispatchSemaphore(value: 0)
    loop.perform { [self] in
      handlers[member] = handler
      isSet.signal()
    }
    isSet.wait()
  }

  /// Answers a call whose handler kept the answer open.
  func finish(_ answer: BusConnection.Answer, _ values: [BusValue]) {
    loop.perform { answer.give(values) }
  }

  /// Answers such a call with an error.
  func refuse(_ answer: BusConnection.Answer, _ name: String, _ text: String = "") {
    loop.perform { answer.refuse(name, text) }
  }

  func addAdapter(_ path: String, isOn: Bool, hasMonitors: Bool = true, tells: Bool = true) {
    var interfaces: [String: [(String, BusValue)]] = [
      BlueZName.adapter: [("Address", .string("00:11:22:33:44:55")), ("Powered", .bool(isOn))],
      BlueZName.gattManager: [], BlueZName.advertisingManager: [("SupportedInstances", .byte(5))],
    ]
    if hasMonitors { interfaces[BlueZName.monitorManager] = [("SupportedFeatures", .strings([]))] }
    add(path, interfaces, tells: tells)
  }

  /// - Returns: The device's path.
  @discardableResult
  func addDevice(
    _ address: String, _ properties: [(String, BusValue)], type: String = "public"
  ) -> String {
    let path = Self.adapter + "/dev_" + address.replacingOccurrences(of: ":", with: "_")
    let all = [("Address", BusValue.string(address)), ("AddressType", .string(type))] + properties
    add(path, [BlueZName.device: all])
    return path
  }

  func add(_ path: String, _ interfaces: [String: [(String, BusValue)]], tells: Bool = true) {
    loop.perform { [self] in
      objects[path] = interfaces
      guard tells else { return }
      connection?.emit(
        "/", BlueZName.objectManager, "InterfacesAdded", [.path(path), Self.value(interfaces)])
    }
  }

  func remove(_ path: String) {
    loop.perform { [self] in
      guard let gone = objects.removeValue(forKey: path) else { return }
      connection?.emit(
        "/", BlueZName.objectManager, "InterfacesRemoved", [.path(path), .strings(gone.keys.sorted())])
    }
  }

  /// Signals changed properties.
  func change(_ path: String, _ interface: String, _ properties: [(String, BusValue)]) {
    loop.perform { [self] in
      for (name, value) in properties {
        objects[path]?[interface]?.removeAll { $0.0 == name }
        objects[path]?[interface]?.append((name, value))
      }
    }
    emit(
      path, BlueZName.properties, "PropertiesChanged",
      [.string(interface), .options(properties), .strings([])])
  }

  func emit(_ path: String, _ interface: String, _ member: String, _ body: [BusValue]) {
    loop.perform { [self] in connection?.emit(path, interface, member, body) }
  }

  /// Calls the client, as the daemon or as an unrelated program.
  func call(
    _ path: String, _ interface: String, _ member: String, _ body: [BusValue], at destination: String? = nil
  ) throws -> Result<[BusValue], BusError> {
    let answer = Inbox<Result<[BusValue], BusError>>()
    loop.perform { [self] in
      connection?.call(BusRequest(to: destination ?? client, path, interface, member, body)) {
        answer.put($0)
      }
    }
    return try answer.next()
  }

  /// The unique name of the last caller.
  func clientName() throws -> String {
    let name = Inbox<String>()
    loop.perform { [self] in name.put(client) }
    return try name.next()
  }

  /// Waits for a call and drops those before it.
  func called(_ member: String) throws -> Call {
    try calls.next(member) { $0.member == member ? $0 : nil }
  }

  static func beacon(minor: UInt8) -> BusValue {
    let octets: [UInt8] = [0x02, 0x15] + [UInt8](repeating: 0xAB, count: 16) + [0, 1, 0, minor, 0xC5]
    return .dictionary(key: "q", value: "v", [BusEntry(.uint16(0x4C), .variant(.bytes(octets)))])
  }

  // MARK: Default behaviour

  private func received(_ call: BusCall, _ answer: BusConnection.Answer) {
    client = call.sender
    calls.put(Call(path: call.path, interface: call.interface, member: call.member, body: call.body))
    if let handler = handlers[call.member] { return handler(call, answer) }
    switch call.member {
    case "GetManagedObjects":
      let entries = objects.sorted { $0.key < $1.key }.map { BusEntry(.path($0.key), Self.value($0.value)) }
      answer.give([.dictionary(key: "o", value: "a{sa{sv}}", entries)])
    case "Get": answer.give([.variant(.bool(true))])
    case "RegisterMonitor", "RegisterApplication": readObjects(call, answer)
    case "RegisterAdvertisement": readProperties(call, answer)
    case "Connect": connect(call, answer)
    case "Disconnect":
      change(call.path, BlueZName.device, [("Connected", .bool(false)), ("ServicesResolved", .bool(false))])
      loop.perform { answer.give() }
    case _: answer.give()
    }
  }

  private func connect(_ call: BusCall, _ answer: BusConnection.Answer) {
    change(call.path, BlueZName.device, [("Connected", .bool(true))])
    change(call.path, BlueZName.device, [("ServicesResolved", .bool(true))])
    loop.perform { answer.give() }
  }

  /// Reads the client's objects before it answers, like the real daemon.
  private func readObjects(_ call: BusCall, _ answer: BusConnection.Answer) {
    guard let root = call.body.first?.pathValue else { return answer.refuse(BlueZError.invalidArguments) }
    let request = BusRequest(to: call.sender, root, BlueZName.objectManager, "GetManagedObjects")
    connection?.call(request) { [self] result in
      answer.give()
      let body = (try? result.get()) ?? []
      read.put((call.member, body))
      guard call.member == "RegisterMonitor", let path = body.first?.entries?.first?.key.pathValue else {
        return
      }
      connection?.call(BusRequest(to: call.sender, path, BlueZName.monitor, "Activate")) { _ in }
    }
  }

  private func readProperties(_ call: BusCall, _ answer: BusConnection.Answer) {
    guard let path = call.body.first?.pathValue else { return answer.refuse(BlueZError.invalidArguments) }
    let request = BusRequest(
      to: call.sender, path, BlueZName.properties, "GetAll", [.string(BlueZName.advertisement)])
    connection?.call(request) { [self] result in
      read.put((call.member, (try? result.get()) ?? []))
      answer.give()
    }
  }

  private static func value(_ interfaces: [String: [(String, BusValue)]]) -> BusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      interfaces.sorted { $0.key < $1.key }.map { BusEntry(.string($0.key), .options($0.value)) })
  }
}
