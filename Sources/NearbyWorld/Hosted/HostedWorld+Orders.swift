import NearbyAirs
import NearbyRuntime
import NearbySimulator
import NearbyWorldProtocol

/// What a person who watches a world may do to it.
package enum WorldOrder: Equatable, Sendable {
  case place(device: Int, SIMD3<Double>)
  /// Radians; clockwise from north, up, top to the right.
  case turn(device: Int, heading: Double, pitch: Double, roll: Double)
  case foreground(device: Int, Bool)
  /// To an open question; for good where there is none.
  case answer(device: Int, WorldQuestion, WorldAnswer)
  /// How questions to come are answered; `nil` leaves them open.
  case standingAnswer(device: Int, WorldAnswer?)
  /// Lumens.
  case light(device: Int, Double)
  case features(device: Int, Bool)
  /// Share of frames lost beside what power says.
  case loss(device: Int, Double)
  case radio(device: Int, isOn: Bool)
  case bluetooth(device: Int, isOn: Bool)
  case placeBeacon(Int, SIMD3<Double>)
  /// Whether it has power.
  case beacon(Int, isOn: Bool)
  case addWall(Wall)
  /// By the number that the page was told.
  case removeWall(id: Int)
  case addDevice(name: String, PlacedKind, SIMD3<Double>)
  case removeDevice(Int)
  case rate(WorldRate)
}

extension HostedWorld {
  /// Follows an order at the world's current time; one that names no device of this world is passed over.
  package mutating func perform(_ order: WorldOrder) {
    switch order {
    case .place(let device, let position):
      if exists(device) { place(device, position) }
    case .turn(let device, let heading, let pitch, let roll):
      guard exists(device) else { return }
      track(device)
      air.medium.world.setFacing(
        of: devices[device].body, .fixed(Rotation(heading: heading, pitch: pitch, roll: roll)))
    case .foreground(let device, let isInForeground):
      if exists(device) { setForeground(device, isInForeground) }
    case .answer(let device, let question, let answer):
      if exists(device) { self.answer(device, question, answer) }
    case .standingAnswer(let device, let answer):
      if exists(device) { setStandingAnswer(device, answer) }
    case .light(let device, let lumens):
      if exists(device) { setSurroundings(device) { $0.light = min(2000, max(0, lumens)) } }
    case .features(let device, let areThere):
      if exists(device) { setSurroundings(device) { $0.isFeatureless = !areThere } }
    case .loss(let device, let share):
      if exists(device) { air.medium.world.setExtraLoss(share, ofRadio: devices[device].radio) }
    case .radio(let device, let isOn):
      if exists(device) { air.medium.world.setRadio(devices[device].radio, isOn: isOn) }
    case .bluetooth(let device, let isOn): if exists(device) { setBluetooth(device, isOn: isOn) }
    case .placeBeacon(let beacon, let position):
      if beacons.indices.contains(beacon) { placeBeacon(beacon, at: position) }
    case .beacon(let beacon, let isOn):
      if beacons.indices.contains(beacon) { setBeacon(beacon, isOn: isOn) }
    case .addWall(let wall):
      air.medium.world.add(wall)
      nameObstacles()
    case .removeWall(let id): removeWall(id: id)
    case .addDevice(let name, let kind, let position):
      guard deviceOfName[name] == nil, hasRoom else { return }
      addDevice(name, kind, at: position, facing: nil)
    case .removeDevice(let device): removeDevice(device)
    case .rate(let rate): setRate(rate)
    }
  }

  private mutating func place(_ device: Int, _ position: SIMD3<Double>) {
    // What the camera saw until now was seen from the old place.
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
    tellTime()
  }

  /// Every program hears what the time is and how it goes: where nothing else happens theirs would stop.
  mutating func tellTime() {
    for client in deviceOfClient.keys.sorted() { tell(client, .clock(rate)) }
  }

  private mutating func tell(_ client: WorldClient, _ message: WorldMessage) {
    guard let device = deviceOfClient[client], case .program = devices[device].holder else { return }
    actions.append(.send(message, to: client, at: time))
  }

  // MARK: Life cycle and permission

  mutating func setForeground(_ device: Int, _ isInForeground: Bool) {
    guard devices[device].isInForeground != isInForeground else { return }
    devices[device].isInForeground = isInForeground
    setBluetoothForeground(device, isInForeground)
    if let client = devices[device].holder?.client { tell(client, .foreground(isInForeground)) }
  }

  mutating func answer(_ device: Int, _ question: WorldQuestion, _ answer: WorldAnswer) {
    guard let index = devices[device].questions.firstIndex(of: question) else {
      return setPermission(device, question, answer)
    }
    devices[device].questions.remove(at: index)
    guard question != .bluetooth else { return setBluetoothPermission(device, answer) }
    devices[device].set(question, answer)
    if let client = devices[device].holder?.client { tell(client, .answer(question, answer)) }
  }

  mutating func setPermission(_ device: Int, _ question: WorldQuestion, _ answer: WorldAnswer) {
    guard question != .bluetooth else { return setBluetoothPermission(device, answer) }
    devices[device].set(question, answer)
    if let client = devices[device].holder?.client { tell(client, .setting(question, answer)) }
  }

  private mutating func setStandingAnswer(_ device: Int, _ answer: WorldAnswer?) {
    devices[device].standingAnswer = answer
    guard let answer else { return }
    for question in devices[device].questions { self.answer(device, question, answer) }
  }
}

extension HostedDevice {
  mutating func set(_ question: WorldQuestion, _ answer: WorldAnswer) {
    switch question {
    case .nearby: permission = answer
    case .camera: cameraPermission = answer
    case .location:
      locationPermission = answer
      // Who may not know while it is in use may not know at other times.
      if answer != .allowed { alwaysPermission = .notDetermined }
    case .locationAlways: alwaysPermission = answer
    // The air keeps it.
    case .bluetooth: break
    }
  }
}
