import NearbyAirs
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyTextForms
import NearbyWorldProtocol

/// The world's messages to a page. Source: `Docs/world-page.md`.
extension HostedWorld {
  /// The `welcome` message.
  ///
  /// - Parameter address: Where programs join, `HOST:PORT`.
  func welcomeText(address: String) -> String {
    var line = JSONLine()
    line.add("type", text: "welcome")
    line.add("version", 1)
    line.add("seed", text: "\(seed)")
    line.add("kinds", json: JSONArray.of(PlacedKind.allCases.map(\.rawValue)))
    line.add("materials", json: JSONArray.of(Material.table.map(\.name)))
    line.add("world", text: address)
    return line.closed()
  }

  /// Changes whenever the layout does. Devices added and removed are counted, and obstacle numbers are never
  /// reused.
  struct LayoutMark: Equatable, Sendable {
    fileprivate let devices: Int
    fileprivate let obstaclesMade: Int
    fileprivate let obstacles: Int
  }

  var layoutMark: LayoutMark {
    LayoutMark(devices: deviceChanges, obstaclesMade: obstaclesMade, obstacles: obstacleIDs.count)
  }

  /// The `layout` message: devices, beacons, walls and floors.
  func layoutText() -> String {
    var line = JSONLine()
    line.add("type", text: "layout")
    var list = JSONArray()
    for (id, device) in devices.enumerated() where !device.isGone {
      var entry = JSONLine()
      entry.add("id", id)
      entry.add("name", text: device.name)
      entry.add("kind", text: plan.kinds[id].rawValue)
      let cone = air.medium.world.characteristics(ofRadio: device.radio).array?.fieldOfView ?? 0
      entry.add("fieldOfView", cone * 180 / .pi, decimals: 1)
      entry.add("hasCamera", device.camera.isAvailable)
      list.add(json: entry.closed())
    }
    line.add("devices", json: list.closed())
    line.add("beacons", json: beaconLayoutText())
    line.add("anchors", json: anchorLayoutText())
    addObstacles(to: &line)
    return line.closed()
  }

  private func beaconLayoutText() -> String {
    var list = JSONArray()
    for (id, beacon) in beacons.enumerated() {
      var entry = JSONLine()
      entry.add("id", id)
      entry.add("name", text: beacon.described.name)
      entry.add("uuid", text: beacon.described.uuid)
      entry.add("major", Int(beacon.described.major))
      entry.add("minor", Int(beacon.described.minor))
      entry.add("power", Int(beacon.described.measuredPower))
      list.add(json: entry.closed())
    }
    return list.closed()
  }

  private func addObstacles(to line: inout JSONLine) {
    var walls = JSONArray()
    var floors = JSONArray()
    for (id, obstacle) in zip(obstacleIDs, air.medium.world.obstacles) {
      var entry = JSONLine()
      switch obstacle {
      case .wall(let wall):
        entry.add("id", id)
        entry.add("from", json: JSONArray.of(wall.from))
        entry.add("to", json: JSONArray.of(wall.to))
        entry.add("bottom", wall.bottom, decimals: 3)
        entry.add("top", wall.top, decimals: 3)
        entry.add("material", text: Material.table.first { $0.material == wall.material }?.name)
        walls.add(json: entry.closed())
      case .floor(let floor):
        entry.add("from", json: JSONArray.of(floor.from))
        entry.add("to", json: JSONArray.of(floor.to))
        entry.add("height", floor.height, decimals: 3)
        floors.add(json: entry.closed())
      }
    }
    line.add("walls", json: walls.closed())
    line.add("floors", json: floors.closed())
  }

  /// Current positions of everything. Mutating because queries of the simulated world are.
  mutating func stateText() -> String {
    var line = JSONLine()
    line.add("type", text: "state")
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("rate", rate.secondsPerSecond, decimals: 3)
    var list = JSONArray()
    for (id, device) in devices.enumerated() where !device.isGone {
      let pose = air.medium.world.pose(of: device.body, at: time)
      var entry = JSONLine()
      entry.add("id", id)
      entry.add("p", json: JSONArray.of(pose.positionInWorld))
      entry.add("q", json: JSONArray.of(pose.worldFromDevice.quaternion))
      entry.add("on", device.holder != nil)
      entry.add("fg", device.isInForeground)
      if let display = device.display { entry.add("says", text: display.line) }
      if let place = device.display?.place { entry.add("believes", json: Self.text(place)) }
      if let picker = device.picker { entry.add("picker", json: PickerText.line(picker)) }
      if !device.questions.isEmpty { entry.add("asks", json: JSONArray.of(device.questions.map { "\($0)" })) }
      list.add(json: entry.closed())
    }
    line.add("devices", json: list.closed())
    if !beacons.isEmpty { line.add("beacons", json: beaconsText()) }
    if !anchors.isEmpty { line.add("anchors", json: anchorsText()) }
    line.add("links", json: linksText())
    line.add("people", json: peopleText())
    return line.closed()
  }

  /// A position that an app computed: the position, and one standard deviation around it in the plan.
  private static func text(_ place: AppDisplay.Place) -> String {
    let ellipse = PageAngle.ellipse(place.spread)
    var entry = JSONLine()
    entry.add("p", json: JSONArray.of(place.position))
    entry.add("ellipse", json: JSONArray.of(SIMD3(ellipse.major, ellipse.minor, ellipse.heading)))
    return entry.closed()
  }

  private mutating func beaconsText() -> String {
    var list = JSONArray()
    for (id, beacon) in beacons.enumerated() {
      var entry = JSONLine()
      entry.add("id", id)
      entry.add("p", json: JSONArray.of(air.medium.world.pose(of: beacon.body, at: time).positionInWorld))
      entry.add("on", beacon.isOn)
      list.add(json: entry.closed())
    }
    return list.closed()
  }

  /// The links of all running sessions, with measured and true values.
  private mutating func linksText() -> String {
    let owners = sessionOwners()
    var list = JSONArray()
    for a in devices.indices {
      for session in devices[a].sessions where session.phase == .running {
        guard let peer = session.peer, let b = owners[peer], b != a else { continue }
        var entry = JSONLine()
        entry.add("a", a)
        entry.add("b", b)
        let truth = air.medium.world.truth(from: devices[a].radio, to: devices[b].radio, at: time)
        entry.add("d", truth.range, decimals: 3)
        entry.add("los", truth.isLineOfSight)
        entry.add("rssi", rssi(from: b, to: a), decimals: 1)
        entry.add("m", session.sighting?.distance?.metres, decimals: 3)
        entry.add("s", session.sighting?.distance?.sigma, decimals: 3)
        list.add(json: entry.closed())
      }
    }
    return list.closed()
  }

  /// Mean power of a frame at the receiver, dBm; `nil` if it is too weak.
  mutating func rssi(from sender: Int, to receiver: Int) -> Double? {
    air.medium.world.receivedPower(
      from: devices[sender].radio, to: devices[receiver].radio, channel: 9, at: time)
  }

  private func peopleText() -> String {
    var list = JSONArray()
    for body in plan.bystanders {
      let pose = air.medium.world.pose(of: body, at: time)
      let ahead = pose.worldFromDevice * SIMD3(0, 0, -1)
      list.add(
        json: JSONArray.of(
          SIMD3(pose.positionInWorld.x, pose.positionInWorld.y, PageAngle.heading(of: ahead))))
    }
    return list.closed()
  }
}
