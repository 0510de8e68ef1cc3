import NearbyAirs
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyTextForms

/// Converts the world's current state to a scenario.
extension HostedWorld {
  /// The world's current state as a scenario: devices with their motion, walls, people, and the events still
  /// to come.
  ///
  /// Devices of foreign UCI hosts are omitted because they leave with their hosts.
  package func scenario() -> Scenario {
    let world = air.medium.world
    let kept = keptDevices
    // Maps an index in this world to the index in the file.
    var numbers: [Int: Int] = [:]
    for (number, index) in kept.enumerated() { numbers[index] = number }
    let devices = kept.map { index in
      let device = self.devices[index]
      return Scenario.Device(
        name: device.name, kind: Scenario.Kind(rawValue: plan.kinds[index].rawValue) ?? .phone,
        radio: world.characteristics(ofRadio: device.radio), motion: world.trajectory(of: device.body),
        facing: facing(of: device.body, numbers), isCarried: plan.isCarried(index),
        extraLoss: world.extraLoss(ofRadio: device.radio), pickerAnswer: device.pickerRule)
    }
    var walls: [Wall] = []
    var floors: [Floor] = []
    for obstacle in world.obstacles {
      switch obstacle {
      case .wall(let wall): walls.append(wall)
      case .floor(let floor): floors.append(floor)
      }
    }
    return Scenario(
      seed: seed, duration: plan.duration, echoLoss: world.echoLoss, extraLoss: world.extraLoss,
      devices: devices, pairs: pairs(numbers), walls: walls, floors: floors, bystanders: plan.people,
      events: air.comingEvents.compactMap { Self.renumbered($0, numbers) }, beacons: scenarioBeacons,
      anchors: scenarioAnchors)
  }

  /// The anchors as a scenario file describes them, at their current places.
  private var scenarioAnchors: [Scenario.Anchor] {
    zip(anchors, air.anchors).map { hosted, anchor in
      var described = hosted.described
      let place = air.medium.world.pose(of: anchor.body, at: time).positionInWorld
      // A moved anchor still says that it is where it was surveyed.
      if place != described.position { described.surveyed = described.surveyed ?? described.position }
      described.position = place
      described.extraLoss = air.medium.world.extraLoss(ofRadio: anchor.radio)
      return described
    }
  }

  /// Indices of the devices that a file includes.
  var keptDevices: [Int] { devices.indices.filter { !devices[$0].isGone && !devices[$0].isHostOwned } }

  private func pairs(_ numbers: [Int: Int]) -> [Scenario.Pair] {
    // Indices are unchanged as long as no scenario device has been removed.
    guard devices.prefix(plan.scenarioDevices).contains(where: \.isGone) else { return plan.pairs }
    return plan.pairs.compactMap { pair in
      guard let first = numbers[pair.first], let second = numbers[pair.second] else { return nil }
      var pair = pair
      (pair.first, pair.second) = (first, second)
      return pair
    }
  }

  /// Maps an event to the file's indices; returns `nil` if its device was removed.
  private static func renumbered(_ event: Scenario.Event, _ numbers: [Int: Int]) -> Scenario.Event? {
    var event = event
    if let device = event.device {
      guard let number = numbers[device] else { return nil }
      event.device = number
    }
    guard case .turn(.tracking(let body)) = event.action else { return event }
    // A scenario's devices are its first bodies.
    guard let number = numbers[body.index] else { return nil }
    event.action = .turn(.tracking(BodyID(index: number)))
    return event
  }

  /// Maps a facing to the file's body numbers; a file contains only the bodies of devices.
  private func facing(of body: BodyID, _ numbers: [Int: Int]) -> Facing {
    let facing = air.medium.world.facing(of: body)
    guard case .tracking(let other) = facing else { return facing }
    guard let index = devices.firstIndex(where: { $0.body == other }), let number = numbers[index] else {
      return .fixed(air.medium.world.pose(of: body, at: time).worldFromDevice)
    }
    return .tracking(BodyID(index: number))
  }

  func savedText() -> String {
    var line = JSONLine()
    line.add("type", text: "saved")
    line.add("scenario", text: scenario().text())
    return line.closed()
  }

  mutating func removeWall(id: Int) {
    guard let index = obstacleIDs.firstIndex(of: id), case .wall = air.medium.world.obstacles[index] else {
      return
    }
    air.medium.world.removeObstacle(at: index)
    obstacleIDs.remove(at: index)
  }

  /// Assigns IDs to obstacles that do not have one yet.
  mutating func nameObstacles() {
    while obstacleIDs.count < air.medium.world.obstacles.count {
      obstacleIDs.append(obstaclesMade)
      obstaclesMade += 1
    }
  }
}
