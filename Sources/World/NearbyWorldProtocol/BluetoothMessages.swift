import NearbyBluetooth
import NearbyOctets

/// A request from a device's program to its Bluetooth adapter in the world.
package enum DeviceBluetoothMessage: Equatable, Sendable {
  /// A new Bluetooth user. The program assigns the number and never reuses it.
  case made(user: UInt32, BluetoothRole)
  case released(user: UInt32)
  case command(user: UInt32, BluetoothCommand)
  /// A notification to centrals. `WorldBluetoothMessage.taken` answers updates in order.
  case update(user: UInt32, AttributeID, [UInt8], centrals: [BluetoothPeer]?)
}

/// A message from a device's Bluetooth adapter in the world to its program.
package enum WorldBluetoothMessage: Equatable, Sendable {
  /// Sent before a user's first event, and at each change.
  case status(BluetoothState, BluetoothAuthorization)
  /// Sent before an event about a peer whose state or services have changed.
  case peer(BluetoothPeer, BluetoothPeerState, services: [BluetoothUUID])
  case event(user: UInt32, BluetoothEvent)
  /// Answers an update: whether there was room for it. If not, `readyToUpdate` follows.
  case taken(user: UInt32, Bool)
  /// Answers a write without response: whether there is room for another. If not, `readyToWrite` follows.
  case wrote(user: UInt32, BluetoothPeer, hasRoom: Bool)
}

/// Every payload starts with the user's number (`u32`).
///
/// | kind | message | further fields |
/// |---|---|---|
/// | 0 | made | role `u8` (0 central, 1 peripheral, 2 system), optional name for restoration |
/// | 1 | released | |
/// | 2 | command | see `append(command:)` |
/// | 3 | update | attribute, value, optional list of centrals |
extension DeviceBluetoothMessage {
  var kind: UInt8 {
    switch self {
    case .made: 0
    case .released: 1
    case .command: 2
    case .update: 3
    }
  }

  func write(to octets: inout [UInt8]) {
    switch self {
    case .made(let user, let role):
      octets.append(littleEndian: user)
      let (number, name): (UInt8, String?) =
        switch role {
        case .central(let name): (0, name)
        case .peripheral(let name): (1, name)
        case .system: (2, nil)
        }
      octets.append(number)
      octets.append(optional: name) { $0.append(text: $1, maximum: DeviceHello.longestText) }
    case .released(let user): octets.append(littleEndian: user)
    case .command(let user, let command):
      octets.append(littleEndian: user)
      octets.append(command: command)
    case .update(let user, let attribute, let value, let centrals):
      octets.append(littleEndian: user)
      octets.append(attribute: attribute)
      octets.append(value: value)
      octets.append(optional: centrals) { octets, centrals in
        octets.append(list: centrals) { $0.append(peer: $1) }
      }
    }
  }

  init(kind: UInt8, _ reader: inout WorldReader) throws(WorldProtocolError) {
    let user: UInt32
    switch kind {
    case 0:
      user = try reader.takeUInt32("user")
      let role = try reader.takeUInt8("role")
      guard role < 3 else { throw reader.error("role", back: 1, "\(role); 0, 1 or 2 expected") }
      let name = try reader.takeOptional("name") { (reader) throws(WorldProtocolError) in
        try reader.takeText("name", maximum: DeviceHello.longestText)
      }
      switch role {
      case 0: self = .made(user: user, .central(restoring: name))
      case 1: self = .made(user: user, .peripheral(restoring: name))
      case _:
        guard name == nil else { throw reader.error("name", "the system has none") }
        self = .made(user: user, .system)
      }
    case 1: self = .released(user: try reader.takeUInt32("user"))
    case 2:
      user = try reader.takeUInt32("user")
      self = .command(user: user, try reader.takeCommand())
    case 3:
      user = try reader.takeUInt32("user")
      let attribute = try reader.takeAttribute()
      let value = try reader.takeValue()
      let centrals = try reader.takeOptional("centrals") { (reader) throws(WorldProtocolError) in
        try reader.takeList("centrals") { (reader) throws(WorldProtocolError) in try reader.takePeer() }
      }
      self = .update(user: user, attribute, value, centrals: centrals)
    default: throw reader.error("kind", "unknown kind \(kind) of a device's message, side bluetooth")
    }
  }
}

/// | kind | message | fields |
/// |---|---|---|
/// | 128 | status | state `u8`, authorization `u8` |
/// | 129 | peer | peer, optional name, connected `u8`, paired `u8`, maximum write `u16`, |
/// | | | maximum write without response `u16`, list of services |
/// | 130 | event | user `u32`, event, see `append(event:)` |
/// | 131 | taken | user `u32`, taken `u8` |
/// | 132 | wrote | user `u32`, peer, has room `u8` |
extension WorldBluetoothMessage {
  var kind: UInt8 {
    switch self {
    case .status: 128
    case .peer: 129
    case .event: 130
    case .taken: 131
    case .wrote: 132
    }
  }

  func write(to octets: inout [UInt8]) {
    switch self {
    case .status(let state, let authorization):
      octets += [UInt8(state.rawValue), UInt8(authorization.rawValue)]
    case .peer(let peer, let state, let services):
      octets.append(peer: peer)
      octets.append(optional: state.name) { $0.append(text: $1, maximum: BluetoothLimits.text) }
      octets.append(flag: state.isConnected)
      octets.append(flag: state.isPaired)
      octets.append(littleEndian: UInt16(clamping: state.maximumWrite))
      octets.append(littleEndian: UInt16(clamping: state.maximumWriteWithoutResponse))
      octets.append(list: services) { $0.append(uuid: $1) }
    case .event(let user, let event):
      octets.append(littleEndian: user)
      octets.append(event: event)
    case .taken(let user, let isTaken):
      octets.append(littleEndian: user)
      octets.append(flag: isTaken)
    case .wrote(let user, let peer, let hasRoom):
      octets.append(littleEndian: user)
      octets.append(peer: peer)
      octets.append(flag: hasRoom)
    }
  }

  init(kind: UInt8, _ reader: inout WorldReader) throws(WorldProtocolError) {
    switch kind {
    case 128:
      let state = try reader.takeUInt8("state")
      guard let state = BluetoothState(rawValue: Int(state)) else {
        throw reader.error("state", back: 1, "\(state); 0 to 5 expected")
      }
      let number = try reader.takeUInt8("authorization")
      guard let authorization = BluetoothAuthorization(rawValue: Int(number)) else {
        throw reader.error("authorization", back: 1, "\(number); 0 to 3 expected")
      }
      self = .status(state, authorization)
    case 129:
      let peer = try reader.takePeer()
      let name = try reader.takeOptional("name") { (reader) throws(WorldProtocolError) in
        try reader.takeText("name", maximum: BluetoothLimits.text)
      }
      let state = BluetoothPeerState(
        name: name, isConnected: try reader.takeBool("connected"), isPaired: try reader.takeBool("paired"),
        maximumWrite: Int(try reader.takeUInt16("maximum write")),
        maximumWriteWithoutResponse: Int(try reader.takeUInt16("maximum write without response")))
      let services = try reader.takeUUIDs("services")
      self = .peer(peer, state, services: services)
    case 130:
      let user = try reader.takeUInt32("user")
      self = .event(user: user, try reader.takeEvent())
    case 131:
      let user = try reader.takeUInt32("user")
      self = .taken(user: user, try reader.takeBool("taken"))
    case 132:
      let user = try reader.takeUInt32("user")
      let peer = try reader.takePeer()
      self = .wrote(user: user, peer, hasRoom: try reader.takeBool("room"))
    default: throw reader.error("kind", "unknown kind \(kind) of a world's message, side bluetooth")
    }
  }
}

extension GATTService {
  /// Size of the service in a message, octets.
  package var messageOctets: Int {
    var octets: [UInt8] = []
    octets.append(service: self)
    return octets.count
  }
}

/// Upper limits for the contents of Bluetooth messages.
package enum BluetoothLimits {
  /// Encoded size of all services that one device offers, octets. Discovery adds the system's descriptors,
  /// which at most double it; the result still fits into one frame.
  package static let services = 24 * 1024
  /// Size of a message after which its lists end, octets. Whatever follows the last list fits into the rest
  /// of a frame.
  static let message = 60 * 1024
  /// Size of a restoration after which no more peers' tables are added, octets. Programs rediscover those
  /// services.
  static let restoredTables = 24 * 1024
  /// Length of a name, octets.
  static let text = 512
  /// Length of a value, octets.
  static let value = 1024
  /// Entries of a list. The size of a frame limits lists of large entries first.
  static let list = 1024
}
