import NearbyAirs
import NearbyBluetooth
import NearbyExchange
import NearbyScenarios
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyVirtualBluetooth
import NearbyVirtualUWB
import NearbyWorldProtocol

/// A world that several programs share: its air, its devices, and which program is which device.
///
/// The problem: programs that range with one another each run in a process of their own, and each of them is to find
/// a chip, a camera, a Bluetooth adapter and a person, as on a phone. The world has one of each for every device and
/// decides what they measure and answer. Sessions, tokens and keys stay in the programs, so a program that ends loses
/// what an app loses, and its device stays where it is.
///
/// A pure machine without sockets, clocks or queues; `WorldServer` is its shell, and tests run it without one. In go
/// the messages of programs (`DeviceMessage`), the octets of foreign UCI hosts, what people do on the page
/// (`WorldOrder`), and the time. Out come `Action`s, in the order in which the shell performs them; events for the page
/// are in `journal`. `advance(to:)` runs everything that is due, at its own time; all other calls happen at `time`.
///
/// A connection has no device, until its first message: a hello, which makes it the holder of a device, or an observer
/// of one. A device is free (`holder` is `nil`), held by a program, held by a foreign UCI host, or gone, when it was
/// removed. Its chip has power while it is held. What a person decided (permissions, the radio, the foreground) outlasts
/// its holder; what the program told the world (sessions, questions, Bluetooth users, the camera's run) does not.
///
/// Events of the same time happen in the order of `SimulatedAir`; after them devices follow the scenario's events, then
/// cameras send their poses, then chips' octets go to their holders, then Bluetooth events. Before a chip's octets a
/// device's pose is sent, so a measurement always belongs to the place where the program believes it is.
///
/// Invariants: a device has at most one holder, and a connection holds or observes at most one device; numbers that a
/// page knows (devices, beacons, walls) name the same thing for as long as it is there; time never runs backwards.
package struct HostedWorld: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    case send(WorldMessage, to: WorldClient, at: Duration)
    /// Octets for a foreign UCI host, as they are.
    case sendBare([UInt8], to: WorldClient)
    /// End the connection; a device was told why.
    case close(WorldClient, reason: String)
  }

  /// Limits and policy.
  package struct Settings: Sendable {
    /// Who does not know it may not join; empty lets all join.
    package var token = ""
    /// What `--limit` says where it is not given.
    package var deviceLimit = 1000
    /// Foreign UCI hosts at once; never more than half of the devices. `Docs/world-protocol.md` §6.
    package var hostLimit = 128
    /// How the user of a device that was not told otherwise answers; `nil` waits for the page.
    package var answer: WorldAnswer? = .allowed
    package init() {}
  }

  package internal(set) var time = Duration.zero
  let settings: Settings
  let seed: UInt64
  var air: SimulatedAir
  /// By the number that pages know; those that were removed keep their place until another device gets it.
  var devices: [HostedDevice] = []
  /// Of the devices that are there.
  var deviceOfName: [String: Int] = [:]
  /// Places of removed devices, ascending.
  var freePlaces: [Int] = []
  /// Counts devices that came and went.
  var deviceChanges = 0
  var hostCount = 0
  var beacons: [HostedBeacon] = []
  /// Whose a user is, by the number that its program gave it.
  var bluetoothUsers: [BluetoothUser: (device: Int, number: UInt32)] = [:]
  private var deviceOfChip: [Int: Int] = [:]
  var deviceOfClient: [WorldClient: Int] = [:]
  var observers: [WorldClient: WorldObserver] = [:]
  var actions: [Action] = []
  var journal = WorldJournal()
  private var nextCameraTick: Duration?
  private var sent: [VirtualAir.Action] = []
  package internal(set) var rate = WorldRate.real
  /// Of each obstacle, as the page knows it; never used again.
  var obstacleIDs: [Int] = []
  var obstaclesMade = 0
  /// What a page needs to know that the simulated world does not.
  var plan: WorldPlan

  /// - Parameter time: Where its time begins; what the scenario has before that happens at once.
  package init(_ scenario: Scenario, settings: Settings = Settings(), at time: Duration = .zero) {
    self.settings = settings
    self.time = WorldTime.bounded(time)
    seed = scenario.seed
    air = SimulatedAir(seed: scenario.seed, world: SimulatedWorld(scenario), events: scenario.events)
    plan = WorldPlan(scenario)
    obstaclesMade = air.medium.world.obstacles.count
    obstacleIDs = Array(0..<obstaclesMade)
    for (index, device) in scenario.devices.enumerated() {
      devices.append(
        makeDevice(
          device.name, body: BodyID(index: index), radio: index, hasAngles: device.radio.array != nil))
      devices[index].camera.isAvailable = device.kind == .phone
      deviceOfName[device.name] = index
    }
    // Behind the devices and bystanders, whose bodies are numbered by their places in the scenario.
    addBeacons(of: scenario)
  }

  func makeDevice(
    _ name: String, body: BodyID, radio: Int, hasAngles: Bool, isHostOwned: Bool = false
  ) -> HostedDevice {
    // 150 ms is the ranging interval of our sessions: those that start together spread over a whole one.
    var chip = VirtualChipConfiguration(
      measuresAngles: hasAngles, startSpread: .milliseconds(150), identity: StableHash.of(name))
    // Programs answer over a socket, in real time: the responder's host has this long to start its session, too.
    chip.startLead = .milliseconds(20)
    var device = HostedDevice(
      name: name, body: body, radio: radio, chipConfiguration: chip, isHostOwned: isHostOwned)
    device.standingAnswer = settings.answer
    return device
  }

  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  package var deviceNames: [String] { devices.filter { !$0.isGone }.map(\.name) }

  // MARK: Time

  /// When `advance` has something to do.
  package var nextEventTime: Duration? {
    guard let tick = nextCameraTick else { return air.nextEventTime }
    return air.nextEventTime.map { min(tick, $0) } ?? tick
  }

  package mutating func advance(to end: Duration) {
    while let next = nextEventTime, next <= end {
      time = max(time, next)
      advanceAir()
      if let tick = nextCameraTick, tick <= time { takeCameraTick() }
      exchangeOctets()
      exchangeBluetooth()
    }
    time = max(time, end)
  }

  /// Brings the air to the present, and does to devices and beacons what the scenario says.
  mutating func advanceAir() {
    air.advance(to: time)
    for event in air.takePerformedEvents() { perform(event) }
  }

  private mutating func perform(_ event: Scenario.Event) {
    nameObstacles()
    if let beacon = event.beacon { return perform(event.action, ofBeacon: beacon) }
    guard let device = event.device else { return }
    switch event.action {
    case .suspend: setForeground(device, false)
    case .resume: setForeground(device, true)
    case .allow: setPermission(device, .nearby, .allowed)
    case .deny: setPermission(device, .nearby, .denied)
    case .switchOff, .switchOn, .lose, .place, .walk, .turn, .build: break
    }
  }

  // MARK: Chips

  /// Powers the chip of a device on.
  mutating func powerOn(_ device: Int) {
    if let chip = devices[device].chip {
      air.uwb.restoreChip(chip, devices[device].chipConfiguration, at: time)
    } else {
      let chip = air.addChip(devices[device].chipConfiguration, radio: devices[device].radio, at: time)
      devices[device].chip = chip
      deviceOfChip[chip.index] = device
    }
    exchangeOctets()
  }

  mutating func powerOff(_ device: Int) {
    guard let chip = devices[device].chip else { return }
    air.uwb.removeChip(chip, at: time)
    exchangeOctets()
  }

  mutating func received(_ octets: [UInt8], by device: Int) {
    guard let chip = devices[device].chip else { return }
    journal.note(octets, isFromHost: true, device: device, at: time)
    air.uwb.received(octets, from: chip, at: time)
    advanceAir()
    exchangeOctets()
  }

  /// What the chips say goes to whoever holds them.
  mutating func exchangeOctets() {
    air.uwb.takeActions(into: &sent)
    defer { sent.removeAll(keepingCapacity: true) }
    for case .send(let octets, let chip) in sent {
      guard let device = deviceOfChip[chip.index] else { continue }
      journal.note(octets, isFromHost: false, device: device, at: time)
      if !observers.isEmpty { observe(octets, of: device) }
      switch devices[device].holder {
      case .program(let client, name: _):
        // A measurement belongs to where the device is now.
        sendPose(device)
        for piece in DeviceMessage.uciPieces(octets) {
          actions.append(.send(.uci(piece), to: client, at: time))
        }
      case .host(let client): actions.append(.sendBare(octets, to: client))
      case nil: break
      }
    }
  }

  // MARK: Cameras

  private mutating func takeCameraTick() {
    nextCameraTick = nil
    var isRunning = false
    for device in devices.indices where devices[device].camera.isRunning {
      isRunning = true
      sendPose(device)
    }
    if !observers.isEmpty { observePoses() }
    if isRunning || !observers.isEmpty { nextCameraTick = time + CameraTracker.frameInterval }
  }

  /// Begins tracking anew as run number `run`, or ends it.
  mutating func setCamera(_ device: Int, run: UInt32?) {
    devices[device].camera.tracker = nil
    devices[device].camera.run = devices[device].camera.isAvailable ? run : nil
    guard devices[device].camera.isRunning else { return }
    devices[device].camera.epoch += 1
    let seed = seed ^ StableHash.of(devices[device].name) &+ UInt64(devices[device].camera.epoch)
    devices[device].camera.tracker = CameraTracker(
      seed: seed, at: time, air.medium.world.pose(of: devices[device].body, at: time))
    startCameraTicks()
  }

  mutating func startCameraTicks() {
    if nextCameraTick == nil { nextCameraTick = time }
  }

  /// Lets the tracker of a device see all there was to see until now.
  mutating func track(_ device: Int) {
    let world = air.medium.world
    let body = devices[device].body
    let surroundings = devices[device].camera.surroundings
    devices[device].camera.tracker?.advance(to: time, surroundings) { world.pose(of: body, at: $0) }
  }

  private mutating func sendPose(_ device: Int) {
    guard let run = devices[device].camera.run, devices[device].camera.lastSent != time,
      case .program(let client, name: _) = devices[device].holder
    else { return }
    track(device)
    let truth = air.medium.world.pose(of: devices[device].body, at: time)
    guard let tracked = devices[device].camera.tracker?.tracked(truth, at: time) else { return }
    devices[device].camera.lastSent = time
    let pose = WorldPose(
      run: run, position: tracked.pose.positionInWorld, attitude: tracked.pose.worldFromDevice.quaternion,
      tracking: Self.number(of: tracked.state), light: devices[device].camera.surroundings.light)
    actions.append(.send(.pose(pose), to: client, at: time))
  }

  private static func number(of state: CameraTracker.State) -> UInt8 {
    switch state {
    case .initializing: 1
    case .excessiveMotion: 2
    case .insufficientFeatures: 3
    case .relocalizing: 4
    case .normal: 5
    }
  }
}
