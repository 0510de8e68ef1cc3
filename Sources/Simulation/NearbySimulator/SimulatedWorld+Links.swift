import NearbyExchange
import NearbyMaths
import NearbySchedule

extension SimulatedWorld {
  /// One end of a link at one time.
  struct End {
    var pose: Pose
    var antennaInWorld: SIMD3<Double>
  }

  func end(_ radio: Int, seconds: Double) -> End {
    let radio = radios[radio]
    let pose = pose(of: radio.body, seconds: seconds)
    return End(pose: pose, antennaInWorld: pose.inWorld(radio.antennaInDevice))
  }

  /// Computes the path between two radios: geometry, antenna patterns, polarisation and obstacles.
  mutating func link(_ a: Int, _ endA: End, _ b: Int, _ endB: End, channel: UInt8, seconds: Double)
    -> RadioPath
  {
    let path = endB.antennaInWorld - endA.antennaInWorld
    let distance = path.length
    let direction = distance > 1e-9 ? path / distance : SIMD3(0, 1, 0)
    let kindA = kinds[radios[a].kind]
    let kindB = kinds[radios[b].kind]
    let inA = endA.pose.worldFromDevice.inverse * direction
    let inB = endB.pose.worldFromDevice.inverse * (-direction)
    let loss =
      RadioPath.freeSpaceLoss(distance: distance, frequency: RadioPath.frequency(ofChannel: channel))
      + RadioPath.patternLoss(rear: kindA.rearLoss, direction: inA)
      + RadioPath.patternLoss(rear: kindB.rearLoss, direction: inB)
      + RadioPath.polarisationLoss(
        endA.pose.worldFromDevice, endB.pose.worldFromDevice, direction: direction,
        limit: min(kindA.crossPolarisationLoss, kindB.crossPolarisationLoss))
    let obstruction = obstruction(endA.antennaInWorld, endB.antennaInWorld, seconds: seconds)
    return RadioPath(
      distance: distance,
      rangeRate: (endB.pose.velocityInWorld - endA.pose.velocityInWorld).dot(direction),
      direction: direction, isLineOfSight: obstruction == nil,
      obstruction: obstruction ?? Material(attenuation: 0, delay: 0, excess: 0), freeLoss: loss)
  }

  /// Sum of everything in the way between two points, or `nil` if the line of sight is clear.
  mutating func obstruction(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, seconds: Double
  ) -> Material? {
    var sum = Material(attenuation: 0, delay: 0, excess: 0)
    var isBlocked = false
    func cross(_ material: Material) {
      isBlocked = true
      sum.attenuation += material.attenuation
      sum.delay += material.delay
      sum.excess += material.excess
    }
    if let everywhere { cross(bent(everywhere)) }
    for obstacle in obstacles where obstacle.crosses(a, b) { cross(obstacle.material) }
    if !people.isEmpty {
      if peopleIndex.isStale(at: seconds) { indexPeople(at: seconds) }
      for index in peopleIndex.candidates(from: a, to: b) {
        let person = people[index]
        if person.crosses(a, b, pose: pose(of: person.body, seconds: seconds)) {
          cross(bent(person.material))
        }
      }
    }
    return isBlocked ? sum : nil
  }

  /// Whether echoes are as weak as outdoors; between those of rooms, 8 dB, and of open ground, 15 dB.
  var isOutdoors: Bool { echoLoss > 11.5 }

  /// A body outdoors weakens a path less than in a room: the pulse bends around it, and no echo replaces it. Power and
  /// first path of ranges across people are those of clear ones (hanyang_static), and 0.06 m longer.
  private func bent(_ material: Material) -> Material {
    guard material == .body, isOutdoors else { return material }
    var material = material
    material.attenuation *= 0.1
    return material
  }

  private mutating func indexPeople(at seconds: Double) {
    peopleIndex.rebuild(
      at: seconds,
      people.map { person in
        let body = bodies[person.body.index]
        let position = body.trajectory.motion(at: seconds).position
        let reach = (person.offset * person.offset).sum().squareRoot()
        return PeopleIndex.Entry(
          position: SIMD2(position.x, position.y),
          reach: reach + max(person.halfWidth, person.halfDepth), speed: body.trajectory.topSpeed)
      })
  }

  // MARK: What the air asks

  /// The square of the ground, `cellSide` metres wide, that contains a body.
  package func cell(of body: BodyID, at time: Duration) -> (column: Int32, row: Int32) {
    let seconds = time.inSeconds
    let position = bodies[body.index].trajectory.motion(at: seconds).position
    return (Self.cellIndex(position.x), Self.cellIndex(position.y))
  }

  private static func cellIndex(_ metres: Double) -> Int32 {
    let index = (metres / cellSide).rounded(.down)
    return index.isFinite ? Int32(min(1e9, max(-1e9, index))) : 0
  }

  /// Mean power of a frame at a receiver, dBm; `nil` if it is too weak to disturb any receiver.
  package mutating func receivedPower(
    from sender: Int, to receiver: Int, channel: UInt8, at time: Duration
  ) -> Double? {
    guard sender != receiver, radios[sender].isOn, radios[receiver].isOn else { return nil }
    let seconds = time.inSeconds
    let here = end(sender, seconds: seconds)
    let there = end(receiver, seconds: seconds)
    guard isWithinReach(sender, here, receiver, there) else { return nil }
    let link = link(sender, here, receiver, there, channel: channel, seconds: seconds)
    let power = link.totalPower(
      sent: kinds[radios[sender].kind].transmitPower, echoLoss: echoLoss)
    return power >= Self.interferenceFloor ? power : nil
  }

  /// A still cheaper check, by where the bodies are at one time and how fast they are ever: false only if
  /// `isWithinReach` is for `duration` seconds.
  package func mayReach(_ receiver: Int, from sender: Int, at seconds: Double, for duration: Double) -> Bool {
    let (here, there) = (radios[receiver].body, radios[sender].body)
    let path = position(of: there, seconds: seconds) - position(of: here, seconds: seconds)
    let limit = Self.cellSide + (topSpeed(of: here) + topSpeed(of: there)) * duration
    return (path * path).sum() <= limit * limit
  }

  /// A cheap check before the expensive part: whether the antennas are close enough for power to decide if
  /// frames arrive. The 2 m below `cellSide` allow for antennas up to a metre from their bodies.
  func isWithinReach(_ a: Int, _ endA: End, _ b: Int, _ endB: End) -> Bool {
    let path = endB.antennaInWorld - endA.antennaInWorld
    let squared = (path * path).sum()
    let limit = min(
      kinds[radios[a].kind].rangeLimit ?? Self.cellSide,
      kinds[radios[b].kind].rangeLimit ?? Self.cellSide, Self.cellSide - 2)
    return squared <= limit * limit
  }

  /// Sends one data frame; returns `true` if it arrived and was decoded.
  package mutating func deliver(
    from sender: Int, to receiver: Int, channel: UInt8, at time: Duration
  ) -> Bool {
    guard let power = receivedPower(from: sender, to: receiver, channel: channel, at: time) else {
      return false
    }
    var noise = NoiseStream(
      seed: seed, radios[sender].identity, radios[receiver].identity,
      UInt64(bitPattern: time.inNanoseconds), Purpose.delivery.rawValue)
    let loss = RadioPath.lossShare(power: power, sensitivity: kinds[radios[receiver].kind].sensitivity)
    return noise.uniform() >= combinedLoss(loss, sender, receiver)
  }

  /// Chance that a frame is lost for any reason, 0 to 1.
  func combinedLoss(_ byPower: Double, _ a: Int, _ b: Int) -> Double {
    1 - (1 - byPower) * (1 - extraLoss) * (1 - radios[a].extraLoss) * (1 - radios[b].extraLoss)
  }

  // MARK: Truth

  /// Ground truth between two radios, for tests and recordings.
  package struct LinkTruth: Equatable, Sendable {
    /// Antenna to antenna, metres.
    package var range: Double
    /// Unit vector from the first device's antenna to the second's, in the first device's frame.
    package var directionInDevice: SIMD3<Double>
    /// Radians, as in `AngleReading`.
    package var azimuth: Double
    package var elevation: Double
    package var isLineOfSight: Bool
  }

  /// Ground truth between two radios at a time, seen from the first.
  package mutating func truth(from radio: Int, to other: Int, at time: Duration) -> LinkTruth {
    let seconds = time.inSeconds
    let here = end(radio, seconds: seconds)
    let there = end(other, seconds: seconds)
    let path = there.antennaInWorld - here.antennaInWorld
    let direction = here.pose.worldFromDevice.inverse * path.normalised(or: SIMD3(0, 1, 0))
    let isBlocked =
      obstruction(here.antennaInWorld, there.antennaInWorld, seconds: seconds) != nil
    return LinkTruth(
      range: path.length, directionInDevice: direction,
      azimuth: Maths.atan2(direction.x, -direction.z),
      elevation: Maths.asin(clamping: direction.y), isLineOfSight: !isBlocked)
  }
}
