import NearbyBluetooth
import NearbyEstimation
import NearbyUCI

/// One device: its chip's host, its sessions, its app's life cycle, its user's answers, its location side.
///
/// An app calls `run` on its sessions whenever it likes; the user has to be asked first, the chip takes
/// several commands and answers each later or never, it may fail and come back, and the app may be suspended
/// in between. This machine brings these together and notifies the app of each session exactly as Apple's
/// "Nearby Interaction" documentation (`NISession`, `NISessionDelegate`) describes it.
///
/// It is pure: it has no clock, thread, link or random source of its own. In go commands of the app and the
/// user (`handle`), octets of the chip and the state of its link (`received`, `linkClosed`,
/// `linkInterrupted`), poses of the camera, location's requests and advertisements (`updateLocation`,
/// `receivedForLocation`), and the time (`timePassed`, due at `nextWake`). Out come actions, collected by
/// `takeActions`.
///
/// Its state is one enum each for the chip (`Radio`), the app (`AppState`) and the user's answer (`Consent`),
/// and a list of sessions, each in one `RangingSession.Phase`:
///
///     new ── run ──► awaitingPermission ──► awaitingRadio ──► ranging: opening ► starting ► running
///                                                                ▲ lost ◄──── the chip failed ──┘
///
/// `pause` and the loss of the peer lead from any of these to `idle`, the background to `suspended`, and an
/// error or `invalidate` to `invalidated`, which is final. A camera, the device's own accessory and the app's
/// location side are machines of their own, which this one feeds; their actions go into the one list, and
/// their wakes into the one `nextWake`.
///
/// What always holds:
/// - Actions are to be executed in the order given; octets and events of one call may depend on each other.
/// - An invalidated session gets no further event, and its error is the last one.
/// - A session ranges on the chip under one id, and the next ranging under that id waits until the chip has
///   closed it.
/// - Every call ends, and memory is bounded by the sessions that the app made; nothing that the chip says
///   adds to it.
/// - The same calls give the same actions.
package struct DeviceMachine: Sendable {
  /// What an app, its user or the system asks of a device.
  package enum Command: Sendable, Equatable {
    case run(SessionID, PeerConfiguration)
    /// Listens to a network of anchors.
    case listen(SessionID, AnchorNetworkConfiguration)
    /// The app asked for something that no session can do; ends the session like `run` with a bad
    /// configuration.
    case reject(SessionID, SessionFailure)
    /// Names the user of the camera that assists a session when it runs with camera assistance.
    case useCamera(SessionID, CameraUser)
    case runCamera(CameraUser, wantsFrames: Bool, resets: Bool)
    case pauseCamera(CameraUser)
    case answerCameraPermission(Permission)
    case setCameraPermission(Permission)
    case pause(SessionID)
    case invalidate(SessionID)
    /// The app released the session: like `invalidate`, and its memory is freed.
    case release(SessionID)
    case enterBackground
    case enterForeground
    /// The user's answer to the question that `askPermission` put.
    case answerPermission(Permission)
    /// The user changes the answer in Settings.
    case setPermission(Permission)
    /// What Bluetooth reports about a session that ranges by Channel Sounding.
    case sounding(SessionID, SoundingInput)
    /// The app says whether a session's accessory moves.
    case setMotion(SessionID, DiscoveryIdentity, isMoving: Bool)
    /// The state of an accessory on Bluetooth; `nil` while it is not paired and connected.
    case setAccessoryLink(BluetoothPeer, AccessoryLinkState?)
    /// Makes the device an accessory, beside its sessions; replaces the accessory that it was before.
    case startAccessory(AccessorySettings, address: UInt16)
    case accessory(AccessoryInput)
    case stopAccessory
    /// The app was launched again: its old sessions are gone and get no event, as after a crash.
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
    /// Indirect: the other actions would be as large.
    indirect case location(LocationMachine.Action)
  }

  // What every round needs comes first: a world of thousands of devices pays for memory that is not in the
  // cache.
  var radio: ChipState
  /// In the order in which they were made; few, so a linear search finds one.
  var sessions: [RangingSession] = []
  /// Actions since the shell last called `takeActions`.
  var actions: [Action] = []
  /// When the chip's host wants to be woken.
  var hostWake: Duration?
  var appState = AppState.foreground
  /// `nil` while the device is no accessory.
  var accessorySide: Boxed<OwnAccessory>?
  /// `nil` until a session listens to anchors.
  var anchors: Boxed<AnchorSessions>?
  /// `nil` until the app's launch uses location.
  var location: Boxed<LocationMachine>?
  package var settings: DeviceSettings
  var host = UCIHost()
  var sessionsMade = 0
  /// The measurements that the chip reported as unsupported when it last came up.
  var unmeasured: DeviceCapabilities = []
  var consent: Consent
  /// The reason given to the user, `NSNearbyInteractionUsageDescription`; without it no permission is asked.
  package var usageDescription: String?
  var camera = CameraMachine()
  /// What the app's property list has under `UIBackgroundModes`.
  package var backgroundModes: Set<String> = []
  /// The accessories that are paired and connected.
  var accessoryLinks: [BluetoothPeer: AccessoryLinkState] = [:]
  /// How often a session with an accessory was to be set up; each time gives a session id of its own.
  var accessoryRuns = 0

  /// - Parameter hasRadio: Without one every `run` ends in `unsupportedPlatform`.
  package init(
    settings: DeviceSettings = DeviceSettings(), hasRadio: Bool, permission: Permission = .notDetermined,
    usageDescription: String?
  ) {
    self.settings = settings
    consent = .known(permission)
    self.usageDescription = usageDescription
    radio = hasRadio ? .starting : .absent
  }

  /// What the device can do; once its chip was up, without what that chip cannot measure.
  package var capabilities: DeviceCapabilities {
    radio.isAbsent ? [] : settings.capabilities.subtracting(unmeasured)
  }

  /// The user's answer, as far as it is known.
  package var permission: Permission { consent.permission }

  var isInForeground: Bool { appState == .foreground }

  /// Moves the collected actions to `list`, whose content is dropped.
  package mutating func takeActions(into list: inout [Action]) {
    // The storage moves too: if each device kept its own, it would not be in the cache when the device's turn
    // comes.
    list = actions
    actions = []
  }

  /// The peer with which `run` was last called.
  ///
  /// Mutating only so that the machine is read in place; a copy of it is half a kilobyte.
  package mutating func peer(of id: SessionID) -> DiscoveryIdentity? {
    for index in sessions.indices where sessions[index].id == id {
      return sessions[index].configuration?.peer
    }
    return nil
  }

  /// When a session's present ranging last gave a range; `nil` if it has not yet.
  package func lastHeard(of id: SessionID) -> Duration? {
    index(of: id).flatMap { sessions[$0].contact?.lastHeard }
  }

  func index(of id: SessionID) -> Int? {
    // Not `firstIndex`, which copies each session to ask.
    for index in sessions.indices where sessions[index].id == id { return index }
    return nil
  }

  // MARK: Events

  /// Brings the chip up. Call once the link is open, and again after `linkInterrupted`.
  package mutating func start(at now: Duration) {
    guard !radio.isAbsent else { return }
    perform(host.start(at: now), at: now)
  }

  /// Makes a session, with its token.
  package mutating func makeSession(
    using generator: inout some RandomNumberGenerator
  ) -> (id: SessionID, identity: DiscoveryIdentity) {
    let id = SessionID(index: sessionsMade)
    sessionsMade += 1
    // Peers have no use for the capabilities that concern anchors and accessories.
    let identity = DiscoveryIdentity(
      capabilities: capabilities.subtracting([.downlinkTDoA, .channelSounding]), using: &generator)
    sessions.append(RangingSession(id: id, identity: identity))
    return (id, identity)
  }

  package mutating func handle(_ command: Command, at now: Duration) {
    switch command {
    case .run(let id, let configuration):
      if let index = index(of: id) { run(index, configuration, at: now) }
    case .listen(let id, let configuration):
      if let index = index(of: id) { listen(index, configuration, at: now) }
    case .reject(let id, let failure):
      if let index = index(of: id) { fail(index, failure, at: now) }
    case .useCamera, .runCamera, .pauseCamera, .answerCameraPermission, .setCameraPermission:
      handleCamera(command, at: now)
    case .pause(let id):
      if let index = index(of: id) { pause(index, at: now) }
    case .invalidate(let id):
      if let index = index(of: id) { end(index, sayingGoodbye: true, at: now) }
    case .release(let id): release(id, at: now)
    case .enterBackground:
      enterBackground(at: now)
      updateLocation { $0.setForeground(false, at: now) }
    case .enterForeground:
      enterForeground(at: now)
      updateLocation { $0.setForeground(true, at: now) }
    case .answerPermission(let answer): answerPermission(answer, at: now)
    case .setPermission(let answer): setPermission(answer, at: now)
    case .sounding(let id, let input):
      if let index = index(of: id) { receive(input, index, at: now) }
    case .setMotion(let id, let peer, let isMoving):
      if let index = index(of: id) { setMotion(isMoving, of: peer, index) }
    case .setAccessoryLink(let peer, let state): setLink(peer, state, at: now)
    case .startAccessory(let settings, let address): startAccessory(settings, address: address, at: now)
    case .accessory(let input): handleAccessory(input, at: now)
    case .stopAccessory: stopAccessory(at: now)
    case .relaunch: relaunch(at: now)
    }
  }

  /// Octets of the chip, in any chunking.
  package mutating func received(_ octets: [UInt8], at now: Duration) {
    guard !radio.isAbsent else { return }
    perform(host.received(octets, at: now), at: now)
  }

  /// The chip's link is gone for good.
  package mutating func linkClosed(at now: Duration) {
    guard !radio.isAbsent else { return }
    perform(host.linkClosed(), at: now)
    radioFailed(at: now)
  }

  /// The chip's link is gone and will come back: call `start` then. Sessions wait until the chip is ready.
  package mutating func linkInterrupted(at now: Duration) {
    guard !radio.isAbsent else { return }
    _ = host.linkClosed()
    hostWake = nil
    radioRecovering(at: now)
  }

  /// The earliest time at which `timePassed` has something to do.
  package var nextWake: Duration? {
    var machine = self
    return machine.earliestWake()
  }

  /// The same as `nextWake`, without a copy of the machine: worlds ask after every event.
  package mutating func earliestWake() -> Duration? {
    var wake = hostWake
    wake.lower(to: appState.backgroundDeadline)
    // By index: a loop over the sessions themselves copies each.
    for index in sessions.indices {
      wake.lower(to: sessions[index].phase.wake)
      if case .sounding(let sounding) = sessions[index].phase {
        wake.lower(to: sounding.value.deadline(settings.peerTimeout))
      }
    }
    if case .ready(let departing) = radio, !departing.isEmpty {
      for leaving in departing.values { wake.lower(to: leaving.deadline) }
    }
    if let accessorySide { wake.lower(to: accessorySide.value.machine.nextWake) }
    if let location { wake.lower(to: location.value.nextWake) }
    return wake
  }

  package mutating func timePassed(at now: Duration) {
    if let hostWake, hostWake <= now {
      self.hostWake = nil
      perform(host.timePassed(at: now), at: now)
    }
    if let deadline = appState.backgroundDeadline, deadline <= now { backgroundExpired(at: now) }
    for index in sessions.indices { timePassed(index, at: now) }
    notifyAccessory(at: now) { $0.timePassed(at: now) }
    locationTimePassed(at: now)
    guard case .ready(let departing) = radio, !departing.isEmpty else { return }
    for (chipID, leaving) in departing.sorted(by: { $0.key < $1.key }) {
      if let deadline = leaving.deadline, deadline <= now { close(chipID, at: now) }
    }
  }
}
