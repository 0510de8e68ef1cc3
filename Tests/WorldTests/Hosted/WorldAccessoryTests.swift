import AccessoryApp
import NearbyBluetooth
import NearbyDevice
import NearbyWorld
import TestSupport
import Testing

@testable import NearbyAccessory

@Suite("An accessory in a shared world", .ownThreads)
struct WorldAccessoryTests {
  /// Objects that are used only on the main queue.
  private final class Held: @unchecked Sendable {
    var app: AccessoryApp?
    var opener: DoorOpener?
  }

  @Test("Bluetooth events that arrive before the accessory has a user are delivered later, in order, once")
  func earlyEvents() {
    var state = AccessoryState()
    _ = state.begin()
    let early = [state.hear(.state(.unknown)), state.hear(.state(.poweredOn))].map { $0?.events }
    #expect(early == [nil, nil])
    state.user = BluetoothUser(number: 7)
    let heard = [state.hear(.readyToUpdate), state.hear(nil)].map { $0?.events }
    #expect(heard == [[.state(.unknown), .state(.poweredOn), .readyToUpdate], []])
    // An accessory that ended keeps no events.
    _ = state.end()
    let late = state.hear(.state(.poweredOff))?.events
    #expect(late == nil)
    _ = state.begin()
    state.user = BluetoothUser(number: 8)
    let next = state.hear(nil)?.events
    #expect(next == [])
  }

  @Test("The example's app and accessory range with each other as two programs of a world")
  func example() async throws {
    let world = try ServedWorld()
    let (phone, door) = (try world.join("phone"), try world.join("door"))
    world.server.withWorld { world in
      world.perform(.place(device: 0, [0, 0, 1.2]))
      world.perform(.place(device: 1, [0, 2, 1.2]))
    }
    let heard = Heard<Float>()
    let held = Held()
    await MainActor.run {
      held.opener = NearbyDevice.$current.withValue(door) { DoorOpener() }
      held.app = NearbyDevice.$current.withValue(phone) { AccessoryApp(AccessoryChannel()) }
      held.app?.onChange = { if let distance = held.app?.distance { heard.add(distance) } }
    }
    let isNear = await heard.wait { $0.suffix(3).allSatisfy { abs($0 - 2) < 0.5 } && $0.count >= 5 }
    let log = await MainActor.run { held.app?.log ?? [] }
    #expect(isNear, "\(log) \(heard.all)")
    await MainActor.run {
      held.app?.end()
      held.app = nil
      held.opener = nil
    }
  }
}
