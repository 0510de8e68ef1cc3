import NearbyAirs
import NearbySimulated
import NearbySimulator
import NearbyTextForms
import NearbyWorldProtocol

/// One device as shown on the page: switches, sessions, and what its app knows next to the truth.
extension HostedWorld {
  /// The page's `device` message; `nil` if the device was removed.
  mutating func deviceText(_ id: Int) -> String? {
    guard exists(id) else { return nil }
    let device = devices[id]
    var line = JSONLine()
    line.add("type", text: "device")
    line.add("id", id)
    switch device.holder {
    case .program(_, let name): line.add("program", text: name)
    case .host: line.add("program", text: "UCI host")
    case nil: line.add("program", text: nil)
    }
    line.add("foreground", device.isInForeground)
    line.add("permission", text: "\(device.permission)")
    line.add("cameraPermission", text: "\(device.cameraPermission)")
    line.add("bluetoothPermission", text: "\(bluetoothPermission(of: id))")
    line.add("locationPermission", text: "\(device.locationPermission)")
    line.add("locationAlwaysPermission", text: "\(device.alwaysPermission)")
    line.add("questions", json: JSONArray.of(device.questions.map { "\($0)" }))
    line.add("standingAnswer", text: device.standingAnswer.map { "\($0)" })
    line.add("light", device.camera.surroundings.light, decimals: 0)
    line.add("features", !device.camera.surroundings.isFeatureless)
    line.add("loss", air.medium.world.extraLoss(ofRadio: device.radio), decimals: 3)
    line.add("radio", air.medium.world.isOn(radio: device.radio))
    line.add("bluetooth", device.isBluetoothOn)
    line.add("display", json: device.display.map(Self.text) ?? "null")
    let owners = sessionOwners()
    var list = JSONArray()
    for session in device.sessions { list.add(json: sessionText(session, of: id, owners)) }
    line.add("sessions", json: list.closed())
    return line.closed()
  }

  private static func text(_ display: AppDisplay) -> String {
    var line = JSONLine()
    line.add("line", text: display.line)
    line.add("items", json: JSONArray.of(display.items))
    var radar: String?
    if let shown = display.radar {
      var entry = JSONLine()
      entry.add("brightness", shown.brightness, decimals: 3)
      entry.add("sweeps", shown.sweepsPerSecond, decimals: 2)
      radar = entry.closed()
    }
    line.add("radar", json: radar ?? "null")
    return line.closed()
  }

  private mutating func sessionText(
    _ session: HostedSession, of id: Int, _ owners: [[UInt8]: Int]
  ) -> String {
    let peer = session.peer.flatMap { owners[$0] }
    let sighting = session.sighting
    var line = JSONLine()
    line.add("number", Int(session.number))
    line.add("phase", text: session.phase.rawValue)
    line.add("peer", peer)
    line.add("distance", sighting?.distance?.metres, decimals: 3)
    line.add("distanceSigma", sighting?.distance?.sigma, decimals: 3)
    line.add("direction", json: sighting?.direction.map { JSONArray.of($0.vector, decimals: 4) } ?? "null")
    line.add("directionSigma", sighting?.direction.map { PageAngle.degrees($0.sigma) }, decimals: 2)
    line.add("horizontalAngle", sighting?.horizontalAngle.map(PageAngle.degrees), decimals: 2)
    line.add("vertical", text: sighting?.vertical.map(Self.verticalName))
    line.add("reasons", json: session.reasons.map { JSONArray.of(Self.reasonNames($0)) } ?? "null")
    addPlaces(sighting, of: id, to: &line)
    line.add("truth", json: peer.map { truthText(from: id, to: $0) } ?? "null")
    return line.closed()
  }

  private static let verticalNames = ["unknown", "same", "above", "below", "aboveOrBelow"]
  private static func verticalName(_ number: UInt8) -> String {
    verticalNames.indices.contains(Int(number)) ? verticalNames[Int(number)] : "unknown"
  }

  private static func reasonNames(_ bits: UInt32) -> [String] {
    [
      "insufficientMovement", "insufficientHorizontalSweep", "insufficientVerticalSweep",
      "insufficientLighting", "insufficientSignalStrength",
    ].enumerated().compactMap { index, name in bits & 1 << UInt32(index) != 0 ? name : nil }
  }

  /// Adds the positions that the app estimated in its camera's track, transformed to the world by the
  /// device's pose in both.
  private mutating func addPlaces(_ sighting: Sighting?, of id: Int, to line: inout JSONLine) {
    track(id)
    let truth = air.medium.world.pose(of: devices[id].body, at: time)
    guard let sighting, let tracked = devices[id].camera.tracker?.tracked(truth, at: time).pose else {
      line.add("place", json: "null")
      line.add("hypotheses", json: "[]")
      return
    }
    let worldFromTrack = truth.worldFromDevice * tracked.worldFromDevice.inverse
    func inWorld(_ position: SIMD3<Double>) -> SIMD3<Double> {
      truth.positionInWorld + worldFromTrack * (position - tracked.positionInWorld)
    }
    line.add("place", json: sighting.place.map { JSONArray.of(inWorld($0)) } ?? "null")
    let turn = PageAngle.heading(of: worldFromTrack * SIMD3(0, 1, 0))
    var list = JSONArray()
    for hypothesis in sighting.hypotheses {
      let ellipse = PageAngle.ellipse(hypothesis.spread)
      var entry = JSONLine()
      entry.add("p", json: JSONArray.of(inWorld(hypothesis.position)))
      entry.add("weight", hypothesis.weight, decimals: 3)
      entry.add("ellipse", json: JSONArray.of(SIMD3(ellipse.major, ellipse.minor, ellipse.heading + turn)))
      list.add(json: entry.closed())
    }
    line.add("hypotheses", json: list.closed())
  }

  private mutating func truthText(from id: Int, to peer: Int) -> String {
    let truth = air.medium.world.truth(from: devices[id].radio, to: devices[peer].radio, at: time)
    var line = JSONLine()
    line.add("distance", truth.range, decimals: 3)
    line.add("direction", json: JSONArray.of(truth.directionInDevice, decimals: 4))
    line.add("azimuth", PageAngle.degrees(truth.azimuth), decimals: 2)
    line.add("elevation", PageAngle.degrees(truth.elevation), decimals: 2)
    line.add("los", truth.isLineOfSight)
    line.add("rssi", rssi(from: peer, to: id), decimals: 1)
    return line.closed()
  }
}
