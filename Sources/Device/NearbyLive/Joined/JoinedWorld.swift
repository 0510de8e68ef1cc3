import Dispatch
import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation
import NearbyRadioLinks
import NearbyWorldProtocol
import Synchronization

/// A process's connection to a world, which carries its chip's octets, its poses, its clock and its user's answers.
///
/// A lost connection is retried until the world is back; the device's chip and camera are silent until then. If the
/// world reports that the device belongs to another program or was removed, nothing is retried.
package final class JoinedWorld: Sendable {
  /// An event from the world, other than octets and poses.
  enum Event: Sendable {
    case command(DeviceMachine.Command)
    /// An answer to a question about location, or a change in Settings.
    case location(WorldQuestion, WorldAnswer)
    /// The chip is unavailable until the next connection.
    case interrupted
    case restored
    /// The rate of the world's time changed.
    case rateChanged
    /// The program lost its device for good; the reason is for the person who started it.
    case ended(String)
  }

  private struct State {
    var link: DescriptorLink?
    var reader = WorldFrameReader()
    var time: JoinedTime
    var octets: (@Sendable ([UInt8]) -> Void)?
    var frames: (@Sendable (CameraFrame) -> Void)?
    var events: (@Sendable (Event) -> Void)?
    var bluetooth: (@Sendable (WorldBluetoothMessage) -> Void)?
    var person: JoinedPerson?
    var cameraRun: UInt32?
    /// The world's time when the last frame was made.
    var lastFrame = Duration.zero
    var isClosed = false
    /// Sessions that have not ended, to be sent again after a reconnection.
    var sessions: [UInt32: (token: [UInt8], peer: [UInt8]?)] = [:]
    /// The app's display and background modes, to be sent again after a reconnection.
    var display: AppDisplay?
    var backgroundModes: AppBackgroundModes?
    /// When another program was first seen to hold this program's device.
    var heldSince: ContinuousClock.Instant?
    /// The last message to the person who started the program.
    var lastNotice = ""
  }

  static let retryInterval = DispatchTimeInterval.milliseconds(300)
  /// Octets that may wait to be sent; reports are dropped before that.
  private static let queueLimit = 1 << 20

  private let dial: WorldDial
  private let notice: @Sendable (String) -> Void
  /// Reads and connects; no code of an app runs on it.
  private let queue = DispatchQueue(label: "swift-nearby.joined")
  private let state: Mutex<State>
  let welcome: WorldWelcome

  /// Joins the world. Blocks.
  package init(_ dial: WorldDial, notice: @escaping @Sendable (String) -> Void) throws(WorldDial.Failure) {
    let joined = try dial.joinPatiently()
    self.dial = dial
    self.notice = notice
    welcome = joined.welcome
    var time = JoinedTime(at: .now)
    time.joined(joined.time, joined.welcome.rate, at: .now)
    state = Mutex(State(time: time))
    attach(joined)
  }

  /// Starts delivering events; call once all recipients are set.
  func open(_ notify: @escaping @Sendable (Event) -> Void) {
    let link = state.withLock { state in
      state.events = notify
      return state.link
    }
    if let link { start(link) }
    // Processes octets that arrived with the welcome.
    queue.async { [self] in receive([]) }
  }

  // MARK: The connection

  private func attach(_ joined: WorldDial.Joined) {
    let link = DescriptorLink(descriptor: joined.descriptor, queue: queue, queueLimit: Self.queueLimit)
    state.withLock { state in
      state.link = link
      state.reader = joined.reader
    }
  }

  private func start(_ link: DescriptorLink) {
    link.start(
      onReceive: { [weak self] in self?.receive($0) },
      onClose: { [weak self, weak link] _ in self?.lost(link) })
  }

  private func lost(_ link: DescriptorLink?) {
    let notify = state.withLock { state -> (@Sendable (Event) -> Void)? in
      guard state.link === link, !state.isClosed else { return nil }
      state.link = nil
      return state.events
    }
    guard let notify else { return }
    reportOnce("NEARBY_WORLD: Lost the connection to the world; retrying")
    notify(.interrupted)
    retry()
  }

  private func retry() {
    queue.asyncAfter(deadline: .now() + Self.retryInterval) { [weak self] in self?.connectAgain() }
  }

  private func connectAgain() {
    guard state.withLock({ !$0.isClosed }) else { return }
    do throws(WorldDial.Failure) {
      let joined = try dial.join()
      state.withLock { $0.time.joined(joined.time, joined.welcome.rate, at: .now) }
      attach(joined)
      apply(joined.welcome)
    } catch {
      if case .ended(let end) = error, !mayRetry(end) { return finish(end) }
      if case .refused = error { reportOnce("NEARBY_WORLD: \(error)") }
      return retry()
    }
    state.withLock { $0.heldSince = nil }
    let (link, notify, run) = state.withLock { ($0.link, $0.events, $0.cameraRun) }
    reportOnce("NEARBY_WORLD: back in the world")
    if let run { send(.camera(run: run)) }
    sendApp()
    sendSessions()
    notify?(.restored)
    if let link { start(link) }
    receive([])
  }

  /// Whether to retry because another program has held the device for a short time only.
  private func mayRetry(_ end: WorldEnd) -> Bool {
    guard end.cause == .held else { return false }
    return state.withLock { state in
      let since = state.heldSince ?? .now
      state.heldSince = since
      return ContinuousClock.now - since < WorldDial.heldPatience
    }
  }

  /// Ends the connection for good. Runs on `queue`.
  private func finish(_ end: WorldEnd) {
    let (link, notify) = state.withLock { state in
      state.isClosed = true
      defer { state.link = nil }
      return (state.link, state.events)
    }
    link?.close()
    reportOnce("NEARBY_WORLD: \(end.reason)")
    notify?(.interrupted)
    notify?(.ended(end.reason))
  }

  /// Applies answers that may have changed in the world during the interruption.
  private func apply(_ welcome: WorldWelcome) {
    guard let notify = state.withLock({ $0.events }) else { return }
    notify(.command(welcome.isInForeground ? .enterForeground : .enterBackground))
    notify(.command(.setPermission(Permission(welcome.permission))))
    notify(.command(.setCameraPermission(Permission(welcome.cameraPermission))))
  }

  /// Sets the app's background modes in this world, and after each reconnection.
  func declare(_ modes: AppBackgroundModes) {
    state.withLock { $0.backgroundModes = modes }
    send(.declares(modes))
  }

  private func sendApp() {
    let (modes, display) = state.withLock { ($0.backgroundModes, $0.display) }
    if let modes { send(.declares(modes)) }
    if let display { send(.shows(display)) }
  }

  private func sendSessions() {
    let sessions = state.withLock { $0.sessions }
    for number in sessions.keys.sorted() {
      guard let session = sessions[number] else { continue }
      send(.report(SessionReport(session: number, event: .made(token: session.token))))
      if let peer = session.peer { send(.report(SessionReport(session: number, event: .run(peer: peer)))) }
    }
  }

  /// Reports a message unless it is the same as the last one.
  private func reportOnce(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.lastNotice = text }
      return state.lastNotice != text
    }
    if isNew { notice(text) }
  }

  // MARK: Receiving

  /// Runs on `queue`.
  private func receive(_ octets: [UInt8]) {
    state.withLock { $0.reader.append(octets) }
    while true {
      do throws(WorldProtocolError) {
        guard let (message, time) = try nextMessage() else { return }
        act(on: message, at: time)
      } catch {
        reportOnce("NEARBY_WORLD: bad frame: \(error)")
        let link = state.withLock { $0.link }
        link?.close()
        return lost(link)
      }
    }
  }

  private func nextMessage() throws(WorldProtocolError) -> (message: WorldMessage, time: Duration)? {
    try state.withLock { (state) throws(WorldProtocolError) in
      guard let frame = try state.reader.next() else { return nil }
      let message = try WorldMessage(frame)
      state.time.heard(frame.time, at: .now)
      state.lastFrame = frame.time
      return (message, frame.time)
    }
  }

  private func act(on message: WorldMessage, at time: Duration) {
    let (octets, frames, notify, run) = state.withLock {
      ($0.octets, $0.frames, $0.events, $0.cameraRun)
    }
    switch message {
    case .welcome, .observed: break
    case .ended(let end): finish(end)
    case .refused(let reason): reportOnce("NEARBY_WORLD: refused: \(reason)")
    case .clock(let rate):
      state.withLock { $0.time.set(rate) }
      notify?(.rateChanged)
    case .uci(let received): octets?(received)
    case .pose(let pose):
      // A pose of an earlier run of tracking is dropped.
      if pose.run == run { frames?(CameraFrame(pose, at: now())) }
    case .foreground(let isInForeground):
      notify?(.command(isInForeground ? .enterForeground : .enterBackground))
    case .answer(.nearby, let answer): notify?(.command(.answerPermission(Permission(answer))))
    case .answer(.camera, let answer): notify?(.command(.answerCameraPermission(Permission(answer))))
    case .setting(.nearby, let answer): notify?(.command(.setPermission(Permission(answer))))
    case .setting(.camera, let answer): notify?(.command(.setCameraPermission(Permission(answer))))
    case .answer(.bluetooth, _), .setting(.bluetooth, _): break
    case .answer(let question, let answer), .setting(let question, let answer):
      notify?(.location(question, answer))
    case .picked(let number, let pick): state.withLock { $0.person }?.received(pick, to: number)
    case .bluetooth(let message): state.withLock { $0.bluetooth }?(message)
    }
  }

  // MARK: Sending

  /// Makes the device's Bluetooth in the world, which receives the world's messages in order.
  func makeBluetooth() -> JoinedBluetooth {
    let bluetooth = JoinedBluetooth { [weak self] in self?.send(.bluetooth($0)) }
    state.withLock { $0.bluetooth = { [weak bluetooth] in bluetooth?.received($0) } }
    return bluetooth
  }

  /// Makes the person whom accessory pickers ask.
  func makePerson() -> JoinedPerson {
    let person = JoinedPerson { [weak self] in self?.send(.picks($0)) }
    state.withLock { $0.person = person }
    return person
  }

  func makeLocation() -> JoinedLocation {
    JoinedLocation { [weak self] in self?.send(.asks($0)) }
  }

  private func send(_ message: DeviceMessage) {
    let (link, time) = state.withLock { ($0.link, $0.time.now(at: .now)) }
    guard let link else { return }
    var octets: [UInt8] = []
    message.frame(at: time).write(to: &octets)
    // A world that does not read will soon count as lost.
    try? link.send(octets)
  }
}

extension JoinedWorld: UCILink {
  package func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) {
    state.withLock { $0.octets = onReceive }
  }

  package func send(_ octets: [UInt8]) throws(LinkError) {
    var rest = octets[...]
    while !rest.isEmpty {
      send(.uci(Array(rest.prefix(DeviceMessage.uciPiece))))
      rest = rest.dropFirst(DeviceMessage.uciPiece)
    }
  }

  /// Has no effect: the chip's octets share the connection with time and answers, which must not stop. The world
  /// limits the chip.
  package func pauseReading() {}

  package func resumeReading() {}

  package func close() {
    let link = state.withLock { state in
      state.isClosed = true
      return state.link
    }
    link?.close()
  }
}

extension JoinedWorld: PoseSource {
  package func start(onFrame: @escaping @Sendable (CameraFrame) -> Void) {
    state.withLock { $0.frames = onFrame }
  }
}

extension JoinedWorld: DeviceClock {
  package func now() -> Duration { state.withLock { $0.time.now(at: .now) } }

  package func wait(until time: Duration) -> Duration? {
    state.withLock { state in
      _ = state.time.now(at: .now)
      return state.time.wait(until: time)
    }
  }
}

extension JoinedWorld: DeviceWatcher {
  package func made(_ session: SessionID, _ identity: DiscoveryIdentity) {
    report(session, .made(token: identity.octets))
  }

  package func commanded(_ command: DeviceMachine.Command) {
    switch command {
    case .run(let session, let configuration): report(session, .run(peer: configuration.peer.octets))
    case .pause(let session): report(session, .paused)
    case .invalidate(let session), .release(let session): report(session, .ended)
    case .listen, .reject, .useCamera, .runCamera, .pauseCamera, .answerCameraPermission,
      .setCameraPermission,
      .enterBackground, .enterForeground, .answerPermission, .setPermission, .sounding, .setMotion,
      .setAccessoryLink,
      .startAccessory,
      .accessory, .stopAccessory, .relaunch:
      break
    }
  }

  package func delivered(_ event: SessionEvent, to session: SessionID, hypotheses: [SeenHypothesis]) {
    if let event = SessionReport.Event(event, hypotheses: hypotheses) { report(session, event) }
  }

  package func cameraChanged(run: Int?) {
    let run = run.map { UInt32(truncatingIfNeeded: $0) }
    state.withLock { $0.cameraRun = run }
    send(.camera(run: run))
  }

  private func report(_ session: SessionID, _ event: SessionReport.Event) {
    let number = UInt32(truncatingIfNeeded: session.index)
    state.withLock { state in
      switch event {
      case .made(let token): state.sessions[number] = (token, nil)
      case .run(let peer): state.sessions[number]?.peer = peer
      case .ended, .invalidated: state.sessions[number] = nil
      case .paused, .updated, .convergence, .removed, .suspended, .suspensionEnded, .startedRunning: break
      }
    }
    send(.report(SessionReport(session: number, event: event)))
  }

  /// Sends questions to the person at the device.
  struct User: PermissionKeeper {
    let world: JoinedWorld
    let question: WorldQuestion

    /// The answer arrives as a command.
    package func ask(_ completion: @escaping @Sendable (Permission) -> Void) { world.send(.asks(question)) }

    package func store(_ permission: Permission) {}
  }
}

extension JoinedWorld {
  /// The world's time when it made the last frame received.
  package var lastFrameTime: Duration { state.withLock { $0.lastFrame } }

  /// Sends the app's display to the world's observers. Call from any thread.
  package func shown(_ display: AppDisplay) {
    let isNew = state.withLock { state in
      defer { state.display = display }
      return state.display != display
    }
    if isNew { send(.shows(display)) }
  }
}

extension CameraFrame {
  init(_ pose: WorldPose, at time: Duration) {
    let tracking: CameraTracking =
      switch pose.tracking {
      case 1: .initializing
      case 2: .excessiveMotion
      case 3: .insufficientFeatures
      case 4: .relocalizing
      case 5: .normal
      default: .notAvailable
      }
    self.init(
      time: time, pose: DevicePose(positionInWorld: pose.position, worldFromDevice: pose.attitude),
      tracking: tracking, ambientIntensity: pose.light)
  }
}
