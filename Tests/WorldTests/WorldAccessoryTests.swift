import AccessoryApp
import NearbyAccessory
import NearbyRuntime
import NearbyWorld
import TestSupport
import Testing

@Suite("An accessory in a shared world", .ownThreads)
struct WorldAccessoryTests {
  /// What the main queue has; used there only.
  private final class Held: @unchecked Sendable {
    var app: AccessoryApp?
    var opener: DoorOpener?
  }

  @Test("The example's app and accessory, two programs of a world, range with each other")
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
