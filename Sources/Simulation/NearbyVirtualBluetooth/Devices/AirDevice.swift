import NearbyBluetooth

/// A device's Bluetooth: its radio, whether it may be used, whom it knows, and who uses it.
struct AirDevice: Sendable {
  /// Of its name; everything random of it hangs on this.
  let identity: UInt64
  /// What it calls itself to who connects.
  let name: String?
  var isOn = true
  var authorization: BluetoothAuthorization
  /// The app says what it wants Bluetooth for.
  var isDescribed = true
  var isInForeground = true
  var modes: BluetoothModes = [.central, .peripheral]
  /// Whether its user says yes to pairing.
  var acceptsPairing = true
  /// Links at once, in either role: a choice.
  var connectionLimit = 12
  /// After this silence a side gives a link up; 0.1 to 32 s by Bluetooth Core 5.4, volume 6, part B, 4.5.2. Two seconds
  /// are within what Apple's "Accessory Design Guidelines" ask for, 2 to 6 s.
  var supervision = Duration.seconds(2)
  /// Keys by the other device.
  var bonds: [Int: UInt64] = [:]
  var known: [BluetoothPeer: Int] = [:]
  var names: [Int: String] = [:]
  /// Who uses it, in the order in which they came.
  var clients: [Int] = []
  var table = AttributeTable()
  /// Links that it has, in the order in which they came.
  var links: [Int] = []
  /// What changes everybody's notion of its services.
  var tableVersion = 0
  /// Version of the table of a bonded peer that is remembered.
  var cachedTables: [Int: Int] = [:]

  init(identity: UInt64, name: String?, authorization: BluetoothAuthorization) {
    self.identity = identity
    self.name = name
    self.authorization = authorization
  }

  /// As those see it who need no permission.
  var systemState: BluetoothState { isOn ? .poweredOn : .poweredOff }

  var state: BluetoothState {
    switch authorization {
    case .notDetermined: isDescribed ? .unknown : .unauthorized
    case .restricted, .denied: .unauthorized
    case .allowedAlways: !isDescribed ? .unauthorized : isOn ? .poweredOn : .poweredOff
    }
  }
}

/// What an app declares that it does in the background.
package struct BluetoothModes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let central = Self(rawValue: 1)
  package static let peripheral = Self(rawValue: 2)
}

/// One user of a device's Bluetooth. It outlives its process where it has a name to be restored by.
struct AirClient: Sendable {
  /// Whether the device refuses new pairings as long as this user exists.
  var refusesPairing = false
  let device: Int
  let role: BluetoothRole
  /// `nil` while its process is gone.
  var user: BluetoothUser?
  var scan: BluetoothScan?
  /// What was told of each advertiser since the scan began.
  var told: [Int: [Advertisement]] = [:]
  /// Devices to connect to, in the order asked for.
  var wanted: [Int] = []
  var services: [GATTService] = []
  var advertising: BluetoothAdvertising?
  var set: Int?
  /// Told while the app does not run.
  var held: [BluetoothEvent] = []
  /// What it does not know yet it is not told.
  var toldState = BluetoothState.unknown
  /// An update was refused: it is told when there is room.
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
