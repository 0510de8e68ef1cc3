import NearbyAccessorySetup
import NearbyAirs
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyExchange
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB

/// One device of a simulated world. The properties that every round reads come first: with thousands of devices,
/// cache misses dominate the cost.
struct SimulatedDevice: Sendable {
  let radio: RadioID
  var sinks = SessionSinks()
  /// The time of the valid wake in the heap; other wakes of this device are stale.
  var wake: Duration?
  /// The time at which the machine wants to be woken; not before `wake`.
  private var wishedWake: Duration?
  var machine: DeviceMachine
  let body: BodyID
  /// How the user answers when an app asks; `nil` leaves the question open until somebody answers.
  var answer: Permission?
  /// Draws the tokens of this device's sessions.
  private var generator: SplitMix64

  init(
    machine: DeviceMachine, radio: RadioID, body: BodyID, answer: Permission?, generator: SplitMix64
  ) {
    self.machine = machine
    self.radio = radio
    self.body = body
    self.answer = answer
    self.generator = generator
  }

  mutating func makeSession() -> (id: SessionID, identity: DiscoveryIdentity) {
    machine.makeSession(using: &generator)
  }

  /// Draws from the source of the tokens, which depends only on the device's name.
  mutating func drawNumber() -> UInt64 { generator.next() }

  /// Reads the machine's next wake after an event.
  ///
  /// - Returns: A wake to put in the heap; `nil` if an earlier one is already there, which then checks the machine's
  ///   wish again.
  mutating func updateWake(now: Duration) -> Duration? {
    wishedWake = machine.earliestWake()
    guard wishedWake != wake else { return nil }
    if let wake, let wishedWake, wake <= wishedWake, wake > now { return nil }
    wake = wishedWake
    return wake
  }

  /// Handles a wake that left the heap.
  ///
  /// - Returns: Whether the machine is due now, and otherwise the next wake to put in the heap.
  mutating func woken(at time: Duration, now: Duration) -> (isDue: Bool, next: Duration?) {
    guard wake == time else { return (false, nil) }
    wake = nil
    if let wishedWake, wishedWake > now {
      wake = wishedWake
      return (false, wishedWake)
    }
    return (true, nil)
  }
}

/// An action of a device's machine that is still to be executed: a delivery to an app, or an action that follows
/// one.
struct PendingAction: Sendable {
  let device: Int
  let action: DeviceMachine.Action
  /// The peer of the action's session when the machine gave the action.
  let peer: DiscoveryIdentity?
}

/// The whole simulated world between two steps of its pump. It is a value behind the pump's lock.
struct WorldState: Sendable {
  var now = Duration.zero
  var air: SimulatedAir
  var devices: [SimulatedDevice] = []
  /// By the radio's index on the air.
  ///
  /// −1 for an anchor, whose chip sends nothing to a host.
  private var deviceOfRadio: [Int] = []
  var tasks = WorldTasks()
  /// Deliveries for the pump, and the actions that wait behind them, in order.
  var outbox: [PendingAction] = []
  /// The number of elements of the outbox that are not deliveries.
  var waitingActions = 0
  var blocks: [ScheduledBlock] = []
  private var scratch: [DeviceMachine.Action] = []
  /// Called with each action that the world itself executes; set by tests of the order.
  var onExecution: (@Sendable (_ device: Int, DeviceMachine.Action) -> Void)?
  /// Logs the events that sessions deliver; `nil` unless the run is recorded.
  var sessionLog: SessionLog?
  let seed: UInt64
  /// The number of devices so far with each hash of a name.
  private var namesakes: [UInt64: UInt64] = [:]
  private var sent: [VirtualAir.Action] = []
  /// By device; only devices whose camera was used.
  var cameras: [Int: SimulatedCamera] = [:]
  /// By device; only devices that are accessories.
  var accessorySinks: [Int: WeakBox<any AccessorySink>] = [:]
  var network: WorldNetwork
  /// By device; only devices whose user was asked something.
  var questions: [Int: PersonAtDevice] = [:]
  var bluetoothSinks: [BluetoothUser: any BluetoothSink] = [:]
  /// How a device's user answers when an app asks for Bluetooth; `nil` leaves the question open.
  var bluetoothAnswers: [Int: BluetoothAuthorization?] = [:]
  /// By device; only devices whose app, or test, used location.
  var locations: [Int: SimulatedLocation] = [:]
  /// By device; only devices whose app, or test, used the accessory set-up.
  var setups: [Int: SimulatedSetup] = [:]

  init(seed: UInt64, world: SimulatedWorld) {
    air = SimulatedAir(seed: seed, world: world)
    self.seed = seed
    network = WorldNetwork(seed: seed)
  }

  // MARK: Entering

  /// Adds the anchors of a scenario, in its order.
  mutating func addAnchors(of scenario: Scenario) {
    air.addAnchors(of: scenario, at: now)
    deviceOfRadio += [Int](repeating: -1, count: scenario.anchors.count)
  }

  /// Adds an anchor for a body that is already in the world.
  ///
  /// - Returns: Its index on the air; `nil` if its chip refuses the setup.
  mutating func addAnchor(
    named name: String, _ setup: AnchorSetup, _ characteristics: RadioCharacteristics, body: BodyID,
    advertises: Bool
  ) -> Int? {
    defer { deviceOfRadio.append(-1) }
    return air.addAnchor(
      named: name, setup, characteristics, body: body, advertises: advertises, at: now)
  }

  mutating func addDevice(
    named name: String, _ machine: DeviceMachine, chip: VirtualChipConfiguration,
    radio radioInWorld: Int, body: BodyID, answer: Permission?
  ) -> Int {
    let index = devices.count
    let radio = air.addChip(chip, radio: radioInWorld, at: now)
    precondition(radio.index == deviceOfRadio.count, "every chip on this air must have an entry")
    deviceOfRadio.append(index)
    devices.append(
      SimulatedDevice(
        machine: machine, radio: radio, body: body, answer: answer, generator: generator(for: name)))
    devices[index].machine.start(at: now)
    runUntilIdle(index)
    return index
  }

  /// Tokens depend only on the name of their device, so that adding a device, or adding devices in another order,
  /// leaves the numbers of all others unchanged. Devices of the same name draw different ones.
  private mutating func generator(for name: String) -> SplitMix64 {
    let hash = StableHash.of(name)
    let count = namesakes[hash, default: 0]
    namesakes[hash] = count + 1
    var mixer = SplitMix64(seed: seed ^ hash)
    return SplitMix64(seed: mixer.next() &+ count &* 0x9E6C_63D0_676A_9A99)
  }

  /// Time that an app's request takes to reach the chip's driver. Without it, an app that retries as soon as it
  /// fails would retry endlessly, and time would never advance.
  static let commandLatency = Duration.milliseconds(1)

  mutating func post(_ command: DeviceMachine.Command, device: Int) {
    tasks.insert(.command(device: device, command), at: now + Self.commandLatency)
  }

  mutating func schedule(_ block: ScheduledBlock, at time: Duration) {
    tasks.insert(.perform(block), at: max(time, now))
  }

  // MARK: Stepping

  /// The work that one step leaves for the pump to do outside the lock.
  enum Step: Sendable {
    case deliver([PendingAction])
    case perform([ScheduledBlock])
    case finished
  }

  /// Advances to the next event that concerns an app, or to `end`.
  ///
  /// Of simultaneous events, the world's own tasks (commands, wakes, packets) come first, then the air in its own
  /// order, then the octets between chips and hosts, then calls of apps and what waits behind these.
  mutating func step(until end: Duration) -> Step {
    while true {
      if let deliveries = takeDeliveries() { return .deliver(deliveries) }
      if !blocks.isEmpty {
        defer { blocks.removeAll() }
        return .perform(blocks)
      }
      guard let next = nextEventTime, next <= end else {
        now = max(now, end)
        return .finished
      }
      now = max(now, next)
      runTasks()
      air.advance(to: now)
      exchangeOctets()
      performBluetoothActions()
    }
  }

  var nextEventTime: Duration? {
    guard let task = tasks.firstTime else { return air.nextEventTime }
    return air.nextEventTime.map { min(task, $0) } ?? task
  }

  /// Executes a command immediately; its deliveries come with the next step.
  mutating func handle(_ command: DeviceMachine.Command, device: Int) {
    // Camera assistance pairs each distance with the pose at its time.
    if case .sounding = command, !cameras.isEmpty { sampleCamera(of: device) }
    devices[device].machine.handle(command, at: now)
    switch command {
    case .release(let id): devices[device].sinks.remove(id)
    case .enterBackground: setBluetoothForeground(false, device: device)
    case .enterForeground: setBluetoothForeground(true, device: device)
    case .run, .listen, .reject, .useCamera, .runCamera, .pauseCamera, .answerCameraPermission,
      .setCameraPermission,
      .pause, .invalidate, .answerPermission, .setPermission, .sounding, .setMotion, .setAccessoryLink,
      .startAccessory, .accessory,
      .stopAccessory, .relaunch:
      break
    }
    runUntilIdle(device)
    if !cameras.isEmpty { scheduleCameraFrame(of: device) }
  }

  private mutating func runTasks() {
    while let time = tasks.firstTime, time <= now, let first = tasks.removeFirst() {
      switch first.task {
      case .perform(let block): blocks.append(block)
      case .command(let device, let command): handle(command, device: device)
      case .runUntilIdle(let device): runUntilIdle(device)
      case .wake(let device):
        let (isDue, next) = devices[device].woken(at: time, now: now)
        if let next { tasks.insert(.wake(device: device), at: next) }
        guard isDue else { continue }
        if !cameras.isEmpty { sampleCamera(of: device) }
        devices[device].machine.timePassed(at: now)
        runUntilIdle(device)
      case .cameraFrame(let device): takeCameraFrame(of: device)
      case .network(let task): handleNetwork(task)
      case .bluetooth(let device, let user, let event): deliver(event, to: user, of: device)
      case .answerBluetooth(let device, let answer): answerBluetooth(answer, device: device)
      case .updateSetup(let device): executeSetup(of: device)
      case .answerSetup(let device): answerSetup(of: device)
      case .setupWait(let device, let wait): updateSetup(of: device) { $0.waited(wait) }
      case .answerLocation(let device, let launch, let question, let answer):
        answerLocation(answer, to: question, launch: launch, device: device)
      }
    }
  }

  // MARK: Octets between hosts and chips

  /// Executes the actions of a device's machine and exchanges octets with the chips until all are idle.
  mutating func runUntilIdle(_ device: Int) {
    takeActions(of: device)
    exchangeOctets()
  }

  mutating func exchangeOctets() {
    while true {
      air.uwb.takeActions(into: &sent)
      if sent.isEmpty { return }
      var index = 0
      while index < sent.count {
        switch sent[index] {
        case .send(let octets, let radio):
          let device = deviceOfRadio[radio.index]
          guard device >= 0 else { break }
          if !cameras.isEmpty { sampleCamera(of: device) }
          devices[device].machine.received(octets, at: now)
          takeActions(of: device)
        }
        index += 1
      }
      sent.removeAll(keepingCapacity: true)
    }
  }

  private mutating func takeActions(of device: Int) {
    devices[device].machine.takeActions(into: &scratch)
    var index = 0
    while index < scratch.count {
      accept(scratch[index], of: device)
      index += 1
    }
    scratch.removeAll(keepingCapacity: true)
    if let wake = devices[device].updateWake(now: now) { tasks.insert(.wake(device: device), at: wake) }
  }
}
