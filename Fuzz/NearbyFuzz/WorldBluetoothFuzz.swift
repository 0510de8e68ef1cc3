import NearbyBluetooth
import NearbyScenarios
import NearbyWorld
import NearbyWorldProtocol

/// Lets two programs of one world use Bluetooth. Every message to them must fit a frame and read back the
/// same.
///
/// The input is a script with two octets per step: the first says which program does what, the second how
/// much of it.
func fuzzWorldBluetooth(_ octets: [UInt8]) {
  var script = BluetoothScript()
  var rest = octets.prefix(BluetoothScript.longest)
  while let step = rest.popFirst() { script.perform(step, Int(rest.popFirst() ?? 0)) }
  script.end()
}

private struct BluetoothScript {
  /// How many octets of a script are executed. The limit exists because each step may create a long service.
  static let longest = 128
  /// The most attributes of one script, because they determine the cost.
  private static let mostAttributes = 8000

  /// What a program has been notified of.
  private struct Program {
    var peers: [BluetoothPeer] = []
    var attributes: [AttributeID] = []
    var requests: [BluetoothRequestID] = []
    /// The number of the program's next own attribute.
    var made = 1
    var ownServices: [AttributeID] = []
  }

  private var world = emptyWorld
  private var programs = [Program(), Program()]
  private var clients = [WorldClient(number: 1), WorldClient(number: 2)]
  private var clientsMade = 2
  private var attributesMade = 0

  init() {
    for who in programs.indices { join(who) }
  }

  mutating func perform(_ step: UInt8, _ amount: Int) {
    let who = Int(step & 1)
    let user = UInt32(amount & 3)
    let role = amount & 4 != 0 ? "kept" : nil
    switch step >> 1 & 15 {
    case 0: say(.made(user: user, .central(restoring: role)), who)
    case 1: say(.made(user: user, .peripheral(restoring: role)), who)
    case 2: say(.released(user: user), who)
    case 3: pass(amount)
    case 4: leave(who)
    case 5: order(who, amount)
    case 6: add(who, amount)
    case 7: advertise(who, amount)
    case _: command(step >> 1 & 15, who, amount)
    }
    hear()
  }

  mutating func end() {
    for who in programs.indices { leave(who) }
    pass(200)
    hear()
  }

  private mutating func command(_ kind: UInt8, _ who: Int, _ amount: Int) {
    let user = UInt32(amount & 3)
    let pick = amount >> 2
    let program = programs[who]
    guard kind > 8 else {
      return say(
        .command(user: user, .scan(BluetoothScan(services: nil, allowsDuplicates: pick & 1 == 1))), who)
    }
    if kind == 15, let request = program.requests.last {
      let isGood = pick & 1 == 0
      let size = pick * 4
      return say(
        .command(
          user: user,
          .respond(request, isGood ? .success(octets(size)) : .failure(.unlikelyError))), who)
    }
    guard let peer = item(program.peers, pick) else { return }
    let attribute = item(program.attributes, pick >> 1) ?? AttributeID(pick)
    let said: BluetoothCommand =
      switch kind {
      case 9: .connect(peer)
      case 10: .disconnect(peer)
      case 11: .discover(peer)
      case 12: .read(peer, attribute)
      case 13: .write(peer, attribute, octets(pick * 4), withResponse: pick & 1 == 0)
      case 14: .setNotify(peer, attribute, pick & 1 == 0)
      case _: .readRSSI(peer)
      }
    say(.command(user: user, said), who)
  }

  private mutating func add(_ who: Int, _ amount: Int) {
    let user = UInt32(amount & 3)
    if amount >> 2 == 0 {
      let last = programs[who].ownServices.popLast() ?? AttributeID(1)
      return say(.command(user: user, .remove(last)), who)
    }
    if amount >> 2 == 1 {
      let attribute = AttributeID(max(1, programs[who].made - 1))
      return say(.update(user: user, attribute, octets(100), centrals: nil), who)
    }
    let count = (amount >> 2) * 16
    guard attributesMade + count < Self.mostAttributes else { return }
    attributesMade += count
    var next = programs[who].made
    let service = AttributeID(next)
    let characteristics = (1...count).map { place in
      GATTCharacteristic(
        id: AttributeID(next + place), uuid: BluetoothUUID(UInt32(place)),
        properties: [.read, .write, .notify], permissions: [.readable, .writeable],
        value: place & 1 == 0 ? [1, 2, 3] : nil)
    }
    next += count + 1
    programs[who].made = next
    programs[who].ownServices.append(service)
    say(
      .command(
        user: user,
        .add(GATTService(id: service, uuid: BluetoothUUID(UInt16(0x180D)), characteristics: characteristics))),
      who)
  }

  private mutating func advertise(_ who: Int, _ amount: Int) {
    let user = UInt32(amount & 3)
    if amount >> 2 == 0 { return say(.command(user: user, .stopAdvertising), who) }
    var it = Advertisement()
    it.isConnectable = amount & 4 == 0
    it.services = [BluetoothUUID(UInt16(0x180D))]
    if amount & 8 != 0 { it.name = String(repeating: "n", count: amount >> 4) }
    if amount & 16 != 0 {
      it.manufacturerData = [Advertisement.ManufacturerData(company: 0x4C, octets: octets(amount >> 3))]
    }
    say(.command(user: user, .advertise(BluetoothAdvertising(it, interval: .milliseconds(30)))), who)
  }

  /// An order of a page.
  private mutating func order(_ who: Int, _ amount: Int) {
    let isOn = amount & 1 == 0
    switch amount >> 1 & 3 {
    case 0: world.perform(.bluetooth(device: who, isOn: isOn))
    case 1: world.perform(.foreground(device: who, isOn))
    case 2: world.perform(.answer(device: who, .bluetooth, isOn ? .allowed : .denied))
    case _: world.perform(.place(device: who, SIMD3(Double(amount), 0, 1)))
    }
  }

  // MARK: The wire

  /// Sends a message as a program's frame, which the world parses like any other client's.
  private mutating func say(_ message: DeviceBluetoothMessage, _ who: Int) {
    let frame = DeviceMessage.bluetooth(message).frame(at: .zero)
    guard frame.payload.count <= WorldFrame.maximumPayload, let message = try? DeviceMessage(frame) else {
      return
    }
    world.received(message, from: clients[who])
  }

  private mutating func join(_ who: Int) {
    world.received(
      .hello(DeviceHello(token: "", device: who == 0 ? "ann" : "ben", program: "fuzz")), from: clients[who])
  }

  /// Ends the program and restarts it.
  private mutating func leave(_ who: Int) {
    world.left(clients[who])
    clientsMade += 1
    clients[who] = WorldClient(number: clientsMade)
    programs[who] = Program()
    join(who)
  }

  private mutating func pass(_ amount: Int) { world.advance(to: world.time + .milliseconds(4 * amount)) }

  private mutating func hear() {
    for action in world.takeActions() {
      guard case .send(let message, to: let client, at: let time) = action else { continue }
      let frame = message.frame(at: time)
      var octets: [UInt8] = []
      frame.write(to: &octets)
      expectRead(frame, message)
      guard let who = clients.firstIndex(of: client), case .bluetooth(let said) = message else { continue }
      note(said, who)
    }
  }

  /// Checks that a message reads back as it was written. A restoration may differ, because it omits tables
  /// that do not fit.
  private func expectRead(_ frame: WorldFrame, _ message: WorldMessage) {
    guard let read = try? WorldMessage(frame) else { preconditionFailure("a program cannot parse a message") }
    if case .bluetooth(.event(user: _, .restored)) = message {
      precondition(
        read.frame(at: frame.time) == frame, "a restoration is written differently than it was read")
    } else {
      precondition(read == message, "a message changes when it is written and read back")
    }
  }

  private mutating func note(_ message: WorldBluetoothMessage, _ who: Int) {
    switch message {
    case .peer(let peer, _, services: _):
      if !programs[who].peers.contains(peer) { programs[who].peers.append(peer) }
    case .event(user: _, .discovered(_, .success(let services))):
      programs[who].attributes = services.flatMap { $0.characteristics.prefix(8).map(\.id) }
    case .event(user: _, .readRequest(let request, _, _, offset: _)),
      .event(user: _, .writeRequest(let request, _, _)):
      programs[who].requests.append(request)
    case .status, .event, .taken, .wrote: break
    }
  }

  private func item<Item>(_ items: [Item], _ pick: Int) -> Item? {
    items.isEmpty ? nil : items[pick % items.count]
  }

  private func octets(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x55, count: count) }
}
