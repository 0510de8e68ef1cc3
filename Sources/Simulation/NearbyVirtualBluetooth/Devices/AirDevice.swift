import NearbyBluetooth

/// A device's Bluetooth: its radio and permission, the devices it knows, and its users.
struct AirDevice: Sendable {
  /// Derived from the device's name. Seeds all of the device's random numbers.
  let identity: UInt64
  /// The name that the device gives to those that connect.
  let name: String?
  var isOn = true
  var authorization: BluetoothAuthorization
  /// Whether the app has declared what it needs Bluetooth for.
  var isDescribed = true
  /// The peers that the app may know as a central, because they were set up for it; `nil` means all.
  var visiblePeers: Set<BluetoothPeer>?
  var isInForeground = true
  var modes: BluetoothModes = [.central, .peripheral]
  /// Whether the person accepts pairing.
  var acceptsPairing = true
  /// The limit on simultaneous links, in either role. Our choice.
  var connectionLimit = 12
  /// The supervision timeout: a side gives a link up after this much silence. Bluetooth Core 5.4, volume 6,
  /// part B, 4.5.2 allows 0.1 to 32 s; Apple's "Accessory Design Guidelines" ask for 2 to 6 s.
  var supervision = Duration.seconds(2)
  /// The keys shared with each bonded device.
  var bonds: [Int: UInt64] = [:]
  var known: [BluetoothPeer: Int] = [:]
  var names: [Int: String] = [:]
  /// Its clients, in the order in which they were created.
  var clients: [Int] = []
  /// What it listens for; `nil` while it does not listen. It follows from the clients, and is stored because every
  /// advertisement that arrives depends on it.
  var interest: Interest?
  var table = AttributeTable()
  /// Its links, in the order in which they began.
  var links: [Int] = []
  /// Incremented whenever its services change, so that what others know of them becomes outdated.
  var tableVersion = 0
  /// For each peer, the version of its table that this device has cached.
  var cachedTables: [Int: Int] = [:]

  /// What a device listens for.
  struct Interest: Sendable {
    /// The clients with an active scan, in the order of `clients`.
    var searching: [Int]
    /// The devices to which a client waits to connect.
    var wanted: Set<Int>
    var timing: ScanTiming
    /// Shifts the scan windows of one device against those of others, in nanoseconds.
    var phase: Int64
  }

  init(identity: UInt64, name: String?, authorization: BluetoothAuthorization) {
    self.identity = identity
    self.name = name
    self.authorization = authorization
  }

  /// The state for users that need no permission.
  var systemState: BluetoothState { isOn ? .poweredOn : .poweredOff }

  var state: BluetoothState {
    if visiblePeers != nil { return systemState }
    return switch authorization {
    case .notDetermined: isDescribed ? .unknown : .unauthorized
    case .restricted, .denied: .unauthorized
    case .allowedAlways: !isDescribed ? .unauthorized : isOn ? .poweredOn : .poweredOff
    }
  }
}

/// The Bluetooth background modes that an app declares.
package struct BluetoothModes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let central = Self(rawValue: 1)
  package static let peripheral = Self(rawValue: 2)
}

/// One user of a device's Bluetooth. It outlives its process if it has a restoration name.
struct AirClient: Sendable {
  /// Whether this client makes the device refuse new pairings while the client exists.
  var refusesPairing = false
  /// Whether this client makes the device reflect the tones of Channel Sounding while the client exists.
  var offersSounding = false
  /// Whether this client limits what the app may see.
  var limitsVisibility = false
  let device: Int
  let role: BluetoothRole
  /// `nil` after its process has ended, until a successor takes over.
  var user: BluetoothUser?
  var scan: BluetoothScan?
  /// The advertisements reported from each advertiser since the scan began.
  var reported: [Int: [Advertisement]] = [:]
  /// The devices it is waiting to connect to, in the order of the requests.
  var wanted: [Int] = []
  var services: [GATTService] = []
  var advertising: BluetoothAdvertising?
  var set: Int?
  /// Events that occurred while the app was not running, to be delivered when it runs again.
  var held: [BluetoothEvent] = []
  /// The last state reported, so that an unchanged state is not reported again.
  var reportedState = BluetoothState.unknown
  /// Whether an update was refused, so that `readyToUpdate` is due when there is room.
  var waitsToUpdate = false

  var isCentral: Bool {
    if case .central = role { return true }
    return false
  }

  var isSystem: Bool { role == .system }

  var restorationName: String? {
    switch role {
    case .central(let name), .peripheral(let name): name
    case .system: nil
    }
  }
}
