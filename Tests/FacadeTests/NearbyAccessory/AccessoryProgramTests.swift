import Foundation
import NearbyAccessory
import NearbyBluetooth
import NearbyInteraction
import NearbyTesting
import Testing

@testable import NearbyAccessory

/// The API of an accessory's program. Used on the one thread that advances the world's time.
@Suite("An accessory's program")
struct AccessoryProgramTests {
  @Test("Readings and events are sequences too, and end with the accessory")
  func sequences() async {
    var visit: AccessoryVisit? = AccessoryVisit()
    guard let readings = visit?.accessory.readings, let events = visit?.accessory.events else { return }
    visit?.connect()
    visit?.initialize()
    await visit?.world.advance(by: .seconds(3))
    let world = visit?.world
    visit = nil
    // The phone's departure is reported first.
    await world?.advance(by: .seconds(1))
    var newest: [AccessoryReading] = []
    for await reading in readings { newest.append(reading) }
    // A slow reader receives only the newest reading.
    #expect(newest.count == 1)
    #expect(abs((newest.first?.distance ?? 0) - 3) < 0.4)
    var kinds: [String] = []
    for await event in events {
      let kind = "\(event)".prefix { $0 != "(" }
      if kinds.last != String(kind) { kinds.append(String(kind)) }
    }
    #expect(kinds == ["ready", "connected", "started", "measured", "stopped", "disconnected"], "\(kinds)")
  }

  @Test(
    "Readings over the program's own channel say whether the phone is authorized", arguments: [false, true])
  func ownChannel(isAuthorized: Bool) {
    let visit = AccessoryVisit()
    visit.connect(isAuthorized: isAuthorized)
    visit.initialize()
    visit.world.advance(by: .seconds(3))
    let readings = visit.events.compactMap { event -> AccessoryReading? in
      if case .measured(let reading) = event { reading } else { nil }
    }
    #expect(!readings.isEmpty)
    #expect(readings.allSatisfy { $0.isAuthorized == isAuthorized })
  }

  @Test("If the program ends a session, the phone's app is notified and may start again")
  func stopRanging() throws {
    let visit = AccessoryVisit()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    let phone = try #require(
      visit.events.compactMap { if case .started(let phone) = $0 { phone } else { nil } }.first)
    visit.forget()
    visit.device.launch { visit.accessory.stopRanging(with: phone) }
    visit.world.advance(by: .seconds(1))
    #expect(visit.events.contains { if case .stopped(phone, .byProgram) = $0 { true } else { false } })
    #expect(visit.history.contains("accessory stopped"))
    #expect(visit.device.chipSessionCount == 0)
    visit.forget()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    #expect(visit.updates.count >= 6)
    #expect(visit.device.chipSessionCount == 1)
  }

  @Test("A message longer than a notification of the link is refused, not truncated")
  func narrowLink() {
    let world = World(seed: 1)
    let device = world.addAccessory("Door", at: [0, 3, 1.2])
    let accessory = device.launch { Accessory() }
    var refusals: [Accessory.Refusal] = []
    let heard = Events()
    accessory.onEvent { heard.all.append($0) }
    device.launch { accessory.start() }
    world.advance(by: .seconds(1))
    let peer = BluetoothPeer(high: 1, low: 2)
    // A link without an MTU exchange carries 20 octets.
    device.launch {
      accessory.heard(.subscribed(peer, AccessoryAttributes.transmit, maximumUpdate: 20))
      accessory.heard(
        .writeRequest(
          BluetoothRequestID(number: 1), peer,
          [BluetoothWrite(attribute: AccessoryAttributes.receive, offset: 0, value: [0x0A])]))
    }
    world.advance(by: .seconds(1))
    for case .refused(_, let refusal) in heard.all { refusals.append(refusal) }
    #expect(refusals == [.linkTooNarrow])
  }

  /// Used on the one thread that advances the world's time.
  private final class Events: @unchecked Sendable { var all: [Accessory.Event] = [] }
}
