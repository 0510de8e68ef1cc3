import NearbyBluetooth
import NearbyExchange
import NearbyRuntime
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbyVirtualBluetooth
import NearbyVirtualUWB
import NearbyWorldProtocol

/// A world that several processes share: its physics, its air, its devices and who is which.
///
/// A pure machine: connections, messages, orders and the time go in, actions come out. It knows no socket.
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
    package var deviceLimit = 1000
    /// Foreign UCI hosts at once; never more than half of the devices.
    package var hostLimit = 128
    /// How the user of a device that was not told otherwise answers; `nil` waits for the page.
    package var answer: WorldAnswer? = .allowed
    package init() {}
  }

  package internal(set) var time = Duration.zero
  let settings: Settings
  let seed: UInt64
  var air: VirtualAir
  var medium: SimulatedMedium
  /// By the number that pages know; those that were removed keep their place until another device gets it.
  var devices: [HostedDevice] = []
  /// Of the devices that are there.
  var deviceOfName: [String: Int] = [:]
  /// Places of removed devices, ascending.
  var freePlaces: [Int] = []
  /// Counts devices that came and went.
  var deviceChanges = 0
  var hostCount = 0
  var bluetooth: WorldBluetooth
  var beacons: [HostedBeacon] = []
  /// Whose a user is, by the number that its program gave it.
  var bluetoothUsers: [BluetoothUser: (device: Int, number: UInt32)] = [:]
  private var deviceOfChip: [Int: Int] = [:]
  var deviceOfClient: [WorldClient: Int] = [:]
  var observers: [WorldClient: WorldObserver] = [:]
  /// Still to come.
  private(set) var events: ArraySlice<Scenario.Event>
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
    air = VirtualAir(seed: scenario.seed)
    medium = SimulatedMedium(world: SimulatedWorld(scenario))
    bluetooth = WorldBluetooth(seed: scenario.seed)
    events = scenario.events[...]
    plan = WorldPlan(scenario)
    obstaclesMade = medium.world.obstacles.count
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
    var chip = VirtualChipConfiguration(
      measuresAngles: hasAngles, startSpread: .milliseconds(150), identity: StableHash.of(name))
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
    [air.nextEventTime, bluetooth.air.nextEventTime, events.first?.time, nextCameraTick].compactMap(\.self)
      .min()
  }

  package mutating func advance(to end: Duration) {
    while let next = nextEventTime, next <= end {
      time = max(time, next)
      while let event = events.first, event.time <= time {
        events = events.dropFirst()
        perform(event)
      }
      if let tick = nextCameraTick, tick <= time { takeCameraTick() }
      air.advance(to: time, medium: &medium)
      exchangeOctets()
      if let next = bluetooth.air.nextEventTime, next <= time {
        bluetooth.advance(to: time, world: &medium.world)
        exchangeBluetooth()
      }
    }
    time = max(time, end)
  }

  private mutating func perform(_ event: Scenario.Event) {
    if let device = event.device, !exists(device) { return }
    air.advance(to: time, medium: &medium)
    medium.world.perform(event)
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
      air.restoreChip(chip, devices[device].chipConfiguration, at: time)
    } else {
      let chip = air.addChip(devices[device].chipConfiguration, at: time)
      devices[device].chip = chip
      deviceOfChip[chip.index] = device
      medium.assign(chip, to: devices[device].radio)
    }
    exchangeOctets()
  }

  mutating func powerOff(_ device: Int) {
    guard let chip = devices[device].chip else { return }
    air.removeChip(chip, at: time)
    exchangeOctets()
  }

  mutating func received(_ octets: [UInt8], by device: Int) {
    guard let chip = devices[device].chip else { return }
    journal.note(octets, isFromHost: true, device: device, at: time)
    air.received(octets, from: chip, at: time)
    air.advance(to: time, medium: &medium)
    exchangeOctets()
  }

  /// What the chips say goes to whoever holds them.
  mutating func exchangeOctets() {
    air.takeActions(into: &sent)
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
      seed: seed, at: time, medium.world.pose(of: devices[device].body, at: time))
    startCameraTicks()
  }

  mutating func startCameraTicks() {
    if nextCameraTick == nil { nextCameraTick = time }
  }

  /// Lets the tracker of a device see all there was to see until now.
  mutating func track(_ device: Int) {
    let world = medium.world
    let body = devices[device].body
    let surroundings = devices[device].camera.surroundings
    devices[device].camera.tracker?.advance(to: time, surroundings) { world.pose(of: body, at: $0) }
  }

  private mutating func sendPose(_ device: Int) {
    guard let run = devices[device].camera.run, devices[device].camera.lastSent != time,
      case .program(let client, name: _) = devices[device].holder
    else { return }
    track(device)
    let truth = medium.world.pose(of: devices[device].body, at: time)
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
