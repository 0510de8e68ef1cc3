import NearbyBluetooth

/// A connection between two devices, as both sides have it.
struct AirLink: Sendable {
  let central: Int
  let peripheral: Int
  /// Users of the central's device that have it.
  var users: [Int]
  /// Nanoseconds.
  var interval: Int64
  var supervision: Int64
  /// When both last heard each other.
  var lastHeard: Int64
  var events: UInt64 = 0
  /// A side that is gone sends nothing; the other finds out.
  var hasCentral = true
  var hasPeripheral = true
  /// One side wants it to end: told in the next event.
  var isEnding = false
  /// ATT_MTU in octets; 23 before it is exchanged, Bluetooth Core 5.4, volume 3, part G, 5.2.1.
  var mtu = 23
  var isEncrypted = false
  /// Version of the table that is known on this link.
  var knownTable: Int?
  var requests: [AttributeRequest] = []
  var isRequestSent = false
  /// When the server has had long enough.
  var requestDeadline: Int64?
  var toPeripheral: [CentralPacket] = []
  var toCentral: [PeripheralPacket] = []
  /// Users that hear a characteristic, by its handle.
  var listeners: [AttributeID: [Int]] = [:]
  /// The peripheral's users that the central asked something of.
  var served: Set<Int> = []
  /// Users that were told to wait with writes.
  var waitsToWrite: Set<Int> = []
  var powerWanted: [Int] = []

  /// Notifications and writes without response that wait at most: a choice.
  static let queueLimit = 10

  var isIdle: Bool {
    toPeripheral.isEmpty && toCentral.isEmpty && requests.isEmpty && !isEnding && powerWanted.isEmpty
  }
}

/// What goes from the central to the peripheral.
enum CentralPacket: Sendable {
  /// The first of the link's requests.
  case request
  case command(client: Int, AttributeID, [UInt8])
}

/// What goes from the peripheral to the central.
enum PeripheralPacket: Sendable {
  case response(Result<[UInt8], ATTError>)
  case notification(AttributeID, [UInt8])
  case servicesChanged([AttributeID])

  var isNotification: Bool {
    if case .notification = self { return true }
    return false
  }
}

/// Something that a central asks, one at a time on a link.
struct AttributeRequest: Sendable {
  enum Kind: Sendable {
    case exchangeMTU
    /// With keys that there are.
    case encrypt
    case pair
    case discover
    case read(AttributeID, soFar: [UInt8])
    case write(AttributeID, [UInt8])
    case configure(AttributeID, isOn: Bool)
  }

  var kind: Kind
  /// Who asked; `nil` for the system's own.
  var client: Int?
  /// Round trips before the one that counts.
  var preliminaries = 0
}
