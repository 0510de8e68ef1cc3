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

/// A world that several programs share: its air, its devices, and which program holds which device.
///
/// Programs that range with one another run in separate processes, and each needs a chip, a camera, a
/// Bluetooth adapter and a user, as on a phone. The world provides one of each for every device and decides
/// what they measure and answer. Sessions, tokens and keys stay in the programs, so a program that ends loses
/// what an app loses, while its device stays where it is.
///
/// A pure machine without sockets, clocks or queues. `WorldServer` is its shell, and tests run it without
/// one. Its input is messages from programs (`DeviceMessage`), octets from foreign UCI hosts, orders from
/// people on the page (`WorldOrder`), and the time. Its output is `Action`s, which the shell performs in
/// order; events for the page are in `journal`. `advance(to:)` runs everything that is due, each event at its
/// own time; all other calls happen at `time`.
///
/// A new connection has no device. Its first message must be a hello, which makes it the holder of a device
/// or an observer of one. A device is free (`holder` is `nil`), held by a program, held by a foreign UCI
/// host, or removed (`isGone`). Its chip has power while it is held. A person's decisions (permissions, the
/// radio, the foreground) outlast the holder; what the program told the world (sessions, questions, Bluetooth
/// users, the camera's run) does not.
///
/// Events at the same time happen in the order of `SimulatedAir`. After them, devices apply the scenario's
/// events, then cameras send poses, then chips' octets go to their holders, then Bluetooth events. Before a
/// chip's octets are sent, the device's pose is, so a measurement always belongs to the position that the
/// program knows.
///
/// Invariants: a device has at most one holder, and a connection holds or observes at most one device; a
/// number that a page knows (of a device, beacon, anchor or wall) refers to the same thing as long as that exists;
/// time never runs backwards.
package struct HostedWorld: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    case send(WorldMessage, to: WorldClient, at: Duration)
    /// Sends unframed octets to a foreign UCI host.
    case sendBare([UInt8], to: WorldClient)
    /// Closes the connection. A device has already been sent the reason.
    case close(WorldClient, reason: String)
  }

  /// Limits and policy.
  package struct Settings: Sendable {
    /// Secret required to join; an empty one admits everyone.
    package var token = ""
    /// Default for `--limit`.
    package var deviceLimit = 1000
    /// Maximum number of foreign UCI hosts at once; never more than half of the devices.
    /// `Docs/world-protocol.md` §6.
    package var hostLimit = 128
    /// Default answer of a device's user; `nil` waits for an answer on the page.
    package var answer: WorldAnswer? = .allowed
    package init() {}
  }

  package internal(set) var time = Duration.zero
  let settings: Settings
  let seed: UInt64
  var air: SimulatedAir
  /// Indexed by the number that pages know. A removed device keeps its entry until a new one reuses it.
  var devices: [HostedDevice] = []
  /// Devices that have not been removed, by name.
  var deviceOfName: [String: Int] = [:]
  /// Indices of removed devices, ascending.
  var freePlaces: [Int] = []
  /// Incremented whenever a device is added or removed.
  var deviceChanges = 0
  var hostCount = 0
  var beacons: [HostedBeacon] = []
  /// The air holds their chips and radios under the same numbers.
  var anchors: [HostedAnchor] = []
  /// Owner of each Bluetooth user: the device, and its program's number for the user.
  var bluetoothUsers: [BluetoothUser: (device: Int, number: UInt32)] = [:]
  private var deviceOfChip: [Int: Int] = [:]
  var deviceOfClient: [WorldClient: Int] = [:]
  var observers: [WorldClient: WorldObserver] = [:]
  var actions: [Action] = []
  package var journal = WorldJournal()
  private var nextCameraTick: Duration?
  private var sent: [VirtualAir.Action] = []
  package internal(set) var rate = WorldRate.real
  /// ID of each obstacle, as known to the page; never reused.
  var obstacleIDs: [Int] = []
  var obstaclesMade = 0
  /// What a page needs to know that the simulated world does not contain.
  var plan: WorldPlan

  /// - Parameter time: Initial time of the world. Scenario events before it are performed at once.
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
      devices[index].pickerRule = device.pickerAnswer
      deviceOfName[device.name] = index
    }
    // Add beacons and anchors last, because devices and bystanders have the first bodies, in scenario order.
    addBeacons(of: scenario)
    addAnchors(of: scenario)
  }

  func makeDevice(
    _ name: String, body: BodyID, radio: Int, hasAngles: Bool, isHostOwned: Bool = false
  ) -> HostedDevice {
    // 150 ms is the ranging interval of our sessions, so sessions that start together spread over a whole
    // interval.
    var chip = VirtualChipConfiguration(
      measuresAngles: hasAngles, startSpread: .milliseconds(150), identity: StableHash.of(name))
    // Programs answer over a socket in real time; this gives the responder's host time to start its session,
    // too.
    chip.startLead = .milliseconds(20)
    var device = HostedDevice(
      name: name, body: body, radio: radio, chipConfiguration: chip, isHostOwned: isHostOwned)
    device.standingAnswer = settings.answer
    return device
  }

  /// Returns the actions since the last call, in order.
  package mutating func takeActions() -> [Action] {
    defer { actions = [] }
    return actions
  }

  package var deviceNames: [String] { devices.filter { !$0.isGone }.map(\.name) }

  // MARK: Time

  /// When `advance(to:)` next has something to do, or `nil` if nothing is scheduled.
  package var nextEventTime: Duration? {
    guard let tick = nextCameraTick else { return air.nextEventTime }
    return air.nextEventTime.map { min(tick, $0) } ?? tick
  }

  /// Runs everything that is due by `end`, each event at its own time, and sets the time to `end`.
  package mutating func advance(to end: Duration) {
    while let next = nextEventTime, next <= end {
      time = max(time, next)
      advanceAir()
      if let tick = nextCameraTick, tick <= time { sendCameraPoses() }
      exchangeOctets()
      exchangeBluetooth()
    }
    time = max(time, end)
  }

  /// Advances the air to `time` and applies the scenario's events to devices and beacons.
  mutating func advanceAir() {
    air.advance(to: time)
    for event in air.takePerformedEvents() { perform(event) }
  }

  /// Applies the device's or beacon's part of an event that the air has performed.
  private mutating func perform(_ event: Scenario.Event) {
    nameObstacles()
    if let beacon = event.beacon { return perform(event.action, ofBeacon: beacon) }
    if let anchor = event.anchor {
      if case .lose(let share) = event.action { anchors[anchor].described.extraLoss = min(1, max(0, share)) }
      return air.perform(event.action, ofAnchor: anchor, at: time)
    }
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

  /// Powers on a device's chip, creating it if necessary.
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

  /// Switches off a device's chip.
  mutating func powerOff(_ device: Int) {
    guard let chip = devices[device].chip else { return }
    air.uwb.removeChip(chip, at: time)
    exchangeOctets()
  }

  /// Passes octets from a device's host to its chip.
  mutating func received(_ octets: [UInt8], by device: Int) {
    guard let chip = devices[device].chip else { return }
    journal.note(octets, isFromHost: true, device: device, at: time)
    air.uwb.received(octets, from: chip, at: time)
    advanceAir()
    exchangeOctets()
  }

  /// Routes the chips' output to the holders of their devices.
  mutating func exchangeOctets() {
    air.uwb.takeActions(into: &sent)
    defer { sent.removeAll(keepingCapacity: true) }
    for case .send(let octets, let chip) in sent {
      guard let device = deviceOfChip[chip.index] else { continue }
      journal.note(octets, isFromHost: false, device: device, at: time)
      if !observers.isEmpty { observe(octets, of: device) }
      switch devices[device].holder {
      case .program(let client, name: _):
        // Send the pose first, because the measurement belongs to the current position.
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

  /// Sends the poses of all running cameras, and schedules the next frame if anyone needs it.
  private mutating func sendCameraPoses() {
    nextCameraTick = nil
    var isRunning = false
    for device in devices.indices where devices[device].camera.isRunning {
      isRunning = true
      sendPose(device)
    }
    if !observers.isEmpty { observePoses() }
    if isRunning || !observers.isEmpty { nextCameraTick = time + CameraTracker.frameInterval }
  }

  /// Starts tracking as run number `run`, or stops it.
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

  /// Feeds a device's tracker all frames up to now.
  mutating func track(_ device: Int) {
    let world = air.medium.world
    let body = devices[device].body
    let surroundings = devices[device].camera.surroundings
    devices[device].camera.tracker?.advance(to: time, surroundings) { world.pose(of: body, at: $0) }
  }

  /// Sends a device's tracked pose to its program, at most once for any time.
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
