import NearbyExchange
import NearbySimulator
import NearbyVirtualUWB
import NearbyWorldProtocol

/// A connection to a world, by the number its shell gave it.
package struct WorldClient: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// One device of a world, and the program that is it, if one is.
struct HostedDevice: Sendable {
  /// Who holds it.
  enum Holder: Equatable, Sendable {
    /// A program with our facades.
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
  /// In the simulated world.
  let radio: Int
  /// On the air; made when somebody first comes.
  var chip: RadioID?
  var chipConfiguration: VirtualChipConfiguration
  var holder: Holder?
  var isInForeground = true
  var permission = WorldAnswer.notDetermined
  var cameraPermission = WorldAnswer.notDetermined
  /// For places while the app is in use, and at any time.
  var locationPermission = WorldAnswer.notDetermined
  var alwaysPermission = WorldAnswer.notDetermined
  /// What the user says when asked; `nil` leaves the question open.
  var standingAnswer: WorldAnswer? = .allowed
  /// In the order in which they were asked.
  var questions: [WorldQuestion] = []
  var camera = HostedCamera()
  var sessions: [HostedSession] = []
  var bluetooth = HostedBluetooth()
  var isBluetoothOn = true
  /// What its app does in the background, as that declares; all where it says nothing.
  var backgroundModes: AppBackgroundModes?
  /// What its app shows, as that tells.
  var display: AppDisplay?
  /// Of the program that holds it, as that says; 0 if it does not.
  var process: UInt32 = 0
  var instance: UInt64 = 0
  /// It came with a foreign UCI host and goes with it.
  let isHostOwned: Bool
  /// It was taken out of the world; its place waits for another device.
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

  /// Who holds it, in words.
  var holderText: String {
    switch holder {
    case .program(_, let name): process == 0 ? name : "\(name), pid \(process)"
    case .host: "a UCI host"
    case nil: "nobody"
    }
  }

  /// The program ended: what it knew is gone, what its user said for good stays.
  mutating func release() {
    holder = nil
    process = 0
    instance = 0
    questions = []
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

/// A device's camera as its world has it.
struct HostedCamera: Sendable {
  var isAvailable = true
  /// The program's number of the run of tracking; `nil` while nothing runs.
  var run: UInt32?
  var surroundings = CameraTracker.Surroundings()
  var tracker: CameraTracker?
  /// Runs of tracking so far, of all programs.
  var epoch = 0
  /// When the last pose was sent.
  var lastSent: Duration?

  var isRunning: Bool { run != nil }
}

/// A session of a device's app, as its process reports it.
struct HostedSession: Sendable {
  let number: UInt32
  var token: [UInt8] = []
  var peer: [UInt8]?
  var phase = Phase.idle
  var sighting: Sighting?
  /// When it was last updated.
  var sighted: Duration?
  var reasons: UInt32?

  enum Phase: String, Sendable { case idle, running, paused, suspended, ended }
}
