import NearbySchedule
import NearbySimulator

/// A world and what happens in it, as a scenario file tells it.
///
/// A value without files or clocks; `SimulatedWorld.init(_:)` builds the world, whoever runs it lets the
/// events happen. Metres, seconds, radians; frames as in `NearbySimulator`. The form of the file is in
/// `Docs/scenario.md`.
package struct Scenario: Equatable, Sendable {
  /// What a device is to the protocols above.
  package enum Kind: String, CaseIterable, Equatable, Sendable { case accessory, phone, watch }

  /// One device, by its order in `devices`: body, radio and name.
  package struct Device: Equatable, Sendable {
    package var name: String
    package var kind: Kind
    package var radio: RadioCharacteristics
    package var motion: Trajectory
    package var facing: Facing
    /// Someone stands behind it.
    package var isCarried: Bool
    /// Chance of losing a frame beside what power says, 0 to 1.
    package var extraLoss: Double

    package init(
      name: String, kind: Kind, radio: RadioCharacteristics, motion: Trajectory, facing: Facing,
      isCarried: Bool, extraLoss: Double
    ) {
      self.name = name
      self.kind = kind
      self.radio = radio
      self.motion = motion
      self.facing = facing
      self.isCarried = isCarried
      self.extraLoss = extraLoss
    }
  }

  /// Someone who is in the way without a device.
  package struct Bystander: Equatable, Sendable {
    package var motion: Trajectory
    package var facing: Facing
    package var halfWidth: Double
    package var halfDepth: Double
    package var height: Double
  }

  /// A beacon, which does nothing but say who it is.
  package struct Beacon: Equatable, Sendable {
    package var name: String
    /// As UUIDs are written: 36 characters.
    package var uuid: String
    package var major: UInt16
    package var minor: UInt16
    /// What it says that it is heard with 1 m away, dBm.
    package var measuredPower: Int8
    /// What it is heard with in truth, dBm.
    package var powerAtOneMetre: Double
    /// Between two advertisements.
    package var interval: Duration
    package var motion: Trajectory
    /// Chance of losing a packet beside what power says, 0 to 1.
    package var extraLoss: Double
  }

  /// Two devices that range, by their places in `devices`; the first takes the other's token first.
  package struct Pair: Equatable, Sendable {
    package var first: Int
    package var second: Int
  }

  /// Something that happens to one device, or to the world.
  package struct Event: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
      /// The app leaves the foreground, comes back.
      case suspend, resume
      case allow, deny
      /// The radio goes silent, comes back.
      case switchOff, switchOn
      /// Chance of losing a frame, 0 to 1.
      case lose(Double)
      case place(SIMD3<Double>)
      case walk(through: [SIMD3<Double>], speed: Double)
      case turn(Facing)
      case build(Wall)
    }

    package var time: Duration
    /// Place in `devices`; `nil` for what happens to the world: `build`, and `lose` for all.
    package var device: Int?
    package var action: Action
    /// Place in `beacons`, where it happens to one of those.
    package var beacon: Int?

    package init(time: Duration, device: Int?, action: Action, beacon: Int? = nil) {
      self.time = time
      self.device = device
      self.action = action
      self.beacon = beacon
    }
  }

  /// A place indoors without anything in it.
  package static var empty: Scenario {
    Scenario(
      seed: 1, duration: .seconds(60), echoLoss: 8, extraLoss: 0, devices: [], pairs: [], walls: [],
      floors: [],
      bystanders: [], events: [])
  }

  package var seed: UInt64
  package var duration: Duration
  /// How much weaker echoes are than a free straight path, dB.
  package var echoLoss: Double
  /// Chance of losing any frame beside what power says, 0 to 1.
  package var extraLoss: Double
  package var devices: [Device]
  package var pairs: [Pair]
  package var walls: [Wall]
  package var floors: [Floor]
  package var bystanders: [Bystander]
  /// In order of time; as in the file where times are equal.
  package var events: [Event]
  package var beacons: [Beacon]

  package init(
    seed: UInt64, duration: Duration, echoLoss: Double, extraLoss: Double, devices: [Device], pairs: [Pair],
    walls: [Wall], floors: [Floor], bystanders: [Bystander], events: [Event],
    beacons: [Beacon] = []
  ) {
    self.seed = seed
    self.duration = duration
    self.echoLoss = echoLoss
    self.extraLoss = extraLoss
    self.devices = devices
    self.pairs = pairs
    self.walls = walls
    self.floors = floors
    self.bystanders = bystanders
    self.events = events
    self.beacons = beacons
  }
}

extension SimulatedWorld {
  /// The world of a scenario at its start. Device n is body n and radio n.
  package init(_ scenario: Scenario) {
    self.init(seed: scenario.seed)
    echoLoss = scenario.echoLoss
    extraLoss = scenario.extraLoss
    for device in scenario.devices {
      let body = addBody(device.motion, facing: device.facing)
      let radio = addRadio(on: body, device.radio, identity: StableHash.of(device.name))
      setExtraLoss(device.extraLoss, ofRadio: radio)
    }
    for (index, device) in scenario.devices.enumerated() where device.isCarried {
      add(Person.holding(BodyID(index: index)))
    }
    for bystander in scenario.bystanders {
      let body = addBody(bystander.motion, facing: bystander.facing)
      add(
        Person(
          on: body, halfWidth: bystander.halfWidth, halfDepth: bystander.halfDepth,
          height: bystander.height))
    }
    for wall in scenario.walls { add(wall) }
    for floor in scenario.floors { add(floor) }
  }

  /// Does the part of an event that is the world's. `suspend`, `resume`, `allow` and `deny` are the device's.
  package mutating func perform(_ event: Scenario.Event) {
    // A beacon is on no radio of this world: who has it sees to it.
    guard event.beacon == nil else { return }
    switch (event.action, event.device.map(BodyID.init(index:))) {
    case (.lose(let share), nil): extraLoss = share
    case (.lose(let share), let body?): setExtraLoss(share, ofRadio: body.index)
    case (.switchOff, let body?): setRadio(body.index, isOn: false)
    case (.switchOn, let body?): setRadio(body.index, isOn: true)
    case (.place(let position), let body?): place(body, at: position)
    case (.walk(let points, let speed), let body?):
      walk(body, through: points, speed: speed, from: event.time)
    case (.turn(let facing), let body?): setFacing(of: body, facing)
    case (.build(let wall), _): add(wall)
    case (.suspend, _), (.resume, _), (.allow, _), (.deny, _): break
    case (.switchOff, nil), (.switchOn, nil), (.place, nil), (.walk, nil), (.turn, nil): break
    }
  }
}
