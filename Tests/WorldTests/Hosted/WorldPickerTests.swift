import AccessorySetupKit
import Foundation
import ItemFinder
import NearbyAccessory
import NearbyDevice
import NearbyLive
import NearbyScenarios
import NearbyWorldProtocol
import TestSupport
import Testing

@testable import NearbyWorld

/// Programs whose accessory pickers a person answers on the world's page.
@Suite("Pickers of programs in a shared world", .ownThreads)
struct WorldPickerTests {
  /// Objects that are used only on the main queue.
  private final class Held: @unchecked Sendable {
    var accessory: Accessory?
    var session: ASAccessorySession?
    var finder: ItemFinder?
  }

  private struct Hall {
    let world: ServedWorld
    let held = Held()
    let phone: NearbyDevice
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ scenario: String) async throws {
      world = try ServedWorld(Scenario(parsing: Data(scenario.utf8), file: "hall.json"))
      let keys = try world.join("keys")
      let held = held
      await MainActor.run {
        var profile = AccessoryProfile(name: "Tag")
        profile.technologies = [.channelSounding]
        held.accessory = NearbyDevice.$current.withValue(keys) { Accessory(profile) }
        held.accessory?.start()
      }
      let settings = AccessorySetupSettings(
        environment: [
          "NSAccessorySetupSupports": "Bluetooth",
          "NSAccessorySetupBluetoothServices": ItemFinder.service.uuidString,
        ], program: "finder", bundled: { _ in nil }, besideProgram: nil, home: home)
      phone = try world.join("phone", accessorySetup: settings)
    }

    func end() async {
      let held = held
      await MainActor.run { (held.finder, held.session, held.accessory) = (nil, nil, nil) }
      try? FileManager.default.removeItem(at: home)
    }

    /// Waits until the phone's picker asks something, and replies.
    func reply(_ reply: @Sendable (WorldPicker) -> WorldPick?) async -> Bool {
      for _ in 0..<3000 {
        let hasReplied = world.server.withWorld { world in
          guard let picker = world.devices[0].picker, let reply = reply(picker) else { return false }
          world.perform(.pick(device: 0, number: picker.number, reply))
          return true
        }
        if hasReplied { return true }
        await Self.shortWait()
      }
      return false
    }

    /// Whether the phone's picker closes. The program's app hears so before the world does.
    func closes() async -> Bool {
      for _ in 0..<3000 {
        if world.server.withWorld({ $0.devices[0].picker == nil }) { return true }
        await Self.shortWait()
      }
      return false
    }

    static func shortWait() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
      }
    }
  }

  private static let beside = """
    { devices: [
      { name: "phone", motion: { stand: [0, 0] }, picker: "wait" },
      { name: "keys", kind: "accessory", motion: { stand: [0, 3] } },
    ] }
    """

  @Test("The person chooses an accessory and names it")
  func choosing() async throws {
    let hall = try await Hall(Self.beside)
    let (held, phone) = (hall.held, hall.phone)
    let closed = Heard<String>()
    await MainActor.run {
      let session = NearbyDevice.$current.withValue(phone) { ASAccessorySession() }
      held.session = session
      session.activate(on: .main) { event in
        guard event.eventType == .activated else { return }
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = ItemFinder.service
        descriptor.supportedOptions = .bluetoothPairingLE
        let item = ASPickerDisplayItem(name: "Keys", productImage: UIImage(), descriptor: descriptor)
        item.setupOptions = .rename
        held.session?.showPicker(for: [item]) { error in
          closed.add("\(held.session?.accessories.map(\.displayName) ?? []) \(error == nil)")
        }
      }
    }
    let hasChosen = await hall.reply { picker in
      guard case .choose(let offers) = picker.kind, let first = offers.first else { return nil }
      return first.advertisedName == "Tag" && first.name == "Keys" ? .choose(first.peer) : nil
    }
    #expect(hasChosen)
    let hasNamed = await hall.reply { picker in
      if case .name("Keys") = picker.kind { .name("My keys") } else { nil }
    }
    #expect(hasNamed)
    #expect(await closed.wait { $0 == [#"["My keys"] true"#] }, "\(closed.all)")
    #expect(await hall.closes())
    await hall.end()
  }

  @Test("The person dismisses the picker")
  func dismissing() async throws {
    let hall = try await Hall(Self.beside)
    let (held, phone) = (hall.held, hall.phone)
    let errors = Heard<ASError.Code>()
    await MainActor.run {
      held.finder = NearbyDevice.$current.withValue(phone) { ItemFinder(path: .coreBluetooth) }
      held.finder?.onChange = {
        if held.finder?.screen == .needsItem, held.finder?.pickerError == nil { held.finder?.addItem() }
        if let error = held.finder?.pickerError { errors.add(error) }
      }
    }
    let hasCancelled = await hall.reply { _ in .cancel }
    #expect(hasCancelled)
    #expect(await errors.wait { $0.first == .userCancelled }, "\(errors.all)")
    await hall.end()
  }

  @Test("With camera assistance, a walk in a shared world gives the angle to the accessory")
  func cameraAssistance() async throws {
    let walk = """
      { seed: 1, duration: 3600, devices: [
        { name: "phone", motion: { walk: [[0, 0], [4, 0], [4, 4], [-3, 3], [-3, -2], [0, 0]], loop: true } },
        { name: "keys", kind: "accessory", motion: { stand: [0, 5, 1] } },
      ] }
      """
    let hall = try await Hall(walk)
    hall.world.server.setRate(try #require(WorldRate(4)))
    let (held, phone) = (hall.held, hall.phone)
    let angles = Heard<Float>()
    await MainActor.run {
      held.finder = NearbyDevice.$current.withValue(phone) { ItemFinder(path: .nearbyInteraction) }
      var hasAsked = false
      held.finder?.onChange = {
        if held.finder?.screen == .needsItem, !hasAsked {
          hasAsked = true
          held.finder?.addItem()
        }
        if let angle = held.finder?.horizontalAngle { angles.add(angle) }
      }
    }
    #expect(await angles.wait { $0.count > 5 })
    #expect(angles.all.allSatisfy { abs($0) <= .pi })
    await hall.end()
  }
}
