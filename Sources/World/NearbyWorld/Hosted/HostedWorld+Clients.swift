import NearbySimulator
import NearbyWorldProtocol

/// Connections of programs and hosts: joining, receiving messages, leaving.
extension HostedWorld {
  /// Handles a message from a connection. The first one must be a hello.
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
    case .picks(let picker): setPicker(device, picker)
    case .report(let report): note(report, of: device)
    case .shows(let display): devices[device].display = display
    case .declares(let modes): declare(modes, of: device)
    case .bluetooth(let message): received(message, by: device, client)
    case .removes(let name):
      guard let device = deviceOfName[name] else { return refuse(client, "no device '\(name)' to remove") }
      removeDevice(device)
    }
  }

  /// Gives a foreign UCI host a device of its own: `uci-` and the lowest number that is not held.
  package mutating func joinHost(_ client: WorldClient) {
    let limit = min(settings.hostLimit, max(1, settings.deviceLimit / 2))
    guard hostCount < limit else {
      return actions.append(
        .close(client, reason: "the world is full: it has \(limit) UCI hosts, the maximum"))
    }
    // Programs may hold devices with such names, too.
    var number = 1
    while let device = deviceOfName["uci-\(number)"], devices[device].holder != nil { number += 1 }
    guard let device = device(named: "uci-\(number)", isHostOwned: true) else {
      return actions.append(.close(client, reason: fullText))
    }
    hostCount += 1
    assign(device, .host(client))
  }

  private var fullText: String { "the world is full: it has \(settings.deviceLimit) devices, the maximum" }

  package mutating func received(_ octets: [UInt8], fromHost client: WorldClient) {
    if let device = deviceOfClient[client] { received(octets, by: device) }
  }

  /// Handles the end of a connection: its device goes silent, or leaves the world if it was created for a UCI
  /// host.
  package mutating func left(_ client: WorldClient) {
    observers[client] = nil
    guard let device = deviceOfClient.removeValue(forKey: client) else { return }
    if case .host = devices[device].holder { hostCount -= 1 }
    powerOff(device)
    endBluetooth(of: device)
    devices[device].release()
    journal.note(.left, device: device, at: time)
    if devices[device].isHostOwned { removeDevice(device) }
  }

  // MARK: Joining

  mutating func refuse(_ client: WorldClient, _ reason: String) {
    actions.append(.send(.refused(reason: reason), to: client, at: time))
    actions.append(.close(client, reason: reason))
  }

  /// Notifies a program that it has no device and should not retry.
  mutating func end(_ client: WorldClient, _ cause: WorldEnd.Cause, _ reason: String) {
    actions.append(.send(.ended(WorldEnd(cause, reason)), to: client, at: time))
    actions.append(.close(client, reason: reason))
  }

  /// Handles a hello: makes the connection an observer or the holder of a device, or rejects it.
  private mutating func join(_ client: WorldClient, _ hello: DeviceHello) {
    guard WorldToken.isSame(hello.token, settings.token) else {
      return refuse(client, "wrong token: the world prints the right one when it starts")
    }
    if hello.role == .observer { return observe(client, hello.device) }
    guard let device = device(named: hello.device) else {
      return refuse(client, fullText)
    }
    if let holder = devices[device].holder {
      // A program may reconnect before the loss of its earlier connection is noticed.
      guard hello.instance != 0, hello.instance == devices[device].instance else {
        return end(client, .held, "\(hello.device) is held by \(devices[device].holderText)")
      }
      actions.append(.close(holder.client, reason: "\(hello.device) connected again"))
      left(holder.client)
    }
    assign(device, .program(client, name: hello.program))
    devices[device].process = hello.process
    devices[device].instance = hello.instance
  }

  /// Sends a device's state to a connection that has become its program or its observer.
  mutating func sendWelcome(to client: WorldClient, _ device: Int) {
    let it = devices[device]
    let welcome = WorldWelcome(
      device: UInt32(device), seed: seed, permission: it.permission, cameraPermission: it.cameraPermission,
      isInForeground: it.isInForeground, hasCamera: it.camera.isAvailable, rate: rate)
    actions.append(.send(.welcome(welcome), to: client, at: time))
  }

  /// Makes a connection the holder of a device: sends the device's state and powers on its chip.
  private mutating func assign(_ device: Int, _ holder: HostedDevice.Holder) {
    devices[device].holder = holder
    deviceOfClient[holder.client] = device
    if case .program(let client, let name) = holder {
      let it = devices[device]
      sendWelcome(to: client, device)
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
    applyBluetoothModes(device)
  }

  private mutating func declare(_ modes: AppBackgroundModes, of device: Int) {
    devices[device].backgroundModes = modes
    applyBluetoothModes(device)
  }

  // MARK: What programs ask and report

  /// Asks a device's user a question. A standing answer is given at once; otherwise the question stays open.
  mutating func ask(_ device: Int, _ question: WorldQuestion) {
    if !devices[device].questions.contains(question) {
      devices[device].questions.append(question)
      journal.note(.asked(question), device: device, at: time)
    }
    if let answer = devices[device].standingAnswer { self.answer(device, question, answer) }
  }

  private mutating func note(_ report: SessionReport, of device: Int) {
    devices[device].note(report, at: time)
    journal.note(.reported(report), device: device, at: time)
  }
}

extension HostedDevice {
  /// Maximum number of sessions remembered per app, which has a handful at once; ended ones are evicted
  /// first.
  private static let sessionLimit = 64

  /// Updates the session that a report concerns, creating it if necessary.
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
  /// The device that owns each session's discovery token.
  func sessionOwners() -> [[UInt8]: Int] {
    var owners: [[UInt8]: Int] = [:]
    for (id, device) in devices.enumerated() {
      for session in device.sessions where !session.token.isEmpty { owners[session.token] = id }
    }
    return owners
  }

  func client(ofDevice name: String) -> WorldClient? {
    deviceOfName[name].flatMap { devices[$0].holder?.client }
  }

  /// The device that a connection holds or observes, and the name of its program.
  package func holding(of client: WorldClient) -> (device: String, program: String)? {
    if let observer = observers[client] { return (devices[observer.device].name, "observer") }
    guard let device = deviceOfClient[client], let holder = devices[device].holder else { return nil }
    switch holder {
    case .program(_, let name): return (devices[device].name, name)
    case .host: return (devices[device].name, "UCI host")
    }
  }
}
