import NearbyBluetooth

/// A connection between two devices, with the state of both sides.
struct AirLink: Sendable {
  let central: Int
  let peripheral: Int
  /// The clients on the central's device that use the link.
  var users: [Int]
  /// Nanoseconds.
  var interval: Int64
  var supervision: Int64
  /// The time of the last exchange in which both sides received the other.
  var lastHeard: Int64
  var events: UInt64 = 0
  /// Whether the central is still there. A side that is gone sends nothing, and the other side has to find
  /// out.
  var hasCentral = true
  var hasPeripheral = true
  /// Whether one side has ended the link. The other side learns of it in the next connection event that
  /// arrives.
  var isEnding = false
  /// The ATT_MTU in octets: 23 until it is exchanged (Bluetooth Core 5.4, volume 3, part G, 5.2.1).
  var mtu = 23
  var isEncrypted = false
  /// The version of the peripheral's table that the central knows on this link.
  var knownTable: Int?
  var requests: [AttributeRequest] = []
  var isRequestSent = false
  /// When the request in flight times out.
  var requestDeadline: Int64?
  var toPeripheral: [CentralPacket] = []
  var toCentral: [PeripheralPacket] = []
  /// The central's clients that subscribed to each characteristic, by its handle.
  var listeners: [AttributeID: [Int]] = [:]
  /// The peripheral's clients to which the central has sent requests or writes.
  var served: Set<Int> = []
  /// Clients whose write without response was refused and that wait for room.
  var waitsToWrite: Set<Int> = []
  var powerWanted: [Int] = []
  /// `nil` unless Channel Sounding runs on the link.
  var sounding: LinkSounding?

  /// The limit on queued notifications and on queued writes without response. Our choice.
  static let queueLimit = 10

  var isIdle: Bool {
    toPeripheral.isEmpty && toCentral.isEmpty && requests.isEmpty && !isEnding && powerWanted.isEmpty
  }
}

/// Channel Sounding on a link.
struct LinkSounding: Sendable {
  /// The central's clients that receive the results, in the order in which they started.
  var clients: [Int]
  /// The epoch of the scheduled procedure; others are stale.
  var epoch: Int
}

/// A packet from the central to the peripheral.
enum CentralPacket: Sendable {
  /// The first of the link's requests, or another of its round trips.
  case request
  case command(client: Int, AttributeID, [UInt8])
}

/// A packet from the peripheral to the central.
enum PeripheralPacket: Sendable {
  case response(Result<[UInt8], ATTError>)
  case notification(AttributeID, [UInt8])
  case servicesChanged([AttributeID])

  var isNotification: Bool {
    if case .notification = self { return true }
    return false
  }
}

/// A central's request. Only one per link is in flight at a time.
struct AttributeRequest: Sendable {
  enum Kind: Sendable {
    case exchangeMTU
    /// Encrypts the link with existing keys.
    case encrypt
    case pair
    case discover
    case read(AttributeID, soFar: [UInt8])
    case write(AttributeID, [UInt8])
    case configure(AttributeID, isOn: Bool)
    /// Starts Channel Sounding. Its messages belong to the link layer; here they take their turn among the requests.
    case sound
  }

  var kind: Kind
  /// The client that sent the request; `nil` if the system did.
  var client: Int?
  /// The number of round trips before the last one, which carries the result.
  var preliminaries = 0
}
