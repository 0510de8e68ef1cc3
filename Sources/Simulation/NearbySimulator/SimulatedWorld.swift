import NearbyMaths
import NearbySchedule

/// The physical world beneath a simulated air: moving bodies, the radios on them, and the walls and people
/// between them.
///
/// It knows no protocol; it answers where things are, how strong a frame arrives and what a two-way exchange
/// measured. It is a value, so a copy is a snapshot. Every result depends only on the seed, the two radios
/// and the time, not on what else exists or what was queried before.
package struct SimulatedWorld: Sendable {
  struct Body: Sendable {
    var trajectory: Trajectory
    var facing: Facing
  }

  struct Radio: Sendable {
    /// Metres from the body's origin, in the device's frame. Declared first for its alignment.
    let antennaInDevice: SIMD3<Double>
    let body: BodyID
    /// Index into `kinds`.
    let kind: Int
    let clock: RadioClock
    /// Error of each timestamp from a miscalibrated antenna delay, metres.
    let delayError: Double
    /// Seeds the radio's random streams.
    let identity: UInt64
    var isOn = true
    /// Chance of losing a frame in either direction in addition to losses from low power, 0 to 1.
    var extraLoss = 0.0
  }

  /// Side of a cell, metres. No frame reaches farther, so radios two cells apart never interact.
  package static let cellSide = 300.0
  /// Frames below this power disturb no receiver, dBm: 13 dB below a phone's sensitivity, so that even the
  /// weakest frame a phone decodes is 3 dB stronger than capture requires.
  package static let interferenceFloor = -108.0

  let seed: UInt64
  /// How this place differs from others.
  let place: PlaceFigures
  var bodies: [Body] = []
  /// Differs after each change of a trajectory.
  package private(set) var trajectoryVersion = 0
  var radios: [Radio] = []
  /// Distinct kinds of radio; most worlds have two or three for thousands of radios.
  var kinds: [RadioCharacteristics] = []
  package private(set) var obstacles: [RadioObstacle] = []
  /// Obstructs every path, if present.
  var everywhere: Material?
  var people: [Person] = []
  var peopleIndex = PeopleIndex()
  /// How much weaker all echoes together are than an unobstructed direct path, dB: 8 in rooms, 15 outdoors.
  package var echoLoss = 8.0
  /// Chance that any frame is lost in addition to losses from low power, 0 to 1.
  package var extraLoss = 0.0

  package init(seed: UInt64) {
    self.seed = seed
    place = PlaceFigures(NoiseStream(seed: seed, Purpose.place.rawValue))
  }

  // MARK: Bodies

  /// Adds a body; by default it rests at the origin, upright and facing north.
  package mutating func addBody(
    _ trajectory: Trajectory = .standing(.zero), facing: Facing = .fixed(Rotation(heading: 0))
  ) -> BodyID {
    bodies.append(Body(trajectory: trajectory, facing: facing))
    return BodyID(index: bodies.count - 1)
  }

  /// Replaces a body's trajectory, for queries about any time, past or future.
  package mutating func setTrajectory(of body: BodyID, _ trajectory: Trajectory) {
    bodies[body.index].trajectory = trajectory
    trajectoryVersion &+= 1
    peopleIndex.expire()
  }

  package mutating func setFacing(of body: BodyID, _ facing: Facing) {
    bodies[body.index].facing = facing
    peopleIndex.expire()
  }

  /// Moves a body to a position, metres, where it rests; a `nil` `worldFromDevice` leaves its facing
  /// unchanged.
  package mutating func place(
    _ body: BodyID, at position: SIMD3<Double>, worldFromDevice: Rotation? = nil
  ) {
    setTrajectory(of: body, .standing(position))
    if let worldFromDevice { setFacing(of: body, .fixed(worldFromDevice)) }
  }

  /// Walks a body from its position at `time` through `points`, metres, at `speed` metres a second.
  package mutating func walk(
    _ body: BodyID, through points: [SIMD3<Double>], speed: Double, from time: Duration
  ) {
    let here = pose(of: body, at: time).positionInWorld
    let stops = ([here] + points).map { WaypointPath.Waypoint($0, speed: speed) }
    setTrajectory(of: body, .waypoints(WaypointPath(stops, start: time.inSeconds)))
  }

  /// A body's position at `seconds` of world time, metres.
  package func position(of body: BodyID, seconds: Double) -> SIMD3<Double> {
    bodies[body.index].trajectory.motion(at: seconds).position
  }

  /// The greatest speed along a body's whole trajectory, metres a second.
  package func topSpeed(of body: BodyID) -> Double { bodies[body.index].trajectory.topSpeed }

  /// A body's position, orientation and velocity.
  package func pose(of body: BodyID, at time: Duration) -> Pose {
    pose(of: body, seconds: time.inSeconds)
  }

  func pose(of body: BodyID, seconds: Double) -> Pose {
    let it = bodies[body.index]
    let (position, velocity) = it.trajectory.motion(at: seconds)
    let worldFromDevice: Rotation
    switch it.facing {
    case .fixed(let rotation): worldFromDevice = rotation
    case .towards(let point): worldFromDevice = Rotation(lookingAlong: point - position)
    case .tracking(let other):
      let there = bodies[other.index].trajectory.motion(at: seconds).position
      worldFromDevice = Rotation(lookingAlong: there - position)
    case .alongMotion(let pitch, let roll):
      worldFromDevice = Rotation(
        heading: heading(of: it.trajectory, velocity, at: seconds), pitch: pitch, roll: roll)
    case .recorded:
      if case .recorded(let path) = it.trajectory {
        worldFromDevice = path.attitude(at: seconds)
      } else {
        worldFromDevice = Rotation(heading: 0)
      }
    }
    return Pose(
      positionInWorld: position, worldFromDevice: worldFromDevice, velocityInWorld: velocity)
  }

  private func heading(
    of trajectory: Trajectory, _ velocity: SIMD3<Double>, at seconds: Double
  ) -> Double {
    switch trajectory {
    case .standing: 0
    case .waypoints(let path): path.heading(at: seconds)
    case .recorded: Maths.atan2(velocity.x, velocity.y)
    }
  }

  package var bodyCount: Int { bodies.count }

  // MARK: Surroundings

  package mutating func add(_ wall: Wall) { obstacles.append(.wall(wall)) }
  package mutating func add(_ floor: Floor) { obstacles.append(.floor(floor)) }
  /// Removes the obstacle at this index of `obstacles`.
  package mutating func removeObstacle(at index: Int) { obstacles.remove(at: index) }
  /// Obstructs every path by the same material, as in a recording that states what was in the way but not where;
  /// `nil` removes it.
  package mutating func setObstruction(_ material: Material?) { everywhere = material }
  /// Adds a person who obstructs pulses.
  package mutating func add(_ person: Person) {
    people.append(person)
    peopleIndex.expire()
  }

  // MARK: Radios

  /// Adds a radio to a body and returns its index, which is the number of radios added before it.
  ///
  /// - Parameters:
  ///   - antennaInDevice: Metres from the body's origin, in the device's frame.
  ///   - identity: Seeds its crystal and noise together with the world's seed; `nil` uses the index. A stable
  ///     one (a hash of the name) keeps a device's figures the same when earlier devices are removed.
  @discardableResult
  package mutating func addRadio(
    on body: BodyID, antennaInDevice: SIMD3<Double> = .zero,
    _ characteristics: RadioCharacteristics = .phone, identity: UInt64? = nil
  ) -> Int {
    let radio = makeRadio(
      on: body, antennaInDevice: antennaInDevice, characteristics,
      identity: identity ?? UInt64(radios.count))
    radios.append(radio)
    return radios.count - 1
  }

  /// Replaces a radio with another on the same body. The new one is on and has no extra loss.
  package mutating func replaceRadio(
    _ index: Int, _ characteristics: RadioCharacteristics, identity: UInt64
  ) {
    radios[index] = makeRadio(
      on: radios[index].body, antennaInDevice: .zero, characteristics, identity: identity)
  }

  /// Draws a radio's crystal and antenna delay error, and shares its kind with equal radios.
  private mutating func makeRadio(
    on body: BodyID, antennaInDevice: SIMD3<Double>, _ characteristics: RadioCharacteristics, identity: UInt64
  ) -> Radio {
    let kind: Int
    if let known = kinds.firstIndex(of: characteristics) {
      kind = known
    } else {
      kind = kinds.count
      kinds.append(characteristics)
    }
    var noise = NoiseStream(seed: seed, identity, Purpose.crystal.rawValue)
    let clock = RadioClock(characteristics, noise: &noise)
    let written = characteristics.antennaDelay - characteristics.calibratedAntennaDelay
    let delayError = written * speedOfLight / 2 + noise.normal() * characteristics.antennaDelaySigma
    return Radio(
      antennaInDevice: antennaInDevice, body: body, kind: kind, clock: clock, delayError: delayError,
      identity: identity)
  }

  /// Switches a radio on or off. When off, it neither sends nor receives. Bodies leave the world by switching
  /// off their radios.
  package mutating func setRadio(_ radio: Int, isOn: Bool) { radios[radio].isOn = isOn }

  /// Sets a radio's chance of losing a frame in either direction in addition to losses from low power;
  /// clamped to 0 to 1.
  package mutating func setExtraLoss(_ share: Double, ofRadio radio: Int) {
    radios[radio].extraLoss = min(1, max(0, share))
  }

  package func isOn(radio: Int) -> Bool { radios[radio].isOn }
  package func extraLoss(ofRadio radio: Int) -> Double { radios[radio].extraLoss }
  package func trajectory(of body: BodyID) -> Trajectory { bodies[body.index].trajectory }
  package func facing(of body: BodyID) -> Facing { bodies[body.index].facing }
  package func body(ofRadio radio: Int) -> BodyID { radios[radio].body }
  package func characteristics(ofRadio radio: Int) -> RadioCharacteristics {
    kinds[radios[radio].kind]
  }

  /// What a random stream is used for; part of its hash.
  enum Purpose: UInt64 {
    case crystal = 1
    case exchange, delivery, echoes, blockedPath, anglesAtFirst, anglesAtSecond, lowEnergy
    case place, fading, wild, listening, direction, sounding
  }
}
