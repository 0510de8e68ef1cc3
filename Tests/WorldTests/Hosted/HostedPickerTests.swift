import Foundation
import NearbyBluetooth
import NearbyScenarios
import NearbyWorldProtocol
import Testing

@testable import NearbyWorld

@Suite("Accessory pickers in a world")
struct HostedPickerTests {
  private static let keys = BluetoothPeer(high: 1, low: 2)
  private static let offers = WorldPicker.Kind.choose([
    .init(peer: keys, name: "Keys", advertisedName: "Tag 7"),
    .init(peer: BluetoothPeer(high: 3, low: 4), name: "Keys", advertisedName: nil),
  ])

  private static func world(answer: WorldAnswer?, _ scenario: Scenario = .empty) -> (HostedWorld, WorldClient)
  {
    var settings = HostedWorld.Settings()
    settings.answer = answer
    var world = HostedWorld(scenario, settings: settings)
    let client = world.join(1, as: "anna")
    _ = world.takeActions()
    return (world, client)
  }

  private static func picker(_ kind: WorldPicker.Kind, number: UInt32 = 9) -> DeviceMessage {
    .picks(WorldPicker(number: number, kind: kind))
  }

  @Test("A picker stays open on the page until the person replies, and the program closes it")
  func open() {
    var (world, anna) = Self.world(answer: nil)
    world.received(Self.picker(.choose([])), from: anna)
    #expect(world.stateText().contains(#""picker":{"number":9,"kind":"choose","offers":[]}"#))
    world.received(Self.picker(Self.offers), from: anna)
    let text =
      #"{"peer":"00000000000000010000000000000002","name":"Keys","advertised":"Tag 7"},"#
      + #"{"peer":"00000000000000030000000000000004","name":"Keys","advertised":null}"#
    #expect(world.stateText().contains(text), "\(world.stateText())")
    #expect(world.told(anna).isEmpty)
    world.perform(.pick(device: 0, number: 8, .cancel))
    #expect(world.told(anna).isEmpty)
    world.perform(.pick(device: 0, number: 9, .choose(Self.keys)))
    #expect(world.told(anna) == [.picked(number: 9, .choose(Self.keys))])
    world.received(.picks(nil), from: anna)
    #expect(!world.stateText().contains("picker"))
    world.perform(.pick(device: 0, number: 9, .cancel))
    #expect(world.told(anna).isEmpty)
  }

  static let standing: [(answer: WorldAnswer?, kind: WorldPicker.Kind, reply: WorldPick?)] = [
    (.allowed, offers, .choose(keys)), (.allowedOnce, offers, .choose(keys)), (.denied, offers, .cancel),
    (.allowed, .choose([]), nil), (.allowed, .migrate(["Keys"]), .agree),
    (.denied, .migrate(["Keys"]), .cancel),
    (.allowed, .name("Keys"), .cancel), (.allowed, .pairing("Keys"), nil), (.denied, .pairing("Keys"), nil),
    (nil, offers, nil), (nil, .name("Keys"), nil),
  ]

  @Test("The standing answer replies to pickers as to questions", arguments: standing)
  func standingAnswer(_ answer: WorldAnswer?, _ kind: WorldPicker.Kind, _ reply: WorldPick?) {
    var (world, anna) = Self.world(answer: answer)
    world.received(Self.picker(kind), from: anna)
    #expect(world.told(anna) == (reply.map { [.picked(number: 9, $0)] } ?? []))
  }

  @Test("A standing answer that is set later replies to the open picker")
  func later() {
    var (world, anna) = Self.world(answer: nil)
    world.received(Self.picker(Self.offers), from: anna)
    world.perform(.standingAnswer(device: 0, .allowed))
    #expect(world.told(anna) == [.picked(number: 9, .choose(Self.keys))])
  }

  @Test(
    "A scenario's rule takes precedence over the standing answer",
    arguments: [("cancel", WorldPick.cancel), ("wait", nil), ("choose", WorldPick.choose(keys))])
  func rule(_ rule: String, _ reply: WorldPick?) throws {
    let text = """
      { "devices": [{ "name": "anna", "motion": { "stand": [0, 0] }, "picker": "\(rule)" }] }
      """
    var (world, anna) = Self.world(
      answer: .allowed, try Scenario(parsing: Data(text.utf8), file: "rule.json"))
    world.received(Self.picker(Self.offers), from: anna)
    #expect(world.told(anna) == (reply.map { [.picked(number: 9, $0)] } ?? []))
  }

  @Test("A picker ends with its program, and is noted once for the page's timeline")
  func ending() {
    var (world, anna) = Self.world(answer: nil)
    world.journal.isRead = true
    world.received(Self.picker(.choose([])), from: anna)
    world.received(Self.picker(Self.offers), from: anna)
    #expect(world.journal.drain().entries.count { $0.event == .askedToPick } == 1)
    world.left(anna)
    #expect(!world.stateText().contains("picker"))
  }
}
