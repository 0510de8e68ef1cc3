import NearbySchedule
import NearbySimulator

/// A world and its scheduled events, as described by a scenario file.
///
/// A plain value without files or clocks: `SimulatedWorld.init(_:)` builds the world, and its caller
/// performs the events. Metres, seconds, radians; frames as in `NearbySimulator`. `Docs/scenario.md`
/// describes the file format.
package struct Scenario: Equatable, Sendable {
  /// The role of a device in the protocols above.
  package enum Kind: String, CaseIterable, Equatable, Sendable { case accessory, phone, watch }

  /// A device's name, kind, radio and motion. Its index in `devices` is its body and its radio.
  package struct Device: Equatable, Sendable {
    package var name: String
    package var kind: Kind
    package var radio: RadioCharacteristics
    package var motion: Trajectory
    package var facing: Facing
    /// Whether a person holds it.
    package var isCarried: Bool
    /// Chance of losing a frame in addition to losses from low power, 0 to 1.
    package var extraLoss: Double
    /// How its user answers accessory pickers.
    package var pickerAnswer: PickerAnswer

    package init(
      name: String, kind: Kind, radio: RadioCharacteristics, motion: Trajectory, facing: Facing,
      isCarried: Bool, extraLoss: Double, pickerAnswer: PickerAnswer = .choose
    ) {
      self.name = name
      self.kind = kind
      self.radio = radio
      self.motion = motion
      self.pickerAnswer = pickerAnswer
      self.facing = facing
      self.isCarried = isCarried
      self.extraLoss = extraLoss
    }
  }

  /// How a device's user answers accessory pickers.
  package enum PickerAnswer: String, CaseIterable, Sendable {
    /// Chooses the first accessory that is offered.
    case choose
    case cancel
    /// Leaves the picker open.
    case wait
  }

  /// A person without a device who obstructs signals.
  package struct Bystander: Equatable, Sendable {
    package var motion: Trajectory
    package var facing: Facing
    package var halfWidth: Double
    package var halfDepth: Double
    package var height: Double
  }

  /// A beacon: it only advertises its identity.
  package struct Beacon: Equatable, Sendable {
    package var name: String
    /// Standard form of a UUID: 36 characters.
    package var uuid: String
    package var major: UInt16
    package var minor: UInt16
    /// Advertised signal strength at 1 m, dBm.
    package var measuredPower: Int8
    /// Actual mean signal strength at 1 m, dBm.
    package var powerAtOneMetre: Double
    /// Time between advertisements.
    package var interval: Duration
    package var motion: Trajectory
    /// Chance of losing a packet in addition to losses from low power, 0 to 1.
    package var extraLoss: Double
  }

  /// Two devices that range with each other, as indices into `devices`; the first accepts the other's token
  /// first.
  package struct Pair: Equatable, Sendable {
    package var first: Int
    package var second: Int
  }

  /// An event that affects a device, a beacon or the whole world.
  package struct Event: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
      /// The app leaves the foreground, or returns to it.
      case suspend, resume
      case allow, deny
      /// The radio is switched off, or on again.
      case switchOff, switchOn
      /// Chance of losing a frame, 0 to 1.
      case lose(Double)
      case place(SIMD3<Double>)
      case walk(through: [SIMD3<Double>], speed: Double)
      case turn(Facing)
      case build(Wall)
    }

    package var time: Duration
    /// Index into `devices`; `nil` for events that affect the world (`build`, and `lose` for all radios) or a
    /// beacon.
    package var device: Int?
    package var action: Action
    /// Index into `beacons`, if the event affects a beacon.
    package var beacon: Int?
    /// Index into `anchors`, if the event affects an anchor.
    package var anchor: Int?

    package init(time: Duration, device: Int?, action: Action, beacon: Int? = nil, anchor: Int? = nil) {
      self.time = time
      self.device = device
      self.action = action
      self.beacon = beacon
      self.anchor = anchor
    }
  }

  /// An empty place indoors.
  package static var empty: Scenario {
    Scenario(
      seed: 1, duration: .seconds(60), echoLoss: 8, extraLoss: 0, devices: [], pairs: [], walls: [],
      floors: [],
      bystanders: [], events: [])
  }

  package var seed: UInt64
  package var duration: Duration
  /// How much weaker all echoes together are than an unobstructed direct path, dB.
  package var echoLoss: Double
  /// Chance of losing any frame in addition to losses from low power, 0 to 1.
  package var extraLoss: Double
  package var devices: [Device]
  package var pairs: [Pair]
  package var walls: [Wall]
  package var floors: [Floor]
  package var bystanders: [Bystander]
  /// Sorted by time; equal times keep file order.
  package var events: [Event]
  package var beacons: [Beacon]
  package var anchors: [Anchor]
  /// How a campaign judges a run; empty for the usual scores.
  package var scores: [Score]

  package init(
    seed: UInt64, duration: Duration, echoLoss: Double, extraLoss: Double, devices: [Device], pairs: [Pair],
    walls: [Wall], floors: [Floor], bystanders: [Bystander], events: [Event],
    beacons: [Beacon] = [], anchors: [Anchor] = [], scores: [Score] = []
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
    self.anchors = anchors
    self.scores = scores
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

  /// Performs the world's part of an event. `suspend`, `resume`, `allow` and `deny` concern only the device.
  package mutating func perform(_ event: Scenario.Event) {
    // The owner of beacons and anchors handles their events.
    guard event.beacon == nil, event.anchor == nil else { return }
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
