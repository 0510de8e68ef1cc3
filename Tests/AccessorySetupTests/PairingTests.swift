import NearbyAccessorySetup
import NearbyBluetooth
import Testing

/// A machine whose open picker offers one lamp with which it pairs.
private struct Lamp {
  static let service = BluetoothUUID(UInt16(0x180D))
  static let peer = BluetoothPeer(high: 1, low: 2)
  var machine = AccessorySetupMachine(
    usage: SetupUsage(services: [service], companies: [], names: []))
  let user: SetupUser
  let request: SetupRequest

  init(pairs: Bool = true, allowsRename: Bool = false) {
    user = machine.makeUser()
    machine.activate(user)
    var descriptor = SetupDescriptor()
    descriptor.service = Self.service
    descriptor.pairs = pairs
    request = machine.showPicker(
      [SetupItem(name: "Lamp", descriptor: descriptor, allowsRename: allowsRename)], for: user)
    var advertisement = Advertisement()
    advertisement.services = [Self.service]
    machine.received(
      .sighted(
        BluetoothSighting(peer: Self.peer, advertisement: advertisement, rssi: -60, time: .seconds(1))))
    _ = machine.takeActions()
  }

  mutating func reply(_ reply: SetupReply) {
    if let question = machine.question { machine.received(reply, to: question.number) }
  }

  mutating func actions() -> [AccessorySetupMachine.Action] { machine.takeActions() }

  func accessory(_ name: String = "Lamp") -> SetUpAccessory {
    var descriptor = SetupDescriptor()
    descriptor.service = Self.service
    descriptor.pairs = true
    return SetUpAccessory(peer: Self.peer, name: name, descriptor: descriptor, state: .authorized)
  }

  /// The end of a picker.
  func closing(_ failure: SetupFailure?) -> [AccessorySetupMachine.Action] {
    [.stopBluetooth, .questionChanged, .notify(user, .pickerDidDismiss), .answer(request, failure)]
  }
}

@Suite("Pairing and naming in a picker")
struct PairingTests {
  @Test("The picker connects, pairs, leaves the link to the app, and then sets the accessory up")
  func pairing() {
    var lamp = Lamp()
    lamp.reply(.choose(Lamp.peer))
    #expect(lamp.machine.question?.kind == .pairing("Lamp") && lamp.machine.candidates == nil)
    #expect(
      lamp.actions() == [
        .notify(lamp.user, .pickerSetupPairing(lamp.accessory())), .bluetooth(.stopScan),
        .bluetooth(.connect(Lamp.peer)), .wait(.pairing(lamp.request), .seconds(30)), .questionChanged,
      ])
    lamp.machine.received(.connected(Lamp.peer))
    #expect(lamp.actions() == [.bluetooth(.pair(Lamp.peer))])
    #expect(lamp.machine.accessories.isEmpty)
    lamp.machine.received(.paired(Lamp.peer, nil))
    #expect(
      lamp.actions() == [
        .bluetooth(.disconnect(Lamp.peer)), .store, .notify(lamp.user, .added(lamp.accessory())),
      ] + lamp.closing(nil))
    lamp.machine.received(.disconnected(Lamp.peer, nil))
    lamp.machine.waited(.pairing(lamp.request))
    #expect(lamp.actions().isEmpty && lamp.machine.visiblePeers == [Lamp.peer])
  }

  static let failures: [BluetoothEvent?] = [
    .paired(Lamp.peer, .pairingFailed), .notConnected(Lamp.peer, .connectionFailed),
    .disconnected(Lamp.peer, .connectionTimeout), nil,
  ]

  @Test("A refusal, a lost link or the end of the time gives pickerSetupFailed", arguments: failures)
  func failure(_ event: BluetoothEvent?) {
    var lamp = Lamp()
    lamp.reply(.choose(Lamp.peer))
    lamp.machine.received(.connected(Lamp.peer))
    _ = lamp.actions()
    if let event { lamp.machine.received(event) } else { lamp.machine.waited(.pairing(lamp.request)) }
    #expect(
      lamp.actions() == [
        .notify(lamp.user, .pickerSetupFailed(lamp.accessory())), .bluetooth(.disconnect(Lamp.peer)),
      ] + lamp.closing(.connectionFailed))
    #expect(lamp.machine.accessories.isEmpty && lamp.machine.visiblePeers == [])
  }

  @Test("Events of other peers and sightings change nothing while it pairs; the user can cancel")
  func cancelling() {
    var lamp = Lamp()
    lamp.reply(.choose(Lamp.peer))
    _ = lamp.actions()
    let other = BluetoothPeer(high: 7, low: 7)
    for event: BluetoothEvent in [
      .connected(other), .paired(other, nil), .disconnected(other, nil), .state(.poweredOn),
    ] {
      lamp.machine.received(event)
    }
    lamp.reply(.choose(Lamp.peer))
    lamp.reply(.agree)
    lamp.reply(.name("x"))
    lamp.machine.waited(.discovery(lamp.request))
    #expect(lamp.actions().isEmpty)
    lamp.reply(.cancel)
    #expect(lamp.actions() == [.bluetooth(.disconnect(Lamp.peer))] + lamp.closing(.userCancelled))
  }

  @Test(
    "The user names the accessory after the pairing; an empty name or none keeps the item's",
    arguments: [("  Desk  lamp ", "Desk lamp"), ("", "Lamp"), (nil, "Lamp")])
  func naming(typed: String?, name: String) {
    var lamp = Lamp(allowsRename: true)
    lamp.reply(.choose(Lamp.peer))
    lamp.machine.received(.connected(Lamp.peer))
    _ = lamp.actions()
    lamp.machine.received(.paired(Lamp.peer, nil))
    #expect(
      lamp.actions() == [
        .bluetooth(.disconnect(Lamp.peer)), .notify(lamp.user, .pickerSetupRename(lamp.accessory())),
        .questionChanged,
      ])
    #expect(lamp.machine.question?.kind == .name("Lamp") && lamp.machine.accessories.isEmpty)
    lamp.reply(typed.map { .name($0) } ?? .cancel)
    #expect(
      lamp.actions() == [.store, .notify(lamp.user, .added(lamp.accessory(name)))] + lamp.closing(nil))
  }

  @Test("A name has at most 64 characters")
  func longName() {
    var lamp = Lamp(pairs: false, allowsRename: true)
    lamp.reply(.choose(Lamp.peer))
    lamp.reply(.name(String(repeating: "ä", count: 1000)))
    #expect(lamp.machine.accessories.map(\.name.count) == [64])
  }

  @Test("Renaming asks the user; declining is userCancelled, and a second question or a picker is refused")
  func renaming() {
    var lamp = Lamp(pairs: false)
    lamp.reply(.choose(Lamp.peer))
    _ = lamp.actions()
    let first = lamp.machine.rename(Lamp.peer, for: lamp.user)
    #expect(lamp.actions() == [.questionChanged] && lamp.machine.question?.kind == .name("Lamp"))
    let second = lamp.machine.rename(Lamp.peer, for: lamp.user)
    #expect(lamp.actions() == [.answer(second, .pickerAlreadyActive)])
    let item = SetupItem(name: "Lamp", descriptor: lamp.machine.accessories[0].descriptor)
    let third = lamp.machine.showPicker([item], for: lamp.user)
    #expect(lamp.actions() == [.answer(third, .pickerAlreadyActive)])
    lamp.reply(.name("Desk"))
    #expect(
      lamp.actions() == [
        .store, .notify(lamp.user, .changed(lamp.machine.accessories[0])), .questionChanged,
        .answer(first, nil),
      ])
    #expect(lamp.machine.accessories.map(\.name) == ["Desk"])
    let declined = lamp.machine.rename(Lamp.peer, for: lamp.user)
    _ = lamp.actions()
    lamp.reply(.cancel)
    #expect(lamp.actions() == [.questionChanged, .answer(declined, .userCancelled)])
    let lost = lamp.machine.rename(Lamp.peer, for: lamp.user)
    _ = lamp.actions()
    lamp.machine.removeInSettings(Lamp.peer)
    #expect(lamp.actions().contains(.answer(lost, .invalidRequest)) && lamp.machine.question == nil)
  }

  @Test("A reply to an earlier question has no effect")
  func staleReply() {
    var lamp = Lamp()
    lamp.machine.received(.cancel, to: lamp.request.number - 1)
    #expect(lamp.actions().isEmpty && lamp.machine.candidates?.count == 1)
  }
}
