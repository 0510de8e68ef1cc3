import Foundation
import NearbyBluetooth
import NearbyLive
import NearbyScenarios
import NearbyWorld
import NearbyWorldProtocol

/// Interprets octets as a script in which two programs, a foreign UCI host and a page act on one world. Every
/// answer of the world is written as frames and read back.
func fuzzHostedWorld(_ octets: [UInt8]) {
  var script = WorldScript(octets)
  for _ in 0..<96 {
    guard let step = script.takeStep() else { break }
    script.perform(step)
    script.performActions()
  }
  script.finish()
}

/// Parses octets as frames of a world that set a device's clock. The clock must never go back, and waits must
/// be valid times.
func fuzzWorldClock(_ octets: [UInt8]) {
  var cursor = Octets(octets)
  var instant = ContinuousClock.now
  var time = JoinedTime(at: instant)
  var last = Duration.zero
  while let step = cursor.next() {
    instant += .microseconds(Int64(cursor.next() ?? 0) * Int64(cursor.next() ?? 0) * 997)
    let bits = cursor.word()
    var payload: [UInt8] = []
    withUnsafeBytes(of: bits.littleEndian) { payload += $0 }
    let frame = WorldFrame(side: .control, kind: 130, time: .zero, payload: payload)
    switch step % 4 {
    case 0: if case .clock(let rate)? = try? WorldMessage(frame) { time.set(rate) }
    case 1: time.heard(stated(bits), at: instant)
    case 2: time.joined(stated(bits), WorldRate(Double(bitPattern: cursor.word())) ?? .real, at: instant)
    default: break
    }
    let now = time.now(at: instant)
    precondition(now >= last, "the clock went back from \(last) to \(now)")
    last = now
    for ahead in [Duration.zero, .nanoseconds(1), .seconds(3600), stated(bits)] {
      guard let wait = time.wait(until: now + ahead) else { continue }
      precondition(wait >= .zero, "a wait is negative: \(wait)")
      _ = Int(min(wait, .seconds(3600)) / .nanoseconds(1))
    }
  }
}

/// The time that a frame's header states, as the frame reader would parse it.
private func stated(_ nanoseconds: UInt64) -> Duration {
  var octets: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
  withUnsafeBytes(of: nanoseconds.littleEndian) { octets += $0 }
  var reader = WorldFrameReader()
  reader.append(octets)
  return (try? reader.next())?.time ?? .zero
}

/// Parses octets as a saved world. An accepted one must run, and must be accepted again after saving.
func fuzzSavedState(_ octets: [UInt8]) {
  do throws(WorldSave.Failure) {
    let save = try WorldSave(parsing: Data(octets), file: "fuzz.json")
    var world = save.world(settings: HostedWorld.Settings())
    world.advance(to: world.time + .milliseconds(50))
    guard let data = try? WorldSave(world).data() else { preconditionFailure("the world could not be saved") }
    let again = try? WorldSave(parsing: data, file: "again.json")
    precondition(again != nil, "a saved world cannot be loaded: \(String(decoding: data, as: UTF8.self))")
    precondition(
      again?.deviceCount == world.deviceNames.count, "a saved world has a different number of devices")
  } catch {
    precondition(!error.description.isEmpty, "an error's text is empty")
  }
}

/// Octets that are consumed one after another.
struct Octets {
  private var rest: ArraySlice<UInt8>
  init(_ octets: [UInt8]) { rest = octets[...] }
  mutating func next() -> UInt8? { rest.popFirst() }

  mutating func nextOctets(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func word() -> UInt64 {
    nextOctets(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// A world and its clients, driven by a script of octets.
struct WorldScript {
  private var world: HostedWorld
  private var cursor: Octets
  private var clientsMade = 2
  private var programs = [WorldClient(number: 1), WorldClient(number: 2)]
  private var hosts: [WorldClient] = []
  /// The peers that each program has been notified of.
  private var peers: [[BluetoothPeer]] = [[], []]
  private static let names = ["anna", "ben"]

  /// Created once. Every input starts with a copy.
  private static let start = WorldScript()

  init(_ octets: [UInt8]) {
    self = Self.start
    cursor = Octets(octets)
  }

  private init() {
    var settings = HostedWorld.Settings()
    settings.deviceLimit = 12
    settings.hostLimit = 3
    world = HostedWorld(.empty, settings: settings)
    cursor = Octets([])
    for program in 0..<2 { join(program) }
  }

  mutating func takeStep() -> UInt8? { cursor.next() }

  private mutating func join(_ program: Int) {
    clientsMade += 1
    programs[program] = WorldClient(number: clientsMade)
    var hello = DeviceHello(token: "", device: Self.names[program], program: "fuzz")
    hello.instance = UInt64(program + 1)
    send(.hello(hello), program)
    for (user, role) in [
      BluetoothRole.central(restoring: "c"), .peripheral(restoring: "p"), .system,
    ].enumerated() {
      send(.bluetooth(.made(user: UInt32(user + 1), role)), program)
    }
  }

  private mutating func send(_ message: DeviceMessage, _ program: Int) {
    world.received(message, from: programs[program])
  }

  private mutating func command(_ command: BluetoothCommand, _ user: UInt32, _ program: Int) {
    send(.bluetooth(.command(user: user, command)), program)
  }

  mutating func perform(_ step: UInt8) {
    let program = Int(step & 1)
    switch step >> 1 % 16 {
    case 0, 1: sendFrame(program)
    case 2, 3: order()
    case 4: world.advance(to: world.time + .milliseconds(4 * Int64(cursor.next() ?? 0)))
    case 5: hostSpeaks()
    case 6: serve(program)
    case 7, 8: use(program)
    case 9:
      world.left(programs[program])
      join(program)
    case 10: send(.removes(device: Self.names[Int(cursor.next() ?? 0) % 2]), program)
    case 11: join(program)
    case 12: saveAndLoad()
    default: world.advance(to: world.time + .seconds(1))
    }
  }

  /// Sends a frame of a program, with side, kind and payload from the script.
  private mutating func sendFrame(_ program: Int) {
    guard let side = WorldSide(rawValue: (cursor.next() ?? 0) % 6) else { return }
    let kind = (cursor.next() ?? 0) % 5
    let payload = cursor.nextOctets(Int(cursor.next() ?? 0))
    let frame = WorldFrame(side: side, kind: kind, time: .zero, payload: payload)
    if let message = try? DeviceMessage(frame) { send(message, program) }
  }

  private mutating func hostSpeaks() {
    let choice = cursor.next() ?? 0
    if choice % 4 == 0 {
      clientsMade += 1
      hosts.append(WorldClient(number: clientsMade))
      world.joinHost(hosts[hosts.count - 1])
    } else if let host = hosts.last {
      if choice % 4 == 1 {
        world.left(host)
        hosts.removeLast()
      } else {
        world.received(cursor.nextOctets(Int(choice)), fromHost: host)
      }
    }
  }

  /// Publishes a service with many characteristics and long values, and advertises it.
  private mutating func serve(_ program: Int) {
    let number = Int(cursor.next() ?? 0)
    let count = Int(cursor.next() ?? 0) * 4
    let value = [UInt8](repeating: 7, count: Int(cursor.next() ?? 0) * 4)
    let base = number * 4096
    let uuid = BluetoothUUID(UInt16(number))
    let characteristics = (0..<count).map { index in
      GATTCharacteristic(
        id: AttributeID(base + 2 * index + 1), uuid: BluetoothUUID(UInt16(index)),
        properties: [.read, .notify],
        permissions: [], value: value, descriptors: [])
    }
    command(
      .add(GATTService(id: AttributeID(base), uuid: uuid, isPrimary: true, characteristics: characteristics)),
      2, program)
    var advertisement = Advertisement()
    advertisement.isConnectable = true
    advertisement.services = [uuid]
    command(.advertise(BluetoothAdvertising(advertisement, interval: nil)), 2, program)
  }

  private mutating func use(_ program: Int) {
    let choice = cursor.next() ?? 0
    guard let peer = peers[program].last else {
      return command(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), 1, program)
    }
    let id = AttributeID(Int(cursor.next() ?? 0))
    let commands: [BluetoothCommand] = [
      .connect(peer), .discover(peer), .disconnect(peer), .read(peer, id), .setNotify(peer, id, true),
      .write(peer, id, cursor.nextOctets(Int(choice)), withResponse: true), .readRSSI(peer), .stopScan,
    ]
    command(commands[Int(choice) % commands.count], 1, program)
  }

  /// Sends an order of the page, made of a word and numbers that parsers often get wrong.
  private mutating func order() {
    let words = [
      "rate", "step", "place", "turn", "loss", "light", "foreground", "answer", "standingAnswer", "radio",
      "bluetooth", "features", "addWall", "removeWall", "addDevice", "removeDevice", "watch", "save",
      "anchor", "anchorFault", "addAnchor", "placeAnchor", "expected",
    ]
    func number(_ octet: UInt8) -> String {
      let all = numbers + ["0", "1", "0.5", "100", "1e-300", "60", "2"]
      return all[Int(octet) % all.count]
    }
    let word = words[Int(cursor.next() ?? 0) % words.count]
    let device = (cursor.next() ?? 0) % 14
    let (a, b, c) = (number(cursor.next() ?? 0), number(cursor.next() ?? 0), number(cursor.next() ?? 0))
    let value = ["foreground", "radio", "bluetooth", "features"].contains(word) ? "false" : a
    let text = """
      {"do":"\(word)","device":\(device),"id":\(device),"value":\(value),"seconds":\(a),"heading":\(a),
      "pitch":\(b),"roll":\(c),"p":[\(a),\(b),\(c)],"from":[\(a),\(b)],"to":[\(c),\(a)],"top":\(b),
      "anchor":\(device),"fault":"\(device < 7 ? "lateStamps" : "other")","network":\(device),"height":\(b),
      "material":"glass","kind":"phone","name":"device-\(device)","question":"bluetooth","uci":true}
      """
    switch try? PageOrderReader.read(text) {
    case .world(let order): world.perform(order)
    case .step(let time): world.advance(to: world.time + min(time, .seconds(2)))
    case .save: saveAndLoad()
    case .watch, .expected, nil: break
    }
  }

  private func saveAndLoad() {
    guard let data = try? WorldSave(world).data() else { preconditionFailure("the world could not be saved") }
    do throws(WorldSave.Failure) {
      let again = try WorldSave(parsing: data, file: "x").world(settings: HostedWorld.Settings())
      let names = world.deviceNames.filter { !$0.hasPrefix("uci-") }
      precondition(again.deviceNames == names, "saved \(names), read \(again.deviceNames)")
    } catch {
      preconditionFailure("a saved world cannot be loaded: \(error)")
    }
  }

  /// Does what a server would do: writes and reads frames, closes connections, and asks the clock.
  mutating func performActions() {
    for action in world.takeActions() {
      switch action {
      case .send(let message, to: let client, at: let time):
        var octets: [UInt8] = []
        message.frame(at: time).write(to: &octets)
        var reader = WorldFrameReader()
        reader.append(octets)
        guard let frame = try? reader.next(), let read = try? WorldMessage(frame) else {
          preconditionFailure("a program cannot parse a message: \(message)")
        }
        note(read, client)
      case .close(let client, reason: _):
        world.left(client)
        hosts.removeAll { $0 == client }
      case .sendBare: break
      }
    }
    if let rate = WorldRate(world.rate.secondsPerSecond), let next = world.nextEventTime {
      _ = rate.realTime(for: next - world.time)
    }
  }

  private mutating func note(_ message: WorldMessage, _ client: WorldClient) {
    guard let program = programs.firstIndex(of: client), case .bluetooth(.peer(let peer, _, _)) = message,
      peers[program].count < 8
    else { return }
    if !peers[program].contains(peer) { peers[program].append(peer) }
  }

  mutating func finish() {
    for client in programs + hosts { world.left(client) }
    world.advance(to: world.time + .milliseconds(30))
    performActions()
    precondition(!world.deviceNames.contains { $0.hasPrefix("uci-") }, "a UCI host's device was left behind")
  }
}
