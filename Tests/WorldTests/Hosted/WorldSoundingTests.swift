import AccessorySetupKit
import Foundation
import ItemFinder
import NearbyAccessory
import NearbyDevice
import NearbyLive
import NearbyWorld
import TestSupport
import Testing

@Suite("Channel Sounding in a shared world", .ownThreads)
struct WorldSoundingTests {
  /// Objects that are used only on the main queue.
  private final class Held: @unchecked Sendable {
    var app: ItemFinder?
    var accessory: Accessory?
    var phone: NearbyDevice?
  }

  private func settings(home: URL, spelling: String) -> AccessorySetupSettings {
    AccessorySetupSettings(
      environment: [
        spelling: "Bluetooth",
        "NSAccessorySetupBluetoothServices": "6E400001-B5A3-F393-E0A9-E50E24DCCA9E",
        "NEARBY_ACCESSORY_PICKER": "choose",
      ], program: "finder", bundled: { _ in nil }, besideProgram: nil, home: home)
  }

  /// Runs the app until it has some readings.
  private func launch(_ held: Held, picks: Bool) async -> Bool {
    await MainActor.run {
      held.app = NearbyDevice.$current.withValue(held.phone) { ItemFinder(path: .coreBluetooth) }
    }
    var hasPicked = false
    for _ in 0..<2000 {
      let (screen, count) = await MainActor.run { (held.app?.screen, held.app?.readings.count ?? 0) }
      if count > 4 { return hasPicked == picks }
      if screen == .needsItem, !hasPicked {
        hasPicked = true
        await MainActor.run { NearbyDevice.$current.withValue(held.phone) { held.app?.addItem() } }
      }
      await shortWait()
    }
    return false
  }

  private func shortWait() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
    }
  }

  @Test("A program sets an accessory of another program up and measures it; the next launch still has it")
  func wholeFlow() async throws {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: home) }
    let world = try ServedWorld()
    let held = Held()
    let keys = try world.join("keys")
    await MainActor.run {
      var profile = AccessoryProfile(name: "Keys")
      profile.technologies = [.channelSounding]
      held.accessory = NearbyDevice.$current.withValue(keys) { Accessory(profile) }
      held.accessory?.start()
    }
    let first = settings(home: home, spelling: "NSAccessorySetupSupports")
    try await MainActor.run { held.phone = try world.join("phone", accessorySetup: first) }
    world.server.withWorld { $0.perform(.place(device: 0, [0, 0, 1.2])) }
    world.server.withWorld { $0.perform(.place(device: 1, [0, 5, 1.2])) }
    let hasFirst = await launch(held, picks: true)
    #expect(hasFirst)
    let readings = await MainActor.run { held.app?.readings.compactMap { $0 } ?? [] }
    #expect(readings.allSatisfy { (2...8).contains($0) }, "\(readings)")
    await MainActor.run { (held.app, held.phone) = (nil, nil) }
    // The program's connection ends a little later.
    let second = settings(home: home, spelling: "NSAccessorySetupKitSupports")
    for _ in 0..<1000 {
      let hasJoined = await MainActor.run {
        held.phone = try? world.join("phone", accessorySetup: second)
        return held.phone != nil
      }
      if hasJoined { break }
      await shortWait()
    }
    let hasSecond = await launch(held, picks: false)
    #expect(hasSecond)
    await MainActor.run { (held.app, held.accessory, held.phone) = (nil, nil, nil) }
  }
}
