import NearbyRuntime
import NearbySimulator
import NearbyWorldProtocol

/// Programs and hosts that come, speak and go.
extension HostedWorld {
  /// Takes a message of a connection; the first has to be the hello.
  package mutating func received(_ message: DeviceMessage, from client: WorldClient) {
    if observers[client] != nil { return refuse(client, "an observer only listens") }
    guard let device = deviceOfClient[client] else {
      guard case .hello(let hello) = message else {
        return refuse(client, "the first message has to be a hello")
      }
      return join(client, hello)
    }
    switch message {
    case .hello: refuse(client, "a second hello")
    case .uci(let octets): received(octets, by: device)
    case .camera(let run): setCamera(device, run: run)
    case .asks(let question): ask(device, question)
    case .report(let report): note(report, of: device)
    case .shows(let display): devices[device].display = display
    case .declares(let modes): declare(modes, of: device)
    case .bluetooth(let message): received(message, by: device, client)
    }
  }

  /// Gives a foreign UCI host a device of its own.
  package mutating func joinHost(_ client: WorldClient) {
    var number = 1
    while devices.contains(where: { $0.name == "uci-\(number)" && $0.holder != nil }) { number += 1 }
    guard let device = device(named: "uci-\(number)") else {
      actions.append(
        .close(client, reason: "the world has \(settings.deviceLimit) devices and takes no more"))
      return
    }
    take(device, .host(client))
  }

  package mutating func received(_ octets: [UInt8], fromHost client: WorldClient) {
    if let device = deviceOfClient[client] { received(octets, by: device) }
  }

  /// A connection ended: its device falls silent.
  package mutating func left(_ client: WorldClient) {
    observers[client] = nil
    guard let device = deviceOfClient.removeValue(forKey: client) else { return }
    powerOff(device)
    endBluetooth(of: device)
    devices[device].release()
    journal.note(.left, device: device, at: time)
  }

  // MARK: Joining

  mutating func refuse(_ client: WorldClient, _ reason: String) {
    actions.append(.send(.refused(reason: reason), to: client, at: time))
    actions.append(.close(client, reason: reason))
  }

  private mutating func join(_ client: WorldClient, _ hello: DeviceHello) {
    guard WorldToken.isSame(hello.token, settings.token) else {
      return refuse(client, "wrong token: the world prints the right one when it starts")
    }
    if hello.role == .observer { return observe(client, hello.device) }
    guard let device = device(named: hello.device) else {
      return refuse(client, "the world has \(settings.deviceLimit) devices and takes no more")
    }
    // A program that was started anew may be here before the end of the old one was noticed.
    if let holder = devices[device].holder {
      actions.append(.close(holder.client, reason: "another program is \(hello.device) now"))
      left(holder.client)
    }
    take(device, .program(client, name: hello.program))
  }

  private mutating func take(_ device: Int, _ holder: HostedDevice.Holder) {
    devices[device].holder = holder
    devices[device].isGone = false
    deviceOfClient[holder.client] = device
    if case .program(let client, let name) = holder {
      let it = devices[device]
      actions.append(
        .send(
          .welcome(
            WorldWelcome(
              device: UInt32(device), seed: seed, permission: it.permission,
              cameraPermission: it.cameraPermission, isInForeground: it.isInForeground,
              hasCamera: it.camera.isAvailable, rate: rate)), to: client, at: time))
      for (question, answer) in [
        (WorldQuestion.location, it.locationPermission), (.locationAlways, it.alwaysPermission),
      ]
      where answer != .notDetermined {
        actions.append(.send(.setting(question, answer), to: client, at: time))
      }
      journal.note(.joined(program: name), device: device, at: time)
    } else {
      journal.note(.joined(program: "UCI host"), device: device, at: time)
    }
    powerOn(device)
    settleBluetoothModes(device)
  }

  private mutating func declare(_ modes: AppBackgroundModes, of device: Int) {
    devices[device].backgroundModes = modes
    settleBluetoothModes(device)
  }

  /// The device of this name, made where there is none; `nil` where there is no room.
  mutating func device(named name: String) -> Int? {
    if let index = devices.firstIndex(where: { $0.name == name }) { return index }
    guard devices.count < settings.deviceLimit else { return nil }
    return addDevice(name, .phone, at: freePlace(), facing: nil)
  }

  /// In a circle around the middle of all: neighbours are 1.5 m apart and look at the middle.
  private func freePlace() -> SIMD3<Double> {
    let made = devices.count - plan.scenarioDevices
    var ring = 1
    var before = 0
    while made >= before + 6 * ring {
      before += 6 * ring
      ring += 1
    }
    let turn = 2 * Double.pi * Double(made - before) / Double(6 * ring)
    let offset = Rotation(heading: turn) * SIMD3(0, 0, -1.5 * Double(ring))
    return SIMD3(plan.middle.x + offset.x, plan.middle.y + offset.y, 1.2)
  }

  @discardableResult
  mutating func addDevice(
    _ name: String, _ kind: PlacedKind, at position: SIMD3<Double>, facing: Facing?
  ) -> Int {
    let facing = facing ?? .towards(SIMD3(plan.middle.x, plan.middle.y, position.z))
    let radio = kind.radio
    let body = medium.world.addBody(.standing(position), facing: facing)
    let number = medium.world.addRadio(on: body, radio, identity: StableHash.of(name))
    devices.append(makeDevice(name, body: body, radio: number, hasAngles: radio.array != nil))
    devices[devices.count - 1].camera.isAvailable = kind == .phone
    plan.add(name, kind)
    return devices.count - 1
  }

  // MARK: What programs ask and report

  mutating func ask(_ device: Int, _ question: WorldQuestion) {
    if !devices[device].questions.contains(question) { devices[device].questions.append(question) }
    if let answer = devices[device].standingAnswer { self.answer(device, question, answer) }
  }

  private mutating func note(_ report: SessionReport, of device: Int) {
    devices[device].note(report, at: time)
    journal.note(.reported(report), device: device, at: time)
  }
}

extension HostedDevice {
  /// Sessions of one app that are remembered; those that ended go first.
  private static let sessionLimit = 64

  mutating func note(_ report: SessionReport, at time: Duration) {
    let index: Int
    if let known = sessions.firstIndex(where: { $0.number == report.session }) {
      index = known
    } else {
      if sessions.count >= Self.sessionLimit {
        sessions.remove(at: sessions.firstIndex { $0.phase == .ended } ?? 0)
      }
      sessions.append(HostedSession(number: report.session))
      index = sessions.count - 1
    }
    switch report.event {
    case .made(let token): sessions[index].token = token
    case .run(let peer):
      sessions[index].peer = peer
      sessions[index].phase = .running
    case .paused: sessions[index].phase = .paused
    case .ended, .invalidated:
      sessions[index].phase = .ended
      sessions[index].sighting = nil
    case .updated(let sighting):
      sessions[index].sighting = sighting
      sessions[index].sighted = time
    case .convergence(let reasons, ofPeer: let isOfPeer): if isOfPeer { sessions[index].reasons = reasons }
    case .removed: sessions[index].sighting = nil
    case .suspended: sessions[index].phase = .suspended
    case .suspensionEnded: sessions[index].phase = .paused
    case .startedRunning: sessions[index].phase = .running
    }
  }
}

extension HostedWorld {
  func client(ofDevice name: String) -> WorldClient? {
    devices.first { $0.name == name }?.holder?.client
  }

  /// Which device a connection holds, and as what program.
  package func holding(of client: WorldClient) -> (device: String, program: String)? {
    if let observer = observers[client] { return (devices[observer.device].name, "observer") }
    guard let device = deviceOfClient[client], let holder = devices[device].holder else { return nil }
    switch holder {
    case .program(_, let name): return (devices[device].name, name)
    case .host: return (devices[device].name, "UCI host")
    }
  }
}
