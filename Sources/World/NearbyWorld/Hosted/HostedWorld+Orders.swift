import NearbyAirs
import NearbySimulated
import NearbySimulator
import NearbyWorldProtocol

/// A change to a world requested by a person who watches it.
package enum WorldOrder: Equatable, Sendable {
  case place(device: Int, SIMD3<Double>)
  /// Radians. Heading is clockwise from north, pitch upwards, roll leans the top to the right.
  case turn(device: Int, heading: Double, pitch: Double, roll: Double)
  case foreground(device: Int, Bool)
  /// Answers an open question. Without one, changes the permission as in Settings.
  case answer(device: Int, WorldQuestion, WorldAnswer)
  /// Replies to the accessory picker with this number; no-op if it is not open any more.
  case pick(device: Int, number: UInt32, WorldPick)
  /// Sets how future questions are answered; `nil` leaves them open.
  case standingAnswer(device: Int, WorldAnswer?)
  /// Lumens.
  case light(device: Int, Double)
  case features(device: Int, Bool)
  /// Share of frames lost in addition to losses from low power, 0 to 1.
  case loss(device: Int, Double)
  case radio(device: Int, isOn: Bool)
  case bluetooth(device: Int, isOn: Bool)
  case placeBeacon(Int, SIMD3<Double>)
  /// Switches the beacon's power.
  case beacon(Int, isOn: Bool)
  case placeAnchor(Int, SIMD3<Double>)
  /// Switches the anchor's radios.
  case anchor(Int, isOn: Bool)
  /// Causes a fault of an anchor, or repairs it with 0.
  case anchorFault(Int, AnchorFaultKind, Double)
  case addAnchor(name: String, network: UInt32, SIMD3<Double>)
  case addWall(Wall)
  /// Removes the wall with this ID, as sent to the page.
  case removeWall(id: Int)
  case addDevice(name: String, PlacedKind, SIMD3<Double>)
  case removeDevice(Int)
  case rate(WorldRate)
}

extension WorldOrder {
  /// The device that the order concerns.
  fileprivate var device: Int? {
    switch self {
    case .place(let device, _), .turn(let device, _, _, _), .foreground(let device, _),
      .answer(let device, _, _), .pick(let device, _, _),
      .standingAnswer(let device, _), .light(let device, _), .features(let device, _), .loss(let device, _),
      .radio(let device, _), .bluetooth(let device, _), .removeDevice(let device):
      device
    case .placeBeacon, .beacon, .placeAnchor, .anchor, .anchorFault, .addAnchor, .addWall, .removeWall,
      .addDevice, .rate:
      nil
    }
  }

  fileprivate var beacon: Int? {
    switch self {
    case .placeBeacon(let beacon, _), .beacon(let beacon, _): beacon
    case .place, .turn, .foreground, .answer, .pick, .standingAnswer, .light, .features, .loss, .radio,
      .bluetooth, .placeAnchor, .anchor, .anchorFault, .addAnchor, .addWall, .removeWall, .addDevice,
      .removeDevice, .rate:
      nil
    }
  }

  fileprivate var anchor: Int? {
    switch self {
    case .placeAnchor(let anchor, _), .anchor(let anchor, _), .anchorFault(let anchor, _, _): anchor
    case .place, .turn, .foreground, .answer, .pick, .standingAnswer, .light, .features, .loss, .radio,
      .bluetooth, .placeBeacon, .beacon, .addAnchor, .addWall, .removeWall, .addDevice, .removeDevice, .rate:
      nil
    }
  }
}

/// Why a world rejects an order.
package struct WorldRefusal: Equatable, Sendable, CustomStringConvertible {
  static let deviceExpected = "a device's id"
  static let beaconExpected = "a beacon's id"
  static let anchorExpected = "an anchor's id"
  package let description: String
}

extension HostedWorld {
  /// Maximum number of walls and floors. Each one is tested for every frame on the air.
  static let obstacleLimit = 1000

  /// Carries out an order at the world's current time. An order for a removed device has no effect.
  ///
  /// - Returns: Why the order was rejected, or `nil`.
  @discardableResult
  package mutating func perform(_ order: WorldOrder) -> WorldRefusal? {
    if let refusal = refusal(of: order) { return refusal }
    if let device = order.device, devices[device].isGone { return nil }
    switch order {
    case .place(let device, let position): place(device, position)
    case .turn(let device, let heading, let pitch, let roll):
      track(device)
      air.medium.world.setFacing(
        of: devices[device].body, .fixed(Rotation(heading: heading, pitch: pitch, roll: roll)))
    case .foreground(let device, let isInForeground): setForeground(device, isInForeground)
    case .answer(let device, let question, let answer): self.answer(device, question, answer)
    case .pick(let device, let number, let reply): pick(device, number: number, reply)
    case .standingAnswer(let device, let answer): setStandingAnswer(device, answer)
    // 0 to 2000 lumens is the range that Apple documents for `ARLightEstimate.ambientIntensity`.
    case .light(let device, let lumens): setSurroundings(device) { $0.light = min(2000, max(0, lumens)) }
    case .features(let device, let areThere): setSurroundings(device) { $0.isFeatureless = !areThere }
    case .loss(let device, let share): air.medium.world.setExtraLoss(share, ofRadio: devices[device].radio)
    case .radio(let device, let isOn): air.medium.world.setRadio(devices[device].radio, isOn: isOn)
    case .bluetooth(let device, let isOn): setBluetooth(device, isOn: isOn)
    case .placeBeacon(let beacon, let position): placeBeacon(beacon, at: position)
    case .beacon(let beacon, let isOn): setBeacon(beacon, isOn: isOn)
    case .placeAnchor(let anchor, let position): placeAnchor(anchor, at: position)
    case .anchor(let anchor, let isOn): air.setAnchor(anchor, isOn: isOn, at: time)
    case .anchorFault(let anchor, let fault, let value): setFault(fault, value, ofAnchor: anchor)
    case .addAnchor(let name, let network, let position): addAnchor(name, network: network, at: position)
    case .addWall(let wall):
      air.medium.world.add(wall)
      nameObstacles()
    case .removeWall(let id): removeWall(id: id)
    case .addDevice(let name, let kind, let position): addDevice(name, kind, at: position, facing: nil)
    case .removeDevice(let device): removeDevice(device)
    case .rate(let rate): setRate(rate)
    }
    return nil
  }

  /// Validates what an order refers to. Nothing downstream checks it again.
  private func refusal(of order: WorldOrder) -> WorldRefusal? {
    if let device = order.device { return refusal(ofDevice: device) }
    if let beacon = order.beacon, !beacons.indices.contains(beacon) {
      return WorldRefusal(description: "beacon: found '\(beacon)', expected \(WorldRefusal.beaconExpected)")
    }
    if let anchor = order.anchor, !anchors.indices.contains(anchor) {
      return WorldRefusal(description: "anchor: found '\(anchor)', expected \(WorldRefusal.anchorExpected)")
    }
    if case .addAnchor(let name, let network, _) = order {
      return refusal(ofAnchor: name, network: network)
    }
    if case .addWall = order, obstacleIDs.count >= Self.obstacleLimit {
      return WorldRefusal(
        description: "addWall: \(obstacleIDs.count) walls and floors, and no more are added")
    }
    guard case .addDevice(let name, _, _) = order else { return nil }
    if deviceOfName[name] != nil {
      return WorldRefusal(description: "name: there already is a device '\(name)'")
    }
    return hasRoom
      ? nil : WorldRefusal(description: "addDevice: \(deviceOfName.count) devices, and no more are added")
  }

  /// Why an order cannot name this device; `nil` if it can, including a device that was removed.
  func refusal(ofDevice device: Int) -> WorldRefusal? {
    if devices.indices.contains(device) { return nil }
    return WorldRefusal(description: "device: found '\(device)', expected \(WorldRefusal.deviceExpected)")
  }

  private mutating func place(_ device: Int, _ position: SIMD3<Double>) {
    // The camera saw everything up to now from the old position.
    track(device)
    air.medium.world.place(devices[device].body, at: position)
  }

  private mutating func setSurroundings(
    _ device: Int, _ change: (inout CameraTracker.Surroundings) -> Void
  ) {
    track(device)
    change(&devices[device].camera.surroundings)
  }

  private mutating func setRate(_ rate: WorldRate) {
    self.rate = rate
    sendClock()
  }

  /// Sends the time and its rate to every program. A program's clock stops if it receives nothing for too
  /// long.
  mutating func sendClock() {
    for client in deviceOfClient.keys.sorted() { send(client, .clock(rate)) }
  }

  private mutating func send(_ client: WorldClient, _ message: WorldMessage) {
    guard let device = deviceOfClient[client], case .program = devices[device].holder else { return }
    actions.append(.send(message, to: client, at: time))
  }

  // MARK: Life cycle and permission

  mutating func setForeground(_ device: Int, _ isInForeground: Bool) {
    guard devices[device].isInForeground != isInForeground else { return }
    devices[device].isInForeground = isInForeground
    setBluetoothForeground(device, isInForeground)
    if let client = devices[device].holder?.client { send(client, .foreground(isInForeground)) }
  }

  mutating func answer(_ device: Int, _ question: WorldQuestion, _ answer: WorldAnswer) {
    guard let index = devices[device].questions.firstIndex(of: question) else {
      return setPermission(device, question, answer)
    }
    devices[device].questions.remove(at: index)
    guard question != .bluetooth else { return setBluetoothPermission(device, answer) }
    devices[device].set(question, answer)
    if let client = devices[device].holder?.client { send(client, .answer(question, answer)) }
  }

  mutating func setPermission(_ device: Int, _ question: WorldQuestion, _ answer: WorldAnswer) {
    guard question != .bluetooth else { return setBluetoothPermission(device, answer) }
    devices[device].set(question, answer)
    if let client = devices[device].holder?.client { send(client, .setting(question, answer)) }
  }

  private mutating func setStandingAnswer(_ device: Int, _ answer: WorldAnswer?) {
    devices[device].standingAnswer = answer
    guard let answer else { return }
    for question in devices[device].questions { self.answer(device, question, answer) }
    replyToPicker(device)
  }
}

extension HostedDevice {
  /// Stores an answer to a question.
  mutating func set(_ question: WorldQuestion, _ answer: WorldAnswer) {
    switch question {
    case .nearby: permission = answer
    case .camera: cameraPermission = answer
    case .location:
      locationPermission = answer
      // Permission at any time requires permission while in use.
      if answer != .allowed { alwaysPermission = .notDetermined }
    case .locationAlways: alwaysPermission = answer
    // The air stores this one.
    case .bluetooth: break
    }
  }
}
