import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyRadioLinks
import NearbyWorldProtocol
import Synchronization

/// Runs one device in real time, with a real radio or without one.
///
/// Events and actions of the machine run on one serial queue; `Delivery` describes the order of the actions. The
/// machine is behind a lock, so that sessions can be made, and location be used, from any thread. Apps are called on
/// their own queues, asynchronously.
package final class LiveDriver: DeviceShell, SessionSide, AccessorySide, CameraSide, AppSide {
  struct State: Sendable {
    var machine: DeviceMachine
    var sinks: [SessionID: WeakSink] = [:]
    var accessorySink = WeakBox<any AccessorySink>()
    var cameraSinks: [CameraUser: WeakBox<any CameraSink>] = [:]
    var locationSinks: [LocationUser: WeakBox<any LocationSink>] = [:]
    /// The user of Bluetooth that scans for the location side; `nil` before the first scan.
    var scanner: BluetoothUser?
    var generator = SystemRandomNumberGenerator()
    /// The epoch of tracking that was last reported to the watcher.
    var cameraRun: Int?
  }

  let state: Mutex<State>
  let queue = DispatchQueue(label: "swift-nearby.device")
  let link: (any UCILink)?
  /// Pauses reading from the link while the machine or the app's queues lag behind.
  private let window: ReceiveWindow?
  /// Memory that pending calls of the app and pending octets may take, octets.
  private static let windowLimit = 1 << 20
  /// Memory counted for a call of the app that the chip caused, octets.
  private static let deliverySize = 256
  /// The thread on which the machine is receiving from the chip; 0 for none.
  private let receivingThread = Atomic<UInt>(0)
  /// Memory counted for a received octet: a measurement of a few dozen octets becomes a call of the app.
  private static let octetSize = 16
  /// The number of poses that may wait for the machine.
  private static let poseLimit = 32
  let permissions: any PermissionKeeper
  let cameraPermissions: (any PermissionKeeper)?
  private let poses: (any PoseSource)?
  let network: LivePeers
  private let makeBluetooth: @Sendable (LiveTurns) -> any BluetoothSide
  private let madeBluetooth = Mutex<(any BluetoothSide)?>(nil)
  /// `nil` where accessories can't be set up.
  private let setupSettings: AccessorySetupSettings?
  private let setupPerson: (any SetupPerson)?
  private let madeSetup = Mutex<LiveSetup?>(nil)
  let makeLocation: @Sendable () -> LocationSetup
  let startedLocation = Mutex<StartedLocation?>(nil)
  let clock: any DeviceClock
  let watcher: (any DeviceWatcher)?
  private let appLife = AppLife()
  // Dispatch objects may be used from any thread; this one is only set on `queue`.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer

  /// - Parameters:
  ///   - link: Started by `begin`; `nil` for a machine without a radio.
  ///   - poses: Started by `begin`; `nil` for a machine without camera tracking.
  ///   - peers: The peer network; the default keeps keys in memory only.
  ///   - bluetooth: Called when Bluetooth is first used; the default has no adapter.
  ///   - location: Called when location is first used.
  ///   - accessorySetup: The accessories that the app declares; without any it has no set-up.
  ///   - setupPerson: The user who is asked about accessories; `nil` for the one at the terminal.
  ///   - clock: The machine's time; `nil` for real time.
  ///   - watcher: Notified of commands and deliveries.
  package init(
    machine: DeviceMachine, link: (any UCILink)?, permissions: any PermissionKeeper,
    poses: (any PoseSource)? = nil, cameraPermissions: (any PermissionKeeper)? = nil,
    peers: LivePeers = LivePeers(),
    bluetooth: @escaping @Sendable (LiveTurns) -> any BluetoothSide = {
      LiveBluetooth(BluetoothSettings(radio: nil), turns: $0)
    },
    location: @escaping @Sendable () -> LocationSetup = { .inMemory },
    accessorySetup: AccessorySetupSettings? = nil, setupPerson: (any SetupPerson)? = nil,
    clock: (any DeviceClock)? = nil, watcher: (any DeviceWatcher)? = nil
  ) {
    network = peers
    makeLocation = location
    setupSettings = accessorySetup
    self.setupPerson = setupPerson
    makeBluetooth = bluetooth
    state = Mutex(State(machine: machine))
    self.link = link
    window = link.map { ReceiveWindow($0, limit: Self.windowLimit) }
    self.permissions = permissions
    self.poses = poses
    self.cameraPermissions = cameraPermissions
    self.clock = clock ?? SteadyClock()
    self.watcher = watcher
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.feed { $0.timePassed(at: $1) } }
    timer.activate()
  }

  deinit {
    timer.cancel()
    link?.close()
    poses?.close()
  }

  /// Starts the link, brings the chip up, and starts the source of poses.
  package func begin() {
    link?.start(
      onReceive: { [weak self] octets in self?.received(octets) },
      onClose: { [weak self] _ in
        self?.enqueue { $0.linkClosed(at: $1) }
      })
    enqueue { $0.start(at: $1) }
    beginPoses()
  }

  private func beginPoses() {
    // Signalled up from zero: a semaphore must not be destroyed below its initial value.
    let room = DispatchSemaphore(value: 0)
    for _ in 0..<Self.poseLimit { room.signal() }
    poses?.start { [weak self, queue] frame in
      // Blocks the source's thread until the machine has caught up.
      room.wait()
      queue.async { [weak self] in
        defer { room.signal() }
        self?.feed { machine, now in
          var frame = frame
          frame.time = now
          machine.received(frame, notifiesOwner: machine.wantsCameraFrames, at: now)
        }
      }
    }
  }

  private func received(_ octets: [UInt8]) {
    let size = Self.deliverySize + octets.count * Self.octetSize
    window?.add(size)
    queue.async { [weak self, window] in
      if let self {
        receivingThread.store(UInt(pthread_self()), ordering: .relaxed)
        feed { $0.received(octets, at: $1) }
        receivingThread.store(0, ordering: .relaxed)
      }
      window?.remove(size)
    }
  }

  /// The chip is unavailable for now: sessions wait, and their apps are not notified.
  package func interruptLink() { enqueue { $0.linkInterrupted(at: $1) } }

  /// The chip is available again, in its state after power-on.
  package func restoreLink() { enqueue { $0.start(at: $1) } }

  /// The clock's rate changed: re-evaluates pending deadlines.
  package func clockChanged() { enqueue { $0.timePassed(at: $1) } }

  // MARK: DeviceShell

  package var sessions: any SessionSide { self }
  package var accessory: any AccessorySide { self }
  package var camera: any CameraSide { self }
  package var app: any AppSide { self }
  package var accessorySetup: (any AccessorySetupSide)? {
    // Making Bluetooth makes the set-up that limits it.
    _ = bluetooth
    return madeSetup.withLock { $0 }
  }

  private func makeSetup(for bluetooth: any BluetoothSide, _ turns: LiveTurns) {
    guard let setupSettings, setupSettings.usage != nil else { return }
    let setup = LiveSetup(setupSettings, turns: turns, person: setupPerson ?? TerminalPerson()) {
      [weak self] in
      self?.later(after: $0, $1)
    }
    madeSetup.withLock { $0 = setup }
    setup.limit(bluetooth)
  }

  /// This machine's Bluetooth, or that of the world that the process joined.
  package var bluetooth: any BluetoothSide {
    madeBluetooth.withLock { made in
      if let made { return made }
      let turns = LiveTurns(clock: clock) { [weak self] in self?.later($0) }
      let bluetooth = makeBluetooth(turns)
      made = bluetooth
      makeSetup(for: bluetooth, turns)
      return bluetooth
    }
  }

  // MARK: AppSide

  package var now: Duration { clock.now() }

  package func later(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  package func makeUser(_ sink: any CameraSink) -> CameraUser {
    state.withLock { state in
      let user = state.machine.makeCameraUser()
      state.cameraSinks[user] = WeakBox { [weak sink] in sink }
      return user
    }
  }

  package func release(_ user: CameraUser) {
    post(.pauseCamera(user))
    queue.async { [self] in state.withLock { $0.cameraSinks[user] = nil } }
  }

  package func frame(of user: CameraUser) -> CameraFrame? {
    state.withLock { $0.machine.cameraOwner == user ? $0.machine.cameraFrame : nil }
  }

  package func makeSession() -> (id: SessionID, identity: DiscoveryIdentity) {
    let made = state.withLock { $0.machine.makeSession(using: &$0.generator) }
    watcher?.made(made.id, made.identity)
    return made
  }

  package func attach(_ sink: any SessionSink, to session: SessionID) {
    state.withLock { $0.sinks[session] = WeakSink(sink: sink) }
  }

  package func attach(_ sink: any AccessorySink) {
    let sink = WeakBox<any AccessorySink> { [weak sink] in sink }
    state.withLock { $0.accessorySink = sink }
  }

  package func post(_ command: DeviceMachine.Command) {
    queue.async { [weak self] in
      self?.watcher?.commanded(command)
      self?.feed { $0.handle(command, at: $1) }
      guard let self, let isInForeground = AppLife.change(by: command) else { return }
      if appLife.set(isInForeground: isInForeground), appLife.isFollowed {
        perform(on: nil) { [appLife] in appLife.notifyFollower() }
      }
    }
    guard case .release(let id) = command else { return }
    queue.async { [self] in state.withLock { $0.sinks[id] = nil } }
  }

  package func later(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: body)
  }

  package var permission: Permission { state.withLock { $0.machine.permission } }

  package var life: AppLife { appLife }

  package var capabilities: DeviceCapabilities { state.withLock { $0.machine.capabilities } }

  package func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    (queue ?? .main).async(execute: counted(body))
  }

  package func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void) {
    SerialTurn.of(queue.queue).perform(on: queue.queue, counted(body))
  }

  /// Counts a call that the chip caused, so that the chip waits for an app that lags behind.
  private func counted(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let window, receivingThread.load(ordering: .relaxed) == UInt(pthread_self()) else { return body }
    window.add(Self.deliverySize)
    return {
      body()
      window.remove(Self.deliverySize)
    }
  }

  // MARK: The loop

  func enqueue(_ event: @escaping @Sendable (inout DeviceMachine, Duration) -> Void) {
    queue.async { [weak self] in self?.feed(event) }
  }

  /// Feeds the machine under the lock, then executes its actions outside it, in their order. Runs on `queue`.
  func feed(_ event: (inout DeviceMachine, Duration) -> Void) {
    let now = clock.now()
    let (actions, wake) = state.withLock { state in
      event(&state.machine, now)
      var actions: [DeviceMachine.Action] = []
      state.machine.takeActions(into: &actions)
      // Resolves recipients under the same lock, so that a delivery names the peer that its session has now.
      return (actions.map { ($0, state.delivery(of: $0)) }, state.machine.earliestWake())
    }
    for (action, delivery) in actions { execute(action, delivery) }
    reportCameraRun()
    setTimer(wake)
  }

  private func setTimer(_ wake: Duration?) {
    // While time stands still, nothing becomes due.
    guard let wake, let left = clock.wait(until: wake) else {
      return timer.schedule(deadline: .distantFuture)
    }
    // An hour at most: after an early wake the machine gives the rest of the wait.
    let wait = min(left, .seconds(3600))
    timer.schedule(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1))))
  }
}
