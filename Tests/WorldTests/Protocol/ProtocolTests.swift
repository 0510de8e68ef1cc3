import NearbyBluetooth
import NearbyLive
import NearbyWorldProtocol
import TestSupport
import Testing

@Suite("World protocol")
struct ProtocolTests {
  static let deviceMessages: [DeviceMessage] = [
    .hello(DeviceHello(token: "t", device: "anna", program: "cerca", usageDescription: "to find you")),
    .hello(DeviceHello(token: "", device: "ä", program: "", cameraUsageDescription: "")),
    .uci([0x20, 0x02, 0, 0]), .uci([]),
    .camera(run: nil), .camera(run: 7),
    .asks(.nearby), .asks(.camera), .asks(.locationAlways),
    .report(SessionReport(session: 3, event: .made(token: [1, 2, 3]))),
    .report(SessionReport(session: 3, event: .run(peer: []))),
    .report(SessionReport(session: 3, event: .paused)),
    .report(SessionReport(session: 3, event: .ended)),
    .report(SessionReport(session: 0, event: .updated(Sighting()))),
    .report(
      SessionReport(
        session: .max,
        event: .updated(
          Sighting(
            distance: .init(metres: 1.5, sigma: 0.1), direction: .init(vector: [0, 0.6, -0.8], sigma: 0.05),
            horizontalAngle: -1, vertical: 2, place: [1, 2, 3],
            hypotheses: [.init(position: [1, 2, 3], weight: 0.5, spread: [0.1, 0, 0.2])])))),
    .report(SessionReport(session: 1, event: .convergence(5, ofPeer: true))),
    .report(SessionReport(session: 1, event: .removed(didTimeOut: true))),
    .report(SessionReport(session: 1, event: .suspended)),
    .report(SessionReport(session: 1, event: .suspensionEnded)),
    .report(SessionReport(session: 1, event: .startedRunning)),
    .report(SessionReport(session: 1, event: .invalidated(error: "sessionFailed"))),
    .shows(
      AppDisplay(
        line: "hall", place: AppDisplay.Place(position: [2, -3.5, 1.2], spread: [0.04, -0.01, 0.09]))),
    .shows(AppDisplay(line: "")),
    .shows(
      AppDisplay(
        line: "Jade: about 3 m", items: ["Amber", "ä"],
        radar: AppDisplay.Radar(brightness: 0.5, sweepsPerSecond: 2.5))),
    .removes(device: "ben"), .declares([]),
    .declares([.nearbyInteraction, .bluetoothCentral, .bluetoothPeripheral]),
    .picks(nil), .picks(WorldPicker(number: 1, kind: .choose([]))),
    .picks(
      WorldPicker(
        number: .max,
        kind: .choose([
          .init(peer: BluetoothPeer(high: 1, low: .max), name: "Keys", advertisedName: nil),
          .init(peer: BluetoothPeer(high: 0, low: 2), name: "ä", advertisedName: "Tag 7"),
        ]))),
    .picks(WorldPicker(number: 2, kind: .migrate(["Keys", ""]))),
    .picks(WorldPicker(number: 3, kind: .pairing("Keys"))),
    .picks(WorldPicker(number: 4, kind: .name("Keys"))),
  ]

  static let worldMessages: [WorldMessage] = [
    .welcome(
      WorldWelcome(
        device: 4, seed: 9, permission: .allowedOnce, cameraPermission: .denied, isInForeground: false,
        hasCamera: true, rate: .real)),
    .refused(reason: "wrong token"), .clock(.paused), .uci([1, 2, 3]),
    .pose(WorldPose(run: 1, position: [1, 2, 3], attitude: [0, 0, 0, 1], tracking: 5, light: 800)),
    .foreground(true), .answer(.nearby, .allowed), .setting(.camera, .notDetermined),
    .ended(WorldEnd(.held, "anna is held by cerca, pid 7")), .ended(WorldEnd(.removed, "")),
    .answer(.location, .allowedOnce), .setting(.locationAlways, .denied),
    .picked(number: 1, .cancel), .picked(number: 2, .choose(BluetoothPeer(high: 1, low: .max))),
    .picked(number: 3, .agree), .picked(number: .max, .name("ä")),
  ]

  @Test("A device's message survives a round trip", arguments: deviceMessages)
  func deviceMessageRoundTrip(_ message: DeviceMessage) throws {
    var octets: [UInt8] = []
    message.frame(at: .milliseconds(12)).write(to: &octets)
    var reader = WorldFrameReader()
    // One octet at a time: a frame is complete only with its last octet.
    for octet in octets.dropLast() {
      reader.append([octet])
      #expect(try reader.next() == nil)
    }
    reader.append([octets[octets.count - 1]])
    let frame = try #require(try reader.next())
    #expect(frame.time == .milliseconds(12))
    #expect(try DeviceMessage(frame) == message)
  }

  @Test("A world's message survives a round trip", arguments: worldMessages)
  func worldMessageRoundTrip(_ message: WorldMessage) throws {
    #expect(try WorldMessage(message.frame(at: .zero)) == message)
  }

  @Test("Every truncated message is refused with its position", arguments: deviceMessages)
  func shortenedMessage(_ message: DeviceMessage) {
    var frame = message.frame(at: .zero)
    if frame.side == .uci || frame.payload.isEmpty { return }
    frame.payload.removeLast()
    #expect(throws: WorldProtocolError.self) { try DeviceMessage(frame) }
    frame.payload += [0, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(throws: WorldProtocolError.self) { try DeviceMessage(frame) }
  }

  @Test(
    "An invalid header is refused",
    arguments: [
      (0, UInt8(1), "length"), (2, 2, "length"), (4, 9, "side"), (6, 1, "reserved"), (15, 0x80, "time"),
    ])
  func badHeader(_ offset: Int, _ value: UInt8, _ field: String) throws {
    var octets: [UInt8] = []
    DeviceMessage.asks(.camera).frame(at: .zero).write(to: &octets)
    octets[offset] = value
    if offset == 0 { octets[2] = 1 }
    var reader = WorldFrameReader()
    reader.append(octets)
    let error = #expect(throws: WorldProtocolError.self) { _ = try reader.next() }
    #expect(error?.field == field)
  }

  @Test("Random octets do not trap, and use no more memory than a frame", arguments: 0..<200)
  func randomOctets(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var reader = WorldFrameReader()
    for _ in 0..<50 {
      let count = Int.random(in: 0...64, using: &generator)
      var octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Insert a valid header from time to time.
      if octets.count > 16, Bool.random(using: &generator) {
        octets.replaceSubrange(
          0..<16,
          with: [UInt8(octets.count - 16), 0, 0, 0, octets[4] % 5, octets[5] % 3, 0, 0]
            + [UInt8](repeating: 0, count: 8))
      }
      reader.append(octets)
      do {
        while let frame = try reader.next() {
          _ = try? DeviceMessage(frame)
          _ = try? WorldMessage(frame)
        }
      } catch { reader = WorldFrameReader() }
    }
  }

  @Test("A display without a place is the message that it was before places; a place adds 48 octets")
  func displayWithoutPlace() throws {
    let plain = AppDisplay(line: "hall")
    var placed = plain
    placed.place = AppDisplay.Place(position: [1, 2, 3], spread: [1, 0, 1])
    let octets = DeviceMessage.shows(plain).frame(at: .zero).payload
    #expect(octets == [4, 0] + Array("hall".utf8) + [0, 0, 0])
    let more = DeviceMessage.shows(placed).frame(at: .zero).payload
    #expect(more.count == octets.count + 48 && more.starts(with: octets))
    placed.place?.position.x = .nan
    #expect(throws: WorldProtocolError.self) {
      try DeviceMessage(DeviceMessage.shows(placed).frame(at: .zero))
    }
  }

  @Test("Displays with values out of range, too many items or unknown modes are refused")
  func badDisplays() {
    for radar in [
      AppDisplay.Radar(brightness: 1.01, sweepsPerSecond: 1), .init(brightness: -0.01, sweepsPerSecond: 1),
      .init(brightness: 0, sweepsPerSecond: 21), .init(brightness: .nan, sweepsPerSecond: 1),
    ] {
      let frame = DeviceMessage.shows(AppDisplay(line: "", radar: radar)).frame(at: .zero)
      #expect(throws: WorldProtocolError.self) { try DeviceMessage(frame) }
    }
    var frame = DeviceMessage.shows(AppDisplay(line: "")).frame(at: .zero)
    frame.payload[2] = UInt8(AppDisplay.mostItems + 1)
    #expect(throws: WorldProtocolError.self) { try DeviceMessage(frame) }
    frame = DeviceMessage.declares([]).frame(at: .zero)
    frame.payload[0] = 8
    #expect(throws: WorldProtocolError.self) { try DeviceMessage(frame) }
  }

  @Test("A hello of version 1, without process and instance, is parsed; one of version 3 is refused")
  func olderHello() throws {
    var hello = DeviceHello(token: "t", device: "anna", program: "old")
    hello.version = 1
    let frame = DeviceMessage.hello(hello).frame(at: .zero)
    #expect(try DeviceMessage(frame) == .hello(hello))
    hello.version = 3
    #expect(throws: WorldProtocolError.self) {
      try DeviceMessage(DeviceMessage.hello(hello).frame(at: .zero))
    }
  }

  @Test("A header with too large a length is refused before anything is buffered")
  func payloadLimit() {
    var octets: [UInt8] = []
    WorldFrame(side: .control, kind: 0, time: .zero, payload: [UInt8](repeating: 0, count: 2049)).write(
      to: &octets)
    var reader = WorldFrameReader(payloadLimit: DeviceHello.longestPayload)
    reader.append(Array(octets.prefix(WorldFrame.headerSize)))
    let error = #expect(throws: WorldProtocolError.self) { _ = try reader.next() }
    #expect(error?.field == "length")
  }

  @Test("The longest hello fits into the buffer of a client that has not joined")
  func longestHello() {
    let text = String(repeating: "x", count: 300)
    let hello = DeviceHello(
      token: text, device: text, program: text, usageDescription: text, cameraUsageDescription: text)
    #expect(DeviceMessage.hello(hello).frame(at: .zero).payload.count <= DeviceHello.longestPayload)
  }

  @Test(
    "A clock's rate is 0, or 0.001 to 100",
    arguments: [1e-300, .leastNonzeroMagnitude, 0.0009, -0.001, 100.001, 1e308, .nan, .infinity])
  func badRate(_ value: Double) {
    #expect(WorldRate(value) == nil)
    var payload: [UInt8] = []
    withUnsafeBytes(of: value.bitPattern.littleEndian) { payload += $0 }
    let frame = WorldFrame(side: .control, kind: 130, time: .zero, payload: payload)
    let error = #expect(throws: WorldProtocolError.self) { _ = try WorldMessage(frame) }
    #expect(error?.field == "rate")
  }

  @Test("A time over 10⁹ s is refused in a frame's header")
  func lateFrame() {
    var octets: [UInt8] = []
    WorldMessage.clock(.real).frame(at: WorldTime.latest).write(to: &octets)
    var reader = WorldFrameReader()
    reader.append(octets)
    #expect(throws: Never.self) { try reader.next() }
    octets[8] &+= 1
    reader = WorldFrameReader()
    reader.append(octets)
    let error = #expect(throws: WorldProtocolError.self) { _ = try reader.next() }
    #expect(error?.field == "time")
  }

  @Test("A device's clock stays within its range in any sequence of worlds and rates")
  func deviceClock() throws {
    var instant = ContinuousClock.now
    var time = JoinedTime(at: instant)
    var last = Duration.zero
    for step in 0..<40 {
      instant += .seconds(1)
      let slowest = try #require(WorldRate(WorldRate.slowest))
      time.joined(step % 2 == 0 ? .zero : WorldTime.latest, slowest, at: instant)
      time.heard(WorldTime.latest, at: instant)
      let now = time.now(at: instant)
      #expect(now >= last)
      #expect(now <= WorldTime.latest)
      let wait = try #require(time.wait(until: now + .seconds(3600)))
      #expect(wait >= .zero)
      #expect(wait <= WorldTime.latest * 1001)
      last = now
    }
    time.set(.paused)
    #expect(time.wait(until: .seconds(1)) == nil)
  }

  @Test("Text that is too long is cut between characters")
  func longText() throws {
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    let frame = WorldMessage.refused(reason: String(repeating: family, count: 100)).frame(at: .zero)
    guard case .refused(let reason) = try WorldMessage(frame) else { return }
    #expect(reason == String(repeating: family, count: 1024 / family.utf8.count))
  }

  @Test("Values that are not numbers, and invalid quaternions, are refused")
  func badNumbers() {
    var frame = Self.worldMessages[4].frame(at: .zero)
    frame.payload.replaceSubrange(4..<12, with: [UInt8](repeating: 0xFF, count: 8))
    #expect(throws: WorldProtocolError.self) { try WorldMessage(frame) }
    frame = WorldMessage.pose(
      WorldPose(run: 1, position: .zero, attitude: .zero, tracking: 5, light: 0)
    ).frame(at: .zero)
    #expect(throws: WorldProtocolError.self) { try WorldMessage(frame) }
  }
}
