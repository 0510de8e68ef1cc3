import NearbyExchange
import NearbyScenarios
import NearbySimulator
import NearbyVirtualUWB
import NearbyWorldProtocol

/// Identifies a connection to a world by the number that the shell assigned.
package struct WorldClient: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A device of a world, and its current holder.
struct HostedDevice: Sendable {
  /// The program or foreign UCI host that is the device.
  enum Holder: Equatable, Sendable {
    /// A program that uses this package.
    case program(WorldClient, name: String)
    /// A foreign UCI host.
    case host(WorldClient)

    var client: WorldClient {
      switch self {
      case .program(let client, name: _), .host(let client): client
      }
    }
  }

  let name: String
  let body: BodyID
  /// Index in the simulated world.
  let radio: Int
  /// The chip on the air; created when the device first gets a holder.
  var chip: RadioID?
  var chipConfiguration: VirtualChipConfiguration
  var holder: Holder?
  var isInForeground = true
  var permission = WorldAnswer.notDetermined
  var cameraPermission = WorldAnswer.notDetermined
  /// Location permission while the app is in use, and at any time.
  var locationPermission = WorldAnswer.notDetermined
  var alwaysPermission = WorldAnswer.notDetermined
  /// How the user answers questions; `nil` leaves them open.
  var standingAnswer: WorldAnswer? = .allowed
  /// Open questions, oldest first.
  var questions: [WorldQuestion] = []
  /// What the app's accessory picker asks.
  var picker: WorldPicker?
  /// How the scenario has the user answer pickers; `choose` follows `standingAnswer`.
  var pickerRule = Scenario.PickerAnswer.choose
  var camera = HostedCamera()
  var sessions: [HostedSession] = []
  var bluetooth = HostedBluetooth()
  var isBluetoothOn = true
  /// Background modes that the app declared; `nil` allows all of them.
  var backgroundModes: AppBackgroundModes?
  /// What the app shows its user, as last reported.
  var display: AppDisplay?
  /// Process ID and instance number from the holder's hello; 0 if not stated.
  var process: UInt32 = 0
  var instance: UInt64 = 0
  /// Whether the device was created for a foreign UCI host and leaves with it.
  let isHostOwned: Bool
  /// Whether the device was removed from the world; a new device may reuse its index.
  var isGone = false

  init(
    name: String, body: BodyID, radio: Int, chipConfiguration: VirtualChipConfiguration,
    isHostOwned: Bool = false
  ) {
    self.isHostOwned = isHostOwned
    self.name = name
    self.body = body
    self.radio = radio
    self.chipConfiguration = chipConfiguration
  }

  /// Describes the holder in messages.
  var holderText: String {
    switch holder {
    case .program(_, let name): process == 0 ? name : "\(name), pid \(process)"
    case .host: "a UCI host"
    case nil: "nobody"
    }
  }

  /// Clears the program's state after it ended. Permissions given for good remain.
  mutating func release() {
    holder = nil
    process = 0
    instance = 0
    questions = []
    picker = nil
    sessions = []
    display = nil
    backgroundModes = nil
    camera.run = nil
    camera.tracker = nil
    if permission == .allowedOnce { permission = .notDetermined }
    if cameraPermission == .allowedOnce { cameraPermission = .notDetermined }
    if locationPermission == .allowedOnce { locationPermission = .notDetermined }
  }
}

/// State of a device's camera.
struct HostedCamera: Sendable {
  var isAvailable = true
  /// The program's number for the current tracking run, or `nil` if tracking is off.
  var run: UInt32?
  var surroundings = CameraTracker.Surroundings()
  var tracker: CameraTracker?
  /// Number of tracking runs so far, across all programs.
  var epoch = 0
  /// When a pose was last sent.
  var lastSent: Duration?

  var isRunning: Bool { run != nil }
}

/// A session of a device's app, as reported by its process.
struct HostedSession: Sendable {
  let number: UInt32
  var token: [UInt8] = []
  var peer: [UInt8]?
  var phase = Phase.idle
  var sighting: Sighting?
  /// Time of the last update.
  var sighted: Duration?
  var reasons: UInt32?

  enum Phase: String, Sendable { case idle, running, paused, suspended, ended }
}
