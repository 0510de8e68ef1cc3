import NearbyBluetooth
import NearbyVirtualBluetooth
import TestSupport

/// A place where every device receives every other, except for random losses and links that are cut.
struct BenchMedium: BluetoothMedium {
  var loss = 0.0
  var cut: Set<Set<Int>> = []
  var power = -60
  var random: SeededGenerator
  /// The packets that the air asked about.
  private(set) var receptions = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func receive(from sender: Int, to receiver: Int, channel: UInt8, at time: Duration) -> Int? {
    receptions += 1
    if cut.contains([sender, receiver]) { return nil }
    return Double.random(in: 0..<1, using: &random) < loss ? nil : power
  }

  mutating func sound(from initiator: Int, to reflector: Int, at time: Duration) -> BluetoothSounding? {
    guard receive(from: initiator, to: reflector, channel: 17, at: time) != nil else { return nil }
    return BluetoothSounding(
      time: time, impulseResponse: 5, phaseSlope: 6, roundTrip: 7, power: Double(power), hasGoodTones: true)
  }
}

/// An air with devices, and the events of their users.
struct AirBench {
  var air: BluetoothAir
  var medium: BenchMedium
  var now = Duration.zero
  var heard: [BluetoothUser: [BluetoothEvent]] = [:]

  init(seed: UInt64 = 1, devices: Int = 2) {
    air = BluetoothAir(seed: seed)
    medium = BenchMedium(seed: seed)
    for index in 0..<devices {
      _ = air.addDevice(
        identity: UInt64(index + 1) &* 0x1234_5678_9ABC_DEF1, name: "Device \(index)",
        authorization: .allowedAlways)
    }
  }

  mutating func central(_ device: Int, restoring: String? = nil) -> BluetoothUser {
    let user = air.makeUser(.central(restoring: restoring), device: device, at: now)
    collect()
    return user
  }

  mutating func peripheral(_ device: Int, restoring: String? = nil) -> BluetoothUser {
    let user = air.makeUser(.peripheral(restoring: restoring), device: device, at: now)
    collect()
    return user
  }

  mutating func run(_ duration: Duration) {
    let end = now + duration
    while let next = air.nextEventTime, next <= end {
      now = max(now, next)
      air.advance(to: now, medium: &medium)
      collect()
    }
    now = end
    air.advance(to: now, medium: &medium)
    collect()
  }

  mutating func perform(_ command: BluetoothCommand, _ user: BluetoothUser) {
    air.perform(command, of: user, at: now)
    collect()
  }

  /// Programs answer immediately.
  var answers: [UInt8] = [1, 2, 3]

  mutating func collect() {
    while true {
      let actions = air.takeActions()
      if actions.isEmpty { return }
      for case .notify(let user, let event, device: _) in actions {
        heard[user, default: []].append(event)
        switch event {
        case .readRequest(let id, _, _, let offset):
          air.perform(.respond(id, .success(Array(answers.dropFirst(offset)))), of: user, at: now)
        case .writeRequest(let id, _, _): air.perform(.respond(id, .success([])), of: user, at: now)
        default: break
        }
      }
    }
  }

  func events(_ user: BluetoothUser) -> [BluetoothEvent] { heard[user] ?? [] }

  func sightings(_ user: BluetoothUser) -> [BluetoothSighting] {
    events(user).compactMap { if case .sighted(let it) = $0 { it } else { nil } }
  }

  func names(_ user: BluetoothUser) -> [String] { events(user).map(\.short) }

  // MARK: An accessory

  static let service = BluetoothUUID(0x1234 as UInt16)
  static let read = AttributeID(2)
  static let write = AttributeID(3)
  static let notify = AttributeID(4)
  static let secret = AttributeID(5)

  mutating func serve(_ user: BluetoothUser) {
    perform(
      .add(
        GATTService(
          id: AttributeID(1), uuid: Self.service,
          characteristics: [
            GATTCharacteristic(
              id: Self.read, uuid: BluetoothUUID(0xAA01 as UInt16), properties: .read, permissions: .readable),
            GATTCharacteristic(
              id: Self.write, uuid: BluetoothUUID(0xAA02 as UInt16),
              properties: [.write, .writeWithoutResponse], permissions: .writeable),
            GATTCharacteristic(
              id: Self.notify, uuid: BluetoothUUID(0xAA03 as UInt16), properties: .notify,
              permissions: .readable),
            GATTCharacteristic(
              id: Self.secret, uuid: BluetoothUUID(0xAA04 as UInt16), properties: .read,
              permissions: .readEncryptionRequired, value: [9, 9]),
          ])), user)
    advertise(user)
  }

  mutating func advertise(_ user: BluetoothUser, name: String? = "Speaker") {
    var advertisement = Advertisement()
    advertisement.isConnectable = true
    advertisement.services = [Self.service]
    advertisement.name = name
    perform(.advertise(BluetoothAdvertising(advertisement)), user)
  }

  /// Scans, connects and discovers.
  mutating func meet(_ user: BluetoothUser) -> (peer: BluetoothPeer, table: [GATTService])? {
    perform(.scan(BluetoothScan(services: [Self.service], allowsDuplicates: false)), user)
    run(.seconds(3))
    guard let peer = sightings(user).first?.peer else { return nil }
    perform(.stopScan, user)
    perform(.connect(peer), user)
    run(.seconds(2))
    perform(.discover(peer), user)
    run(.seconds(1))
    for case .discovered(peer, .success(let table)) in events(user) { return (peer, table) }
    return nil
  }
}

extension BluetoothEvent {
  /// A short form of an event, for comparison.
  var short: String {
    switch self {
    case .state(let state): "state \(state)"
    case .restored: "restored"
    case .sighted: "sighted"
    case .connected: "connected"
    case .notConnected(_, let failure): "notConnected \(failure)"
    case .disconnected(_, let failure): "disconnected \(failure.map { "\($0)" } ?? "asked")"
    case .discovered(_, let result): "discovered \((try? result.get())?.count ?? -1)"
    case .read(_, let id, .success(let octets)): "read \(id.number) \(octets)"
    case .read(_, let id, .failure(let failure)): "read \(id.number) \(failure)"
    case .notified(_, let id, let octets): "notified \(id.number) \(octets)"
    case .wrote(_, _, let failure): "wrote \(failure.map { "\($0)" } ?? "")"
    case .notifying(_, _, let isOn, let failure): "notifying \(isOn) \(failure.map { "\($0)" } ?? "")"
    case .rssi: "rssi"
    case .readyToWrite: "readyToWrite"
    case .servicesChanged: "servicesChanged"
    case .nameChanged(_, let name): "nameChanged \(name ?? "")"
    case .added: "added"
    case .advertising(let failure): "advertising \(failure.map { "\($0)" } ?? "")"
    case .subscribed: "subscribed"
    case .unsubscribed: "unsubscribed"
    case .readRequest: "readRequest"
    case .writeRequest: "writeRequest"
    case .readyToUpdate: "readyToUpdate"
    case .centralGone: "centralGone"
    case .sounded(_, .success): "sounded"
    case .sounded(_, .failure(let failure)): "sounded \(failure)"
    case .paired(_, let failure): "paired\(failure.map { " \($0)" } ?? "")"
    case .soundingEnded(_, let failure): "soundingEnded \(failure.map { "\($0)" } ?? "asked")"
    }
  }
}
