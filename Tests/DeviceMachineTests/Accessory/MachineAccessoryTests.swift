import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyDeviceMachine
import NearbyUCI
import TestSupport
import Testing

@Suite("Device machine: sessions with accessories")
struct MachineAccessoryTests {
  private static let peer = BluetoothPeer(high: 1, low: 2)
  private static let modes: Set<String> = ["nearby-interaction", "bluetooth-central"]

  private func octets(_ role: AccessoryRangingRole) -> [UInt8] {
    AccessoryConfigurationData(
      updateRate: .automatic, uwb: AccessoryUWBData(version: .v1_1, role: role, address: 0xDA05)
    ).octets
  }

  private func configuration(
    _ role: AccessoryRangingRole = .responder, isNamed: Bool = false
  ) throws -> PeerConfiguration {
    PeerConfiguration(
      accessory: try AccessoryTarget(octets: octets(role), bluetoothPeer: isNamed ? Self.peer : nil))
  }

  @Test("A phone that initiates starts when the accessory is ready; otherwise it starts immediately")
  func start() throws {
    var bench = MachineBench()
    bench.handle(.run(bench.session().id, try configuration()))
    #expect(bench.takeEvents() == ["0 running", "0 shareable 30"])
    #expect(bench.chip.takeLog() == ["INIT 0", "CONFIG"])
    bench.pass(.milliseconds(50))
    #expect(bench.chip.takeLog() == ["START"])
    var other = MachineBench()
    other.handle(.run(other.session().id, try configuration(.initiator)))
    #expect(other.takeEvents() == ["0 running", "0 shareable 30"])
    #expect(other.chip.takeLog() == ["INIT 0", "CONFIG", "START"])
  }

  @Test("Each run is a new session; an accessory that does not start is removed once, by timeout")
  func runs() throws {
    var bench = MachineBench()
    let id = bench.session().id
    bench.handle(.run(id, try configuration()))
    let first = bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id }
    bench.handle(.run(id, try configuration()))
    let second = bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id }
    #expect(first != nil)
    #expect(second != nil)
    #expect(first != second)
    _ = bench.takeEvents()
    bench.pass(.seconds(60))
    #expect(bench.takeEvents() == ["0 timeout"])
    #expect(bench.chip.sessions.isEmpty)
    #expect(bench.machine.nextWake == nil)
  }

  @Test("After a chip's ERROR ranging continues with the same data, without events for the app")
  func recovery() throws {
    var bench = MachineBench()
    bench.handle(.run(bench.session().id, try configuration()))
    bench.pass(.milliseconds(50))
    let before = bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id }
    _ = (bench.takeEvents(), bench.chip.takeLog())
    let octets = bench.chip.fails()
    bench.chipSays(octets)
    bench.pass(.milliseconds(50))
    #expect(bench.takeEvents().isEmpty)
    #expect(bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id } == before)
    #expect(bench.chip.takeLog().suffix(3) == ["INIT 0", "CONFIG", "START"])
  }

  @Test("An accessory with a Bluetooth identifier must be paired and connected")
  func unavailable() throws {
    var bench = MachineBench()
    bench.handle(.run(bench.session().id, try configuration(isNamed: true)))
    #expect(bench.takeEvents() == ["0 accessoryPeerDeviceUnavailable"])
    bench.handle(.setAccessoryLink(Self.peer, AccessoryLinkState()))
    bench.handle(.run(bench.session().id, try configuration(isNamed: true)))
    #expect(bench.takeEvents() == ["1 running", "1 shareable 30"])
  }

  /// A session in the foreground that ranges with an accessory with a Bluetooth identifier.
  private func named(_ service: [UInt8]?, modes: Set<String>) throws -> (MachineBench, SessionID) {
    var bench = MachineBench()
    bench.machine.backgroundModes = modes
    bench.handle(.setAccessoryLink(Self.peer, AccessoryLinkState(configuration: service)))
    let id = bench.session().id
    bench.handle(.run(id, try configuration(.initiator, isNamed: true)))
    bench.round(centimetres: 200)
    bench.round(centimetres: 200)
    _ = (bench.takeEvents(), bench.chip.takeLog())
    return (bench, id)
  }

  @Test("With the background modes and the same data in the service, ranging continues silently")
  func background() throws {
    var (bench, _) = try named(octets(.initiator), modes: Self.modes)
    bench.handle(.enterBackground)
    for _ in 0..<20 { bench.round(centimetres: 300) }
    bench.pass(.seconds(5))
    #expect(bench.takeEvents().isEmpty)
    #expect(bench.chip.takeLog().isEmpty)
    bench.handle(.enterForeground)
    #expect(bench.takeEvents().isEmpty)
    bench.round(centimetres: 300)
    #expect(bench.takeEvents().count == 1)
  }

  @Test(
    "Without the background modes, or the same data in the service, the session is suspended",
    arguments: [0, 1, 2])
  func suspended(_ reason: Int) throws {
    let service = [octets(.initiator), octets(.responder), nil][reason]
    var (bench, _) = try named(service, modes: reason == 0 ? ["nearby-interaction"] : Self.modes)
    bench.handle(.enterBackground)
    #expect(bench.takeEvents() == ["0 suspended"])
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test("Removals and lost links in the background are reported when the app returns")
  func held() throws {
    var (bench, _) = try named(octets(.initiator), modes: Self.modes)
    bench.handle(.enterBackground)
    bench.pass(.seconds(20))
    #expect(bench.takeEvents().isEmpty)
    #expect(bench.chip.sessions.isEmpty)
    bench.handle(.enterForeground)
    #expect(bench.takeEvents() == ["0 timeout"])
    var (other, _) = try named(octets(.initiator), modes: Self.modes)
    other.handle(.enterBackground)
    other.handle(.setAccessoryLink(Self.peer, nil))
    #expect(other.takeEvents().isEmpty)
    #expect(other.chip.sessions.isEmpty)
    other.handle(.enterForeground)
    #expect(other.takeEvents() == ["0 suspended", "0 suspensionEnded"])
  }

  @Test("A run in the background waits for the accessory's service, then continues or is suspended")
  func runInBackground() throws {
    for isSame in [true, false] {
      var (bench, id) = try named(octets(.initiator), modes: Self.modes)
      bench.handle(.enterBackground)
      bench.handle(.setAccessoryLink(Self.peer, nil))
      bench.handle(.setAccessoryLink(Self.peer, AccessoryLinkState()))
      bench.handle(.run(id, try configuration(.initiator, isNamed: true)))
      #expect(bench.takeEvents().isEmpty)
      #expect(bench.chip.sessions.isEmpty)
      let service = octets(isSame ? .initiator : .responder)
      bench.handle(.setAccessoryLink(Self.peer, AccessoryLinkState(configuration: service)))
      #expect(bench.takeEvents() == (isSame ? ["0 shareable 30"] : []))
      bench.handle(.enterForeground)
      #expect(
        bench.takeEvents() == (isSame ? ["0 running"] : ["0 suspended", "0 suspended", "0 suspensionEnded"]))
    }
  }
}
