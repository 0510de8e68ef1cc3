import NearbyAirs
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyExchange
import NearbySchedule
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB

/// One device inside a simulated world. What every round needs comes first: among thousands of devices it is
/// memory that costs.
struct SimulatedDevice: Sendable {
  let radio: RadioID
  var sinks = SessionSinks()
  /// The wake that stands in the heap; others of this device are stale.
  var wake: Duration?
  /// What the machine wishes; not before `wake`.
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

  /// Of the same source as the tokens: what hangs on the device's name alone.
  mutating func drawNumber() -> UInt64 { generator.next() }

  /// Takes the machine's wish after something happened to it.
  ///
  /// - Returns: A wake to put in the heap. An earlier one that stands there is left to fire: then the machine's
  ///   wish is looked at again.
  mutating func updateWake(now: Duration) -> Duration? {
    wishedWake = machine.earliestWake()
    guard wishedWake != wake else { return nil }
    if let wake, let wishedWake, wake <= wishedWake, wake > now { return nil }
    wake = wishedWake
    return wake
  }

  /// A wake left the heap.
  ///
  /// - Returns: Whether the machine has something to do now, and a wake to put in the heap where not.
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

/// An action of a device's machine that is not executed yet: a delivery to an app, or what the machine asked for
/// after one.
struct PendingAction: Sendable {
  let device: Int
  let action: DeviceMachine.Action
  /// The peer of the action's session when the machine gave the action.
  let peer: DiscoveryIdentity?
}

/// The whole simulated world between two steps of its pump. A value: one thread at a time has it.
struct WorldState: Sendable {
  var now = Duration.zero
  var air: SimulatedAir
  var devices: [SimulatedDevice] = []
  /// By the radio's index on the air.
  private var deviceOfRadio: [Int] = []
  var tasks = WorldTasks()
  /// What the pump delivers next, in order.
  var outbox: [PendingAction] = []
  var performances: [Performance] = []
  private var scratch: [DeviceMachine.Action] = []
  /// Called with each action that the world itself executes; tests of the order set it.
  var onExecution: (@Sendable (_ device: Int, DeviceMachine.Action) -> Void)?
  let seed: UInt64
  /// Devices of each name's hash so far.
  private var namesakes: [UInt64: UInt64] = [:]
  private var sent: [VirtualAir.Action] = []
  /// Of the devices whose camera was asked for.
  var cameras: [Int: SimulatedCamera] = [:]
  /// Of the devices that are accessories.
  var accessorySinks: [Int: WeakBox<any AccessorySink>] = [:]
  var network: WorldNetwork
  /// Of the devices whose person was asked something.
  var questions: [Int: PersonAtDevice] = [:]
  var bluetoothSinks: [BluetoothUser: any BluetoothSink] = [:]
  /// What the person at a device says when an app asks for Bluetooth; `nil` leaves the question open.
  var bluetoothAnswers: [Int: BluetoothAuthorization?] = [:]
  /// Of the devices whose app, or test, asked for places.
  var locations: [Int: SimulatedLocation] = [:]

  init(seed: UInt64, world: SimulatedWorld) {
    air = SimulatedAir(seed: seed, world: world)
    self.seed = seed
    network = WorldNetwork(seed: seed)
  }

  // MARK: Entering

  mutating func addDevice(
    named name: String, _ machine: DeviceMachine, chip: VirtualChipConfiguration,
    radio radioInWorld: Int, body: BodyID, answer: Permission?
  ) -> Int {
    let index = devices.count
    let radio = air.addChip(chip, radio: radioInWorld, at: now)
    precondition(radio.index == deviceOfRadio.count, "every chip of this air is a device's")
    deviceOfRadio.append(index)
    devices.append(
      SimulatedDevice(
        machine: machine, radio: radio, body: body, answer: answer, generator: generator(for: name)))
    devices[index].machine.start(at: now)
    settle(index)
    return index
  }

  /// Tokens hang on the name of their device and on nothing that others do, so that a device more, or another
  /// order, changes nobody's numbers. Namesakes draw different ones.
  private mutating func generator(for name: String) -> SplitMix64 {
    let hash = StableHash.of(name)
    let count = namesakes[hash, default: 0]
    namesakes[hash] = count + 1
    var mixer = SplitMix64(seed: seed ^ hash)
    return SplitMix64(seed: mixer.next() &+ count &* 0x9E6C_63D0_676A_9A99)
  }

  /// What an app asks takes this long to reach the chip's driver. Without it an app that starts over as soon as
  /// it fails would do so for ever at one moment, and time would never move on.
  static let commandLatency = Duration.milliseconds(1)

  mutating func post(_ command: DeviceMachine.Command, device: Int) {
    tasks.insert(.command(device: device, command), at: now + Self.commandLatency)
  }

  mutating func schedule(_ performance: Performance, at time: Duration) {
    tasks.insert(.perform(performance), at: max(time, now))
  }

  // MARK: Stepping

  /// What one step leaves for the pump to do outside the lock.
  enum Step: Sendable {
    case deliver([PendingAction])
    case perform([Performance])
    case finished
  }

  /// Goes on to the next thing that concerns an app, or to `end`.
  ///
  /// At one time the world's own tasks come first (commands, wakes, packets), then the air in its own order, then the
  /// octets between chips and hosts. Apps hear of it last.
  mutating func step(until end: Duration) -> Step {
    while true {
      if let deliveries = takeDeliveries() { return .deliver(deliveries) }
      if !performances.isEmpty {
        defer { performances.removeAll() }
        return .perform(performances)
      }
      guard let next = nextEventTime, next <= end else {
        now = max(now, end)
        return .finished
      }
      now = max(now, next)
      runTasks()
      air.advance(to: now)
      exchangeOctets()
      settleBluetooth()
    }
  }

  private var nextEventTime: Duration? {
    guard let task = tasks.firstTime else { return air.nextEventTime }
    return air.nextEventTime.map { min(task, $0) } ?? task
  }

  /// Lets a command take effect at once; what it causes is delivered with the next step.
  mutating func handle(_ command: DeviceMachine.Command, device: Int) {
    devices[device].machine.handle(command, at: now)
    switch command {
    case .release(let id): devices[device].sinks.remove(id)
    case .enterBackground: setBluetoothForeground(false, device: device)
    case .enterForeground: setBluetoothForeground(true, device: device)
    case .run, .reject, .useCamera, .runCamera, .pauseCamera, .answerCameraPermission, .setCameraPermission,
      .pause, .invalidate, .answerPermission, .setPermission, .setAccessoryLink, .startAccessory, .accessory,
      .stopAccessory, .relaunch:
      break
    }
    settle(device)
    if !cameras.isEmpty { scheduleCameraFrame(of: device) }
  }

  private mutating func runTasks() {
    while let time = tasks.firstTime, time <= now, let first = tasks.removeFirst() {
      switch first.task {
      case .perform(let performance): performances.append(performance)
      case .command(let device, let command): handle(command, device: device)
      case .settle(let device): settle(device)
      case .wake(let device):
        let (isDue, next) = devices[device].woken(at: time, now: now)
        if let next { tasks.insert(.wake(device: device), at: next) }
        guard isDue else { continue }
        if !cameras.isEmpty { sampleCamera(of: device) }
        devices[device].machine.timePassed(at: now)
        settle(device)
      case .cameraFrame(let device): takeCameraFrame(of: device)
      case .network(let task): handleNetwork(task)
      case .bluetooth(let device, let user, let event): deliver(event, to: user, of: device)
      case .answerBluetooth(let device, let answer): answerBluetooth(answer, device: device)
      case .answerLocation(let device, let launch, let question, let answer):
        answerLocation(answer, to: question, launch: launch, device: device)
      }
    }
  }

  // MARK: Octets between hosts and chips

  /// Does what a device's machine wants done, and what the chips answer, until all is quiet.
  mutating func settle(_ device: Int) {
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
