import NearbyRuntime
import NearbyScenarios
import NearbySimulator
import NearbyTextForms

/// The world as a scenario: everything where it is now.
extension HostedWorld {
  /// What a file may hold of the world as it is: devices with their ways, walls, people, and what is to come.
  package func scenario() -> Scenario {
    let world = medium.world
    let devices = devices.enumerated().map { index, device in
      Scenario.Device(
        name: device.name, kind: Scenario.Kind(rawValue: plan.kinds[index].rawValue) ?? .phone,
        radio: world.characteristics(ofRadio: device.radio), motion: world.trajectory(of: device.body),
        facing: facing(of: device.body), isCarried: plan.isCarried(index),
        extraLoss: world.extraLoss(ofRadio: device.radio))
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
      devices: devices, pairs: plan.pairs, walls: walls, floors: floors, bystanders: plan.people,
      events: Array(events), beacons: scenarioBeacons)
  }

  /// Bodies are numbered otherwise in a file, where devices alone are.
  private func facing(of body: BodyID) -> Facing {
    let facing = medium.world.facing(of: body)
    guard case .tracking(let other) = facing else { return facing }
    guard let index = devices.firstIndex(where: { $0.body == other }) else {
      return .fixed(medium.world.pose(of: body, at: time).worldFromDevice)
    }
    return .tracking(BodyID(index: index))
  }

  func savedText() -> String {
    var line = JSONLine()
    line.add("type", text: "saved")
    line.add("scenario", text: scenario().text())
    return line.closed()
  }

  mutating func removeWall(id: Int) {
    guard let index = obstacleIDs.firstIndex(of: id), case .wall = medium.world.obstacles[index] else {
      return
    }
    medium.world.removeObstacle(at: index)
    obstacleIDs.remove(at: index)
  }

  /// Gives obstacles that were put up since a number each.
  mutating func nameObstacles() {
    while obstacleIDs.count < medium.world.obstacles.count {
      obstacleIDs.append(obstaclesMade)
      obstaclesMade += 1
    }
  }
}
