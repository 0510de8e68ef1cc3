import NearbyAirs
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyWorldProtocol
import Testing

@testable import NearbyWorld

extension HostedWorld {
  /// The messages for a client since the last call.
  mutating func told(_ client: WorldClient) -> [WorldMessage] {
    takeActions().compactMap { action in
      if case .send(let message, to: client, at: _) = action { message } else { nil }
    }
  }

  /// Joins a program to the world.
  mutating func join(_ number: Int, as name: String, token: String = "") -> WorldClient {
    let client = WorldClient(number: number)
    received(.hello(DeviceHello(token: token, device: name, program: "test")), from: client)
    return client
  }

  func place(of device: Int) -> SIMD3<Double> {
    air.medium.world.pose(of: devices[device].body, at: time).positionInWorld
  }
}

extension Material {
  /// A built-in material, or a body if there is none with that name.
  static func builtIn(_ name: String) -> Material { named(name) ?? .body }
}

/// Why a client was refused, or `nil` if it was not.
private func refusal(_ messages: [WorldMessage]) -> String? {
  for case .refused(let reason) in messages { return reason }
  return nil
}

private func close(of actions: [HostedWorld.Action], _ client: WorldClient) -> String? {
  for case .close(client, let reason) in actions { return reason }
  return nil
}

@Suite("A hosted world without sockets")
struct HostedWorldTests {
  private static func world(
    _ change: (inout HostedWorld.Settings) -> Void = { _ in }
  ) -> HostedWorld {
    var settings = HostedWorld.Settings()
    change(&settings)
    return HostedWorld(.empty, settings: settings)
  }

  // MARK: Joining

  @Test("A device is created for a program that joins")
  func joining() throws {
    var world = Self.world()
    let client = world.join(1, as: "anna")
    guard case .welcome(let welcome) = world.told(client).first else {
      Issue.record("no welcome")
      return
    }
    #expect(welcome.device == 0)
    #expect(welcome.permission == .notDetermined)
    #expect(welcome.isInForeground)
    #expect(welcome.hasCamera)
    #expect(world.deviceNames == ["anna"])
    #expect(world.holding(of: client)?.program == "test")
  }

  @Test("The first message must be the hello, and there may be only one")
  func helloFirst() {
    var world = Self.world()
    let early = WorldClient(number: 1)
    world.received(.asks(.nearby), from: early)
    #expect(refusal(world.told(early))?.contains("hello") == true)
    let late = world.join(2, as: "anna")
    _ = world.takeActions()
    world.received(.hello(DeviceHello(token: "", device: "ben", program: "")), from: late)
    let actions = world.takeActions()
    #expect(close(of: actions, late) == "a second hello")
    #expect(world.deviceNames == ["anna"])
  }

  @Test("A wrong token is refused", arguments: ["", "secre", "secrets", "Secret"])
  func wrongToken(_ token: String) {
    var world = Self.world { $0.token = "secret" }
    let client = world.join(1, as: "anna", token: token)
    let actions = world.takeActions()
    #expect(close(of: actions, client)?.contains("wrong token") == true)
    #expect(world.deviceNames.isEmpty)
  }

  /// The hello that a program sends when it starts.
  private static func hello(_ name: String, instance: UInt64, process: UInt32 = 7) -> DeviceMessage {
    var hello = DeviceHello(token: "", device: name, program: "cerca")
    (hello.instance, hello.process) = (instance, process)
    return .hello(hello)
  }

  @Test("A second program with the same name is refused and told the holder; the first one stays")
  func heldDevice() {
    var world = Self.world()
    let (first, second) = (WorldClient(number: 1), WorldClient(number: 2))
    world.received(Self.hello("anna", instance: 5), from: first)
    _ = world.takeActions()
    world.received(Self.hello("anna", instance: 6, process: 8), from: second)
    #expect(world.told(second) == [.ended(WorldEnd(.held, "anna is held by cerca, pid 7"))])
    world.left(second)
    #expect(world.holding(of: first)?.device == "anna")
    // A program of version 1 does not identify itself, so it counts as another program, too.
    let third = world.join(3, as: "anna")
    #expect(world.told(third) == [.ended(WorldEnd(.held, "anna is held by cerca, pid 7"))])
    world.left(first)
    world.received(Self.hello("anna", instance: 6, process: 8), from: WorldClient(number: 4))
    #expect(world.holding(of: WorldClient(number: 4))?.device == "anna")
  }

  @Test("A program that reconnects replaces its own earlier connection")
  func ownConnection() {
    var world = Self.world()
    let (first, second) = (WorldClient(number: 1), WorldClient(number: 2))
    world.received(Self.hello("anna", instance: 5), from: first)
    _ = world.takeActions()
    world.received(Self.hello("anna", instance: 5), from: second)
    #expect(close(of: world.takeActions(), first) == "anna connected again")
    // The late end of the first program's connection has no effect.
    world.left(first)
    #expect(world.holding(of: second)?.device == "anna")
    #expect(world.deviceNames == ["anna"])
  }

  // MARK: Removing

  @Test("Removing a device ends its program and observers, and frees its name and place")
  func removal() {
    var world = Self.world { $0.deviceLimit = 2 }
    let anna = world.join(1, as: "anna")
    _ = world.join(2, as: "ben")
    var hello = DeviceHello(token: "", device: "anna", program: "record")
    hello.role = .observer
    world.received(.hello(hello), from: WorldClient(number: 3))
    _ = world.takeActions()
    let mark = world.layoutMark
    world.perform(.removeDevice(0))
    let actions = world.takeActions()
    #expect(close(of: actions, anna)?.contains("removed") == true)
    #expect(close(of: actions, WorldClient(number: 3))?.contains("removed") == true)
    #expect(world.deviceNames == ["ben"])
    #expect(world.layoutMark != mark)
    #expect(!world.layoutText().contains("anna"))
    #expect(!world.stateText().contains("\"id\":0"))
    #expect(world.deviceText(0) == nil)
    world.perform(.removeDevice(0))
    world.perform(.place(device: 0, [9, 9, 9]))
    let carl = world.join(4, as: "carl")
    #expect(world.holding(of: carl)?.device == "carl")
    #expect(world.devices.count == 2)
    #expect(world.deviceNames == ["carl", "ben"])
    #expect(world.deviceText(0) != nil)
  }

  @Test("A program removes devices by name: its own, another's, and one that does not exist")
  func removalByProgram() {
    var world = Self.world()
    let (anna, ben) = (world.join(1, as: "anna"), world.join(2, as: "ben"))
    _ = world.takeActions()
    world.received(.removes(device: "ben"), from: anna)
    #expect(world.told(ben) == [.ended(WorldEnd(.removed, "ben was removed from the world"))])
    world.received(.removes(device: "anna"), from: anna)
    #expect(world.deviceNames.isEmpty)
    let carl = world.join(3, as: "carl")
    _ = world.takeActions()
    world.received(.removes(device: "nobody"), from: carl)
    #expect(refusal(world.told(carl)) == "no device 'nobody' to remove")
  }

  @Test("Sixty thousand hosts that connect one after another leave no device and no place behind")
  func hostsLeaveNothing() {
    var world = Self.world()
    for number in 0..<60_000 {
      let host = WorldClient(number: number)
      world.joinHost(host)
      world.left(host)
      _ = world.takeActions()
    }
    #expect(world.deviceNames.isEmpty)
    #expect(world.devices.count == 1)
  }

  @Test(
    "UCI hosts may have at most half of a world's devices, and no more than their limit",
    arguments: [
      (10, 128, 5), (1000, 128, 128), (1, 128, 1), (1000, 3, 3),
    ])
  func hostLimit(_ devices: Int, _ hosts: Int, _ expected: Int) {
    var world = Self.world {
      $0.deviceLimit = devices
      $0.hostLimit = hosts
    }
    for number in 0..<200 { world.joinHost(WorldClient(number: number)) }
    #expect(world.deviceNames.count == expected)
    world.left(WorldClient(number: 0))
    world.joinHost(WorldClient(number: 200))
    #expect(world.holding(of: WorldClient(number: 200))?.device == "uci-1")
  }

  @Test("Over the limit no device is created, but existing ones may be joined")
  func deviceLimit() {
    var world = Self.world { $0.deviceLimit = 2 }
    let anna = world.join(1, as: "anna")
    _ = world.join(2, as: "ben")
    _ = world.takeActions()
    let carl = world.join(3, as: "carl")
    #expect(refusal(world.told(carl))?.contains("the world is full") == true)
    let host = WorldClient(number: 4)
    world.joinHost(host)
    #expect(close(of: world.takeActions(), host) != nil)
    world.left(anna)
    let again = world.join(5, as: "anna")
    #expect(world.holding(of: again)?.device == "anna")
    world.perform(.addDevice(name: "dora", .phone, [1, 1, 1]))
    #expect(world.deviceNames == ["anna", "ben"])
  }

  @Test("UCI hosts get their own devices; a freed one is reused")
  func hosts() {
    var world = Self.world()
    let hosts = (1...2).map { WorldClient(number: $0) }
    hosts.forEach { world.joinHost($0) }
    #expect(world.deviceNames == ["uci-1", "uci-2"])
    world.left(hosts[0])
    #expect(world.deviceNames == ["uci-2"])
    let next = WorldClient(number: 3)
    world.joinHost(next)
    #expect(world.holding(of: next)?.device == "uci-1")
    _ = world.takeActions()
    // GET_DEVICE_INFO, which is answered with plain UCI octets.
    world.received([0x20, 0x02, 0, 0], fromHost: next)
    world.advance(to: world.time + .seconds(1))
    let answers = world.takeActions().compactMap { action -> [UInt8]? in
      if case .sendBare(let octets, to: next) = action { octets } else { nil }
    }
    #expect(answers.contains { $0.starts(with: [0x40, 0x02]) })
  }

  @Test("Devices created for programs that join are more than 1 m apart")
  func freePlaces() {
    var world = Self.world()
    for number in 0..<60 { _ = world.join(number, as: "device-\(number)") }
    for a in 0..<60 {
      for b in 0..<a {
        let way = world.place(of: a) - world.place(of: b)
        #expect((way * way).sum().squareRoot() > 1, "\(a) and \(b)")
      }
    }
  }

  @Test("The page's welcome contains the address that programs join")
  func welcome() {
    let text = Self.world().welcomeText(address: "127.0.0.1:7100")
    #expect(text.contains(#""world":"127.0.0.1:7100""#))
  }

  // MARK: Questions

  @Test("A question stays open until it is answered; an answer without a question changes the setting")
  func questions() {
    var world = Self.world { $0.answer = nil }
    let anna = world.join(1, as: "anna")
    _ = world.takeActions()
    world.received(.asks(.nearby), from: anna)
    world.received(.asks(.nearby), from: anna)
    #expect(world.told(anna).isEmpty)
    #expect(world.stateText().contains(#""asks":["nearby"]"#))
    world.perform(.answer(device: 0, .nearby, .allowed))
    #expect(world.told(anna) == [.answer(.nearby, .allowed)])
    #expect(!world.stateText().contains("asks"))
    world.perform(.answer(device: 0, .nearby, .denied))
    #expect(world.told(anna) == [.setting(.nearby, .denied)])
    world.received(.asks(.camera), from: anna)
    world.perform(.standingAnswer(device: 0, .allowedOnce))
    #expect(world.told(anna) == [.answer(.camera, .allowedOnce)])
    world.received(.asks(.nearby), from: anna)
    #expect(world.told(anna) == [.answer(.nearby, .allowedOnce)])
  }

  @Test("After a launch \"Allow once\" is forgotten, and \"allow\" is not")
  func onceIsOnce() {
    var world = Self.world()
    let anna = world.join(1, as: "anna")
    world.perform(.answer(device: 0, .nearby, .allowed))
    world.perform(.answer(device: 0, .camera, .allowedOnce))
    world.left(anna)
    _ = world.takeActions()
    let again = world.join(2, as: "anna")
    guard case .welcome(let welcome) = world.told(again).first else {
      Issue.record("no welcome")
      return
    }
    #expect(welcome.permission == .allowed)
    #expect(welcome.cameraPermission == .notDetermined)
  }

  @Test("A change of the foreground is reported once, and only to programs")
  func foreground() {
    var world = Self.world()
    let anna = world.join(1, as: "anna")
    let host = WorldClient(number: 2)
    world.joinHost(host)
    _ = world.takeActions()
    world.perform(.foreground(device: 0, true))
    #expect(world.told(anna).isEmpty)
    world.perform(.foreground(device: 0, false))
    #expect(world.told(anna) == [.foreground(false)])
    world.perform(.foreground(device: 1, false))
    #expect(world.takeActions().isEmpty)
  }

  // MARK: Camera and observers

  private static func poses(_ messages: [WorldMessage]) -> [WorldPose] {
    messages.compactMap { if case .pose(let pose) = $0 { pose } else { nil } }
  }

  @Test("A running camera sends poses of its own track with its run's number until it stops")
  func camera() throws {
    var world = Self.world()
    let anna = world.join(1, as: "anna")
    world.advance(to: .seconds(1))
    _ = world.takeActions()
    world.received(.camera(run: 7), from: anna)
    world.advance(to: .seconds(3))
    let poses = Self.poses(world.told(anna))
    #expect(poses.count > 50)
    #expect(poses.allSatisfy { $0.run == 7 })
    #expect(poses.last?.tracking == 5)
    // A track starts at its origin.
    let first = try #require(poses.first)
    #expect((first.position * first.position).sum() < 0.01)
    world.perform(.light(device: 0, 20))
    world.advance(to: .seconds(4))
    #expect(Self.poses(world.told(anna)).last?.light == 20)
    world.received(.camera(run: nil), from: anna)
    _ = world.takeActions()
    world.advance(to: .seconds(5))
    #expect(Self.poses(world.told(anna)).isEmpty)
  }

  @Test("An observer receives poses, may not send, and must name an existing device")
  func observers() {
    var world = Self.world()
    _ = world.join(1, as: "anna")
    func observe(_ number: Int, _ name: String) -> WorldClient {
      var hello = DeviceHello(token: "", device: name, program: "record")
      hello.role = .observer
      let client = WorldClient(number: number)
      world.received(.hello(hello), from: client)
      return client
    }
    let lost = observe(2, "nobody")
    #expect(refusal(world.told(lost)) == "no device 'nobody' to observe; there are: anna")
    let observer = observe(3, "anna")
    world.advance(to: world.time + .seconds(1))
    let heard = world.told(observer)
    let poses = heard.compactMap { message -> ObservedPose? in
      if case .observed(.pose(let pose)) = message { pose } else { nil }
    }
    #expect(poses.count > 20)
    #expect(poses.first?.inWorld.position == world.place(of: 0))
    world.received(.asks(.nearby), from: observer)
    #expect(close(of: world.takeActions(), observer) == "an observer only listens")
    world.left(observer)
    world.advance(to: world.time + .seconds(1))
    #expect(world.told(observer).isEmpty)
  }

  // MARK: Orders

  @Test("Orders for missing devices and walls have no effect")
  func ordersForNobody() {
    var world = Self.world()
    _ = world.join(1, as: "anna")
    _ = world.takeActions()
    let place = world.place(of: 0)
    for device in [-1, 1, Int.max] {
      world.perform(.place(device: device, [9, 9, 9]))
      world.perform(.turn(device: device, heading: 1, pitch: 1, roll: 1))
      world.perform(.foreground(device: device, false))
      world.perform(.answer(device: device, .nearby, .denied))
      world.perform(.radio(device: device, isOn: false))
    }
    world.perform(.removeWall(id: 0))
    #expect(world.takeActions().isEmpty)
    #expect(world.place(of: 0) == place)
  }

  @Test("Walls keep their numbers when others are removed; removing one twice has no effect")
  func wallNumbers() {
    var world = Self.world()
    for x in 0..<3 {
      world.perform(
        .addWall(Wall(from: [Double(x), 0], to: [Double(x), 5], top: 3, material: .builtIn("glass"))))
    }
    #expect(world.obstacleIDs == [0, 1, 2])
    world.perform(.removeWall(id: 1))
    world.perform(.removeWall(id: 1))
    #expect(world.obstacleIDs == [0, 2])
    world.perform(.addWall(Wall(from: [7, 0], to: [7, 5], top: 3, material: .builtIn("glass"))))
    #expect(world.obstacleIDs == [0, 2, 3])
  }
}
