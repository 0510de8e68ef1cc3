import NearbyBluetooth
import NearbyEstimation
import NearbyUCI

/// One device: its chip's host, its sessions, its app's life cycle and permission.
///
/// A pure machine: commands of the app and the user, octets of the chip and the time go in; octets for the
/// chip and events for the app come out. Every call appends its actions, in order, to `actions`.
package struct DeviceMachine: Sendable {
  /// What an app, its user or the system asks of a device.
  package enum Command: Sendable, Equatable {
    case run(SessionID, PeerConfiguration)
    /// The app asked for something that no session can do; as `run` with a configuration that is refused.
    case reject(SessionID, SessionFailure)
    /// Whose camera assists a session when it runs with camera assistance.
    case useCamera(SessionID, CameraUser)
    case runCamera(CameraUser, wantsFrames: Bool, resets: Bool)
    case pauseCamera(CameraUser)
    case answerCameraPermission(Permission)
    case setCameraPermission(Permission)
    case pause(SessionID)
    case invalidate(SessionID)
    /// The app let go of the session: as `invalidate`, and its place is freed.
    case release(SessionID)
    case enterBackground
    case enterForeground
    /// The user's answer to the question that `askPermission` put.
    case answerPermission(Permission)
    /// The user changes the answer in Settings.
    case setPermission(Permission)
    /// What is known of an accessory on Bluetooth; `nil` while it is not paired and connected.
    case setAccessoryLink(BluetoothPeer, AccessoryLinkState?)
    /// The device is an accessory from now on, beside what its sessions do; one that it was before is ended.
    case startAccessory(AccessorySettings, address: UInt16)
    case accessory(AccessoryInput)
    case stopAccessory
    /// The app is launched anew: its sessions are gone without a word, as after a crash.
    case relaunch
  }

  /// What the shell must do, in order.
  package enum Action: Sendable, Equatable {
    case transmit([UInt8])
    case deliver(SessionID, SessionEvent)
    case askPermission
    case storePermission(Permission)
    case deliverCamera(CameraUser, CameraEvent)
    case askCameraPermission
    case storeCameraPermission(Permission)
    case accessory(AccessoryOutput)
  }

  /// The chip, as far as sessions need to know.
  enum Radio: Hashable, Sendable {
    case absent
    case starting
    case ready
    case failed
  }

  // What every round needs comes first.
  var radio: Radio
  /// In the order in which they were made; few, so a scan finds one.
  var sessions: [PeerSession] = []
  /// What the last calls want done; the shell takes it with `takeActions`.
  var actions: [Action] = []
  var departing: [UInt32: DepartingSession] = [:]
  var hostWake: Duration?
  var backgroundDeadline: Duration?
  var settings: DeviceSettings
  var host = UCIHost()
  var sessionsMade = 0
  /// What the chip, when it last came up, said it cannot measure.
  var unmeasured: DeviceCapabilities = []
  package internal(set) var permission: Permission
  /// The reason given to the user, `NSNearbyInteractionUsageDescription`; without it no permission is asked.
  package var usageDescription: String?
  var isAskingPermission = false
  var isInForeground = true
  var camera = CameraMachine()
  /// The last pose of who has the camera.
  package internal(set) var cameraFrame: CameraFrame?
  /// Whose camera a session was told to use.
  var cameraOfSession: [SessionID: CameraUser] = [:]
  /// What the app's property list has under `UIBackgroundModes`.
  package var backgroundModes: Set<String> = []
  /// One, where the device is an accessory itself; a list, so that others are no larger for it.
  var accessorySide: [AccessoryMachine] = []
  /// The accessory's actions are being done.
  var isServingAccessory = false
  /// Of the sessions that range with an accessory, or did last.
  var accessories: [SessionID: AccessorySession] = [:]
  /// The accessories that are paired and connected.
  var accessoryLinks: [BluetoothPeer: AccessoryLinkState] = [:]
  /// How often a session with an accessory was set up.
  var accessoryRuns = 0
  /// Of the sessions that run with camera assistance.
  var assistedPeers: [SessionID: AssistedPeer] = [:]

  /// - Parameter hasRadio: Without one every `run` ends in `unsupportedPlatform`.
  package init(
    settings: DeviceSettings = DeviceSettings(), hasRadio: Bool, permission: Permission = .notDetermined,
    usageDescription: String?
  ) {
    self.settings = settings
    self.permission = permission
    self.usageDescription = usageDescription
    radio = hasRadio ? .starting : .absent
  }

  /// What the device can do; once its chip is up, without what that says it does not measure.
  package var capabilities: DeviceCapabilities {
    radio == .absent ? [] : settings.capabilities.subtracting(unmeasured)
  }

  /// Moves out what is to be done, leaving nothing; what was in `list` is dropped.
  package mutating func takeActions(into list: inout [Action]) {
    // The storage goes along: kept here, every device would have its own, cold when its turn comes.
    list = actions
    actions = []
  }

  /// Whom a session was last told to run with.
  ///
  /// Mutating only so that the machine is read where it stands; a copy of it is half a kilobyte.
  package mutating func peer(of id: SessionID) -> DiscoveryIdentity? {
    for index in sessions.indices where sessions[index].id == id { return sessions[index].peer }
    return nil
  }

  func index(of id: SessionID) -> Int? {
    // Not `firstIndex`, which copies each session to ask.
    for index in sessions.indices where sessions[index].id == id { return index }
    return nil
  }

  /// The session that the chip knows by this id; none while the chip still has to hear of it.
  mutating func index(onChip chipID: UInt32) -> Int? {
    for index in sessions.indices where sessions[index].chipID == chipID {
      switch sessions[index].phase {
      case .opening, .running: return index
      case .idle, .awaitingPermission, .awaitingRadio, .suspended, .invalidated: continue
      }
    }
    return nil
  }

  // MARK: Events

  /// Brings the chip up. Call once, when the link is there.
  package mutating func start(at now: Duration) {
    guard radio != .absent else { return }
    perform(host.start(at: now), at: now)
  }

  /// Makes a session; it has its token at once.
  package mutating func makeSession(
    using generator: inout some RandomNumberGenerator
  ) -> (id: SessionID, identity: DiscoveryIdentity) {
    let id = SessionID(index: sessionsMade)
    sessionsMade += 1
    let identity = DiscoveryIdentity(capabilities: capabilities, using: &generator)
    sessions.append(PeerSession(id: id, identity: identity))
    return (id, identity)
  }

  package mutating func handle(_ command: Command, at now: Duration) {
    switch command {
    case .run(let id, let configuration):
      if let index = index(of: id) { run(index, configuration, at: now) }
    case .reject(let id, let failure):
      if let index = index(of: id) { fail(index, failure, at: now) }
    case .useCamera, .runCamera, .pauseCamera, .answerCameraPermission, .setCameraPermission:
      handleCamera(command, at: now)
    case .pause(let id):
      if let index = index(of: id) { pause(index, at: now) }
    case .invalidate(let id):
      if let index = index(of: id) { end(index, sayingGoodbye: true, at: now) }
    case .release(let id): release(id, at: now)
    case .enterBackground: enterBackground(at: now)
    case .enterForeground: enterForeground(at: now)
    case .answerPermission(let answer): answerPermission(answer, at: now)
    case .setPermission(let answer): setPermission(answer, at: now)
    case .setAccessoryLink(let peer, let state): setLink(peer, state, at: now)
    case .startAccessory(let settings, let address): startAccessory(settings, address: address, at: now)
    case .accessory(let input): handleAccessory(input, at: now)
    case .stopAccessory: stopAccessory(at: now)
    case .relaunch: relaunch(at: now)
    }
  }

  /// Octets of the chip, in any chunking.
  package mutating func received(_ octets: [UInt8], at now: Duration) {
    guard radio != .absent else { return }
    perform(host.received(octets, at: now), at: now)
  }

  /// The chip's link is gone for good.
  package mutating func linkClosed(at now: Duration) {
    guard radio != .absent else { return }
    perform(host.linkClosed(), at: now)
    radioFailed(at: now)
  }

  /// The chip's link is gone, and comes back: then call `start`. Sessions wait for that.
  package mutating func linkInterrupted(at now: Duration) {
    guard radio != .absent else { return }
    _ = host.linkClosed()
    hostWake = nil
    radioRecovering(at: now)
  }

  /// The earliest time at which `timePassed` has something to do.
  package var nextWake: Duration? {
    var machine = self
    return machine.earliestWake()
  }

  /// As `nextWake`. Mutating for the same reason as `peer(of:)`: worlds ask after everything that happens.
  package mutating func earliestWake() -> Duration? {
    var wake = hostWake
    func consider(_ time: Duration?) {
      guard let time else { return }
      wake = wake.map { min($0, time) } ?? time
    }
    consider(backgroundDeadline)
    // By index: a loop over the sessions themselves copies each.
    for index in sessions.indices { consider(sessions[index].wake) }
    if !departing.isEmpty {
      for leaving in departing.values { consider(leaving.deadline) }
    }
    if !accessories.isEmpty {
      for accessory in accessories.values {
        consider(accessory.startDeadline)
        consider(accessory.roundsStart)
      }
    }
    if !accessorySide.isEmpty { consider(accessorySide[0].nextWake) }
    return wake
  }

  package mutating func timePassed(at now: Duration) {
    if let hostWake, hostWake <= now {
      self.hostWake = nil
      perform(host.timePassed(at: now), at: now)
    }
    if let backgroundDeadline, backgroundDeadline <= now { backgroundExpired(at: now) }
    for index in sessions.indices { timePassed(index, at: now) }
    if !accessorySide.isEmpty { tellAccessory(at: now) { $0.timePassed(at: now) } }
    if departing.isEmpty { return }
    for (chipID, leaving) in departing.sorted(by: { $0.key < $1.key }) {
      if let deadline = leaving.deadline, deadline <= now { close(chipID, at: now) }
    }
  }
}
