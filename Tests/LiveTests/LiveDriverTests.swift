import Dispatch
import Foundation
import NearbyChipTools
import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation
import NearbyLive
import NearbyRadioLinks
import NearbyUCI
import Synchronization
import TestSupport
import Testing

extension LiveDriver {
  /// A session whose events go to `sink`.
  func makeSession(
    _ sink: Sink
  ) -> (id: SessionID, identity: DiscoveryIdentity) {
    let made = makeSession()
    attach(sink, to: made.id)
    return made
  }
}

/// The chip's end of a pair of links, driven by a scripted chip.
private final class ScriptedEnd: Sendable {
  private let chip: Mutex<ScriptedChip>
  private let link: PairLink

  init(_ link: PairLink, _ chip: ScriptedChip) {
    self.chip = Mutex(chip)
    self.link = link
    link.start(
      onReceive: { [weak self] octets in
        guard let self else { return }
        let answer = self.chip.withLock { $0.received(octets) }
        if !answer.isEmpty { try? self.link.send(answer) }
      }, onClose: { _ in })
  }

  var log: [String] { chip.withLock { $0.log } }

  /// A measurement of the chip's session.
  var round: [UInt8] {
    chip.withLock { chip in chip.round(chip.sessions.keys.first ?? 0, centimetres: 300) }
  }

  func say(_ octets: (inout ScriptedChip) -> [UInt8]) { try? link.send(chip.withLock { octets(&$0) }) }

  func close() { link.close() }
}

/// An app's object that is called on the app's own queue, as the facades do it.
private final class QueuedSink: SessionSink {
  let queue = DispatchQueue(label: "an app's queue")
  let events = AsyncStream<SessionEvent>.makeStream()
  private let device: LiveDriver

  init(of device: LiveDriver) { self.device = device }

  func received(_ event: SessionEvent, peer: DiscoveryIdentity?) {
    device.perform(on: queue) { [events] in events.continuation.yield(event) }
  }
}

/// A link that rejects everything it should send.
private final class DeafLink: UCILink {
  private let closes = Mutex<[@Sendable (LinkError?) -> Void]>([])
  let isClosed = AsyncStream<Void>.makeStream()
  private let error: LinkError

  init(_ error: LinkError) { self.error = error }

  func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) { closes.withLock { $0.append(onClose) } }

  func send(_ octets: [UInt8]) throws(LinkError) { throw error }
  func pauseReading() {}
  func resumeReading() {}

  func close() {
    isClosed.continuation.yield()
    for onClose in closes.withLock({ closes in
      defer { closes = [] }; return closes
    }) { onClose(nil) }
  }
}

@Suite("Live driver", .ownThreads)
struct LiveDriverTests {
  private func store(_ answer: Permission = .allowed) throws -> PermissionStore {
    let file = try RangingFolders.temporary().appendingPathComponent("permissions.json")
    return PermissionStore(file: file, program: "tests", asker: { _ in answer })
  }

  private func driver(
    _ link: (any UCILink)?, permission: Permission = .allowed, settings: DeviceSettings = .init(),
    permissions: PermissionStore? = nil
  ) throws -> LiveDriver {
    let machine = DeviceMachine(
      settings: settings, hasRadio: link != nil, permission: permission, usageDescription: "to test")
    let driver = LiveDriver(machine: machine, link: link, permissions: try permissions ?? store())
    driver.begin()
    return driver
  }

  private func scripted(
    _ chip: ScriptedChip = ScriptedChip(), permission: Permission = .allowed,
    settings: DeviceSettings = .init(), permissions: PermissionStore? = nil
  ) throws -> (LiveDriver, ScriptedEnd) {
    let (host, controller) = PairLink.pair()
    let end = ScriptedEnd(controller, chip)
    return (
      try driver(host, permission: permission, settings: settings, permissions: permissions), end
    )
  }

  private func somePeer() -> PeerConfiguration {
    var random = SeededGenerator(seed: 3)
    return PeerConfiguration(peer: DiscoveryIdentity(capabilities: .preciseDistance, using: &random))
  }

  @Test(
    "Two devices whose chips share an air range with each other; when one session ends the other is notified")
  func twoDevices() async throws {
    var configuration = ChipServer.Configuration()
    configuration.port = 0
    let server = ChipServer(configuration) { _ in }
    let port = try server.start()
    defer { server.stop() }
    let devices = try (0..<2).map { _ in
      try driver(UCILinks.open(.tcp(host: "127.0.0.1", port: port), timeout: .seconds(5)))
    }
    let sinks = [Sink(), Sink()]
    let made = zip(devices, sinks).map { $0.makeSession($1) }
    for (device, (own, other)) in zip(devices, [(0, 1), (1, 0)]) {
      device.post(.run(made[own].id, PeerConfiguration(peer: made[other].identity)))
    }
    for sink in sinks {
      #expect(await sink.next { _ in true } == .startedRunning)
      // Chips on a line are 2 m apart.
      let distance = try #require(await sink.nextDistance())
      #expect(abs(distance - 2) < 0.8)
    }
    devices[0].post(.invalidate(made[0].id))
    #expect(await sinks[1].next { if case .updated = $0 { false } else { true } } == .removed(.peerEnded))
  }

  @Test("When the chip closes the link, running sessions and later ones fail")
  func linkEnds() async throws {
    let (device, chip) = try scripted()
    let sink = Sink()
    let made = device.makeSession(sink)
    device.post(.run(made.id, somePeer()))
    #expect(await sink.next { _ in true } == .startedRunning)
    chip.close()
    #expect(await sink.next { _ in true } == .invalidated(.sessionFailed))
    let late = Sink()
    device.post(.run(device.makeSession(late).id, somePeer()))
    #expect(await late.next { _ in true } == .invalidated(.sessionFailed))
  }

  @Test("A chip has to wait while the app's queue is blocked")
  func appWaits() async throws {
    let queue = DispatchQueue(label: "links of a test")
    let (host, controller) = PairLink.pair(on: queue)
    let chip = ScriptedEnd(controller, ScriptedChip())
    let device = try driver(host)
    let sink = QueuedSink(of: device)
    let made = device.makeSession()
    device.attach(sink, to: made.id)
    device.post(.run(made.id, somePeer()))
    for await event in sink.events.stream where event == .startedRunning { break }
    let untilIdle = {
      for _ in 0..<2 {
        await BackPressureTests.wait { done in queue.async(execute: done) }
        await BackPressureTests.wait { done in device.later(done) }
      }
    }
    sink.queue.suspend()
    let rounds = [[UInt8]](repeating: chip.round, count: 100).flatMap(\.self)
    let sent = await Flood.untilHeldBack(controller, chunk: rounds, untilIdle: untilIdle)
    #expect(sent < 2 << 20, "\(sent) octets went to an app that stands still")
    sink.queue.resume()
    await BackPressureTests.wait { done in sink.queue.async(execute: done) }
    await untilIdle()
    // It reads again.
    try controller.send(rounds)
  }

  @Test("The timer wakes the machine: a chip that does not start in time fails the session")
  func timer() async throws {
    var chip = ScriptedChip()
    chip.startsSessions = false
    var settings = DeviceSettings()
    settings.startLimit = .milliseconds(30)
    let (device, _end) = try scripted(chip, settings: settings)
    let sink = Sink()
    device.post(.run(device.makeSession(sink).id, somePeer()))
    #expect(await sink.next { _ in true } == .invalidated(.sessionFailed))
    withExtendedLifetime(_end) {}
  }

  @Test(
    "If a link accepts no more octets it is closed and running sessions fail",
    arguments: [LinkError.congested(limit: 1), .closedByPeer])
  func fullLink(error: LinkError) async throws {
    let link = DeafLink(error)
    let device = try driver(link)
    let sink = Sink()
    device.post(.run(device.makeSession(sink).id, somePeer()))
    #expect(await sink.next { _ in true } == .invalidated(.sessionFailed))
    for await _ in link.isClosed.stream { break }
  }

  @Test("A released device closes its link")
  func letGo() async throws {
    let link = DeafLink(.congested(limit: 1))
    do {
      let machine = DeviceMachine(hasRadio: true, permission: .allowed, usageDescription: "to test")
      _ = LiveDriver(machine: machine, link: link, permissions: try store())
    }
    var closes = link.isClosed.stream.makeAsyncIterator()
    #expect(await closes.next() != nil)
  }

  @Test("Without a link the device has no capabilities and sessions fail as unsupported")
  func noLink() async throws {
    let device = try driver(nil)
    #expect(device.capabilities == [])
    let sink = Sink()
    device.post(.run(device.makeSession(sink).id, somePeer()))
    #expect(await sink.next { _ in true } == .invalidated(.unsupportedPlatform))
  }

  @Test(
    "The user is asked once, and the answer is stored for the next run of the program",
    arguments: [(Permission.allowed, SessionEvent.startedRunning), (.denied, .invalidated(.userDidNotAllow))])
  func permission(answer: Permission, outcome: SessionEvent) async throws {
    let file = try RangingFolders.temporary().appendingPathComponent("permissions.json")
    let asked = Counter()
    let store = PermissionStore(
      file: file, program: "tests",
      asker: { _ in
        asked.add()
        return answer
      })
    let (device, _end) = try scripted(permission: store.answer, permissions: store)
    let sinks = [Sink(), Sink()]
    for sink in sinks { device.post(.run(device.makeSession(sink).id, somePeer())) }
    for sink in sinks { #expect(await sink.next { _ in true } == outcome) }
    PermissionStore.flush()
    #expect(asked.count == 1)
    #expect(store.answer == answer)
    withExtendedLifetime(_end) {}
  }

  @Test("App callbacks run in order on the app's queue")
  func queue() async throws {
    let device = try driver(nil)
    let queue = DispatchQueue(label: "app")
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for index in 0..<50 {
      device.perform(on: queue) {
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.yield(index)
      }
    }
    queue.async { continuation.finish() }
    var seen: [Int] = []
    for await index in stream { seen.append(index) }
    #expect(seen == Array(0..<50))
  }
}

/// A number that any thread may increment.
final class Counter: Sendable {
  private let value = Mutex(0)
  func add() { value.withLock { $0 += 1 } }
  var count: Int { value.withLock { $0 } }
}
