import NearbyAccessorySetup
import NearbyBluetooth
import Testing

@Suite("Accessory set-up")
struct AccessorySetupTests {
  private let service = BluetoothUUID(UInt16(0x180D))
  private let lamp = BluetoothPeer(high: 1, low: 2)

  private var descriptor: SetupDescriptor {
    var descriptor = SetupDescriptor()
    descriptor.service = service
    return descriptor
  }

  private func advertisement(
    services: [BluetoothUUID] = [], name: String? = nil, company: UInt16? = nil, data: [UInt8] = []
  ) -> Advertisement {
    var advertisement = Advertisement()
    advertisement.services = services
    advertisement.name = name
    if let company { advertisement.manufacturerData = [.init(company: company, octets: data)] }
    return advertisement
  }

  private func sighting(_ advertisement: Advertisement, rssi: Int = -60) -> BluetoothSighting {
    BluetoothSighting(peer: lamp, advertisement: advertisement, rssi: rssi, time: .seconds(1))
  }

  /// A machine with one active session whose picker is open.
  private func picking(
    needsConfirmation: Bool = false
  ) -> (machine: AccessorySetupMachine, user: SetupUser, request: SetupRequest) {
    var machine = AccessorySetupMachine(usage: SetupUsage(services: [service], companies: [], names: []))
    let user = machine.makeUser()
    machine.activate(user)
    let item = SetupItem(name: "Lamp", descriptor: descriptor, needsConfirmation: needsConfirmation)
    let request = machine.showPicker([item], for: user)
    _ = machine.takeActions()
    return (machine, user, request)
  }

  private func expect(
    _ machine: inout AccessorySetupMachine, _ actions: [AccessorySetupMachine.Action],
    at location: SourceLocation = #_sourceLocation
  ) {
    let taken = machine.takeActions()
    #expect(taken == actions, sourceLocation: location)
  }

  // MARK: Descriptors

  @Test("A descriptor matches advertisements with its service, company, data and name")
  func matching() {
    #expect(descriptor.matches(advertisement(services: [service]), power: -90))
    #expect(!descriptor.matches(advertisement(name: "Lamp"), power: -40))
    var other = SetupDescriptor()
    other.company = 0x1234
    #expect(other.matches(advertisement(company: 0x1234), power: -90))
    #expect(!other.matches(advertisement(company: 0x1235), power: -90))
    other.manufacturerData = .init([0xA0, 0x01], mask: [0xF0, 0xFF])
    #expect(other.matches(advertisement(company: 0x1234, data: [0xAB, 0x01, 7]), power: -90))
    #expect(!other.matches(advertisement(company: 0x1234, data: [0xBB, 0x01]), power: -90))
    #expect(!other.matches(advertisement(company: 0x1234, data: [0xAB]), power: -90))
    other.manufacturerData = nil
    other.nameSubstring = "amp"
    #expect(other.matches(advertisement(name: "Lamp 3", company: 0x1234), power: -90))
    #expect(!other.matches(advertisement(name: "LAMP", company: 0x1234), power: -90))
    #expect(!other.matches(advertisement(company: 0x1234), power: -90))
    other.ignoresCase = true
    #expect(other.matches(advertisement(name: "LAMP", company: 0x1234), power: -90))
    other.isImmediate = true
    #expect(!other.matches(advertisement(name: "LAMP", company: 0x1234), power: -70))
    #expect(other.matches(advertisement(name: "LAMP", company: 0x1234), power: -45))
  }

  @Test("Service data stands for the service, and is compared under its mask")
  func serviceData() {
    var wanted = descriptor
    var advertised = Advertisement()
    advertised.serviceData = [.init(service: service, octets: [1, 2, 3])]
    #expect(wanted.matches(advertised, power: -60))
    wanted.serviceData = .init([1, 9], mask: [0xFF, 0x00])
    #expect(wanted.matches(advertised, power: -60))
    wanted.serviceData = .init([1, 9])
    #expect(!wanted.matches(advertised, power: -60))
    #expect(!wanted.matches(advertisement(services: [service]), power: -60))
  }

  @Test("Descriptors that name nothing, or whose data belong to nothing, match nothing")
  func invalid() {
    var name = SetupDescriptor()
    name.nameSubstring = "Lamp"
    #expect(!name.isValid && !name.matches(advertisement(name: "Lamp"), power: -40))
    var data = descriptor
    data.manufacturerData = .init([1])
    #expect(!data.isValid)
    var mask = descriptor
    mask.serviceData = .init([1, 2], mask: [0xFF])
    #expect(!mask.isValid)
  }

  // MARK: The picker

  @Test("Choosing gives events in Apple's order, and answers the request last")
  func choosing() throws {
    var (machine, user, request) = picking()
    machine.sighted(sighting(advertisement(services: [service], name: "Lamp 3")))
    machine.sighted(sighting(advertisement(services: [service])))
    #expect(machine.candidates?.map(\.name) == ["Lamp"])
    #expect(machine.candidates?.map(\.advertisedName) == ["Lamp 3"])
    let isOffered = machine.choose(lamp)
    #expect(isOffered)
    let accessory = try #require(machine.accessories.first)
    #expect(accessory.state == .authorized && accessory.name == "Lamp" && accessory.peer == lamp)
    expect(
      &machine,
      [
        .questionChanged, .notify(user, .pickerSetupPairing(accessory)), .store,
        .notify(user, .added(accessory)), .stopBluetooth, .questionChanged, .notify(user, .pickerDidDismiss),
        .answer(request, nil),
      ])
    #expect(machine.candidates == nil && machine.visiblePeers == [lamp])
  }

  @Test("Showing a picker presents it, scans, and ends discovery after 30 s without a find")
  func timeout() {
    var machine = AccessorySetupMachine(usage: SetupUsage(services: [service], companies: [], names: []))
    let user = machine.makeUser()
    machine.activate(user)
    let request = machine.showPicker([SetupItem(name: "Lamp", descriptor: descriptor)], for: user)
    expect(
      &machine,
      [
        .notify(user, .activated), .notify(user, .pickerDidPresent), .startBluetooth, .questionChanged,
        .wait(.discovery(request), .seconds(30)),
      ])
    machine.waited(.discovery(request))
    expect(
      &machine,
      [
        .stopBluetooth, .questionChanged, .notify(user, .pickerDidDismiss),
        .answer(request, .discoveryTimeout),
      ])
    machine.waited(.discovery(request))
    expect(&machine, [])
  }

  @Test("Discovery does not time out once something is offered; cancelling is an error")
  func cancelling() {
    var (machine, user, request) = picking()
    machine.sighted(sighting(advertisement(services: [service])))
    machine.waited(.discovery(request))
    expect(&machine, [.questionChanged])
    machine.cancelPicker()
    expect(
      &machine,
      [
        .stopBluetooth, .questionChanged, .notify(user, .pickerDidDismiss), .answer(request, .userCancelled),
      ])
    #expect(machine.accessories.isEmpty && machine.visiblePeers == [])
  }

  @Test("A picker needs an active session, declared and valid items, and no other picker")
  func objections() {
    var (machine, user, _) = picking()
    let items = [SetupItem(name: "Lamp", descriptor: descriptor)]
    func failure(_ items: [SetupItem], _ user: SetupUser) -> SetupFailure? {
      let request = machine.showPicker(items, for: user)
      guard case .answer(request, let failure)? = machine.takeActions().last else { return nil }
      return failure
    }
    #expect(failure(items, user) == .pickerAlreadyActive)
    machine.cancelPicker()
    #expect(failure([], user) == .invalidRequest)
    #expect(failure([SetupItem(name: "", descriptor: SetupDescriptor())], user) == .invalidRequest)
    var undeclared = descriptor
    undeclared.company = 7
    #expect(failure([SetupItem(name: "Lamp", descriptor: undeclared)], user) == .invalidRequest)
    let other = machine.makeUser()
    #expect(failure(items, other) == .invalidated)
  }

  @Test("An app that declares nothing can't activate, and sees everything")
  func undeclared() {
    var machine = AccessorySetupMachine()
    let user = machine.makeUser()
    machine.activate(user)
    expect(&machine, [.notify(user, .invalidated(.activationFailed))])
    #expect(machine.visiblePeers == nil)
  }

  // MARK: What is set up

  @Test("Confirmation, renaming and removal notify, and answer their request")
  func afterwards() {
    var (machine, user, _) = picking(needsConfirmation: true)
    machine.sighted(sighting(advertisement(services: [service])))
    _ = machine.choose(lamp)
    #expect(machine.accessories.map(\.state) == [.awaitingAuthorization])
    _ = machine.takeActions()
    let finished = machine.finishAuthorization(lamp, for: user)
    #expect(machine.accessories.map(\.state) == [.authorized])
    expect(
      &machine,
      [
        .store, .notify(user, .changed(machine.accessories[0])), .answer(finished, nil),
      ])
    let again = machine.finishAuthorization(lamp, for: user)
    expect(&machine, [.answer(again, .invalidRequest)])
    machine.renameInSettings(lamp, to: "Desk")
    #expect(machine.accessories.map(\.name) == ["Desk"])
    _ = machine.takeActions()
    var removed = machine.accessories[0]
    removed.state = .unauthorized
    let removal = machine.remove(lamp, for: user)
    expect(&machine, [.store, .notify(user, .removed(removed)), .answer(removal, nil)])
    #expect(machine.visiblePeers == [])
    let unknown = machine.remove(lamp, for: user)
    expect(&machine, [.answer(unknown, .invalidRequest)])
  }

  @Test("Accessories outlast a launch, sessions and pickers don't")
  func launches() {
    var (machine, user, request) = picking()
    machine.sighted(sighting(advertisement(services: [service])))
    _ = machine.choose(lamp)
    _ = machine.showPicker([SetupItem(name: "Lamp", descriptor: descriptor)], for: user)
    _ = machine.takeActions()
    machine.endLaunch()
    expect(&machine, [.stopBluetooth, .questionChanged])
    #expect(machine.accessories.map(\.peer) == [lamp] && machine.candidates == nil)
    let next = machine.makeUser()
    #expect(next != user)
    let early = machine.remove(lamp, for: next)
    #expect(early != request)
    expect(&machine, [.answer(early, .invalidated)])
  }

  @Test("Invalidating a session closes its picker first")
  func invalidation() {
    var (machine, user, request) = picking()
    machine.invalidate(user)
    expect(
      &machine,
      [
        .stopBluetooth, .questionChanged, .notify(user, .pickerDidDismiss), .answer(request, .invalidated),
        .notify(user, .invalidated(nil)),
      ])
    machine.invalidate(user)
    expect(&machine, [])
  }
}
