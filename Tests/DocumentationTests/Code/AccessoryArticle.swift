import AccessoryApp
import Foundation
import NearbyAccessory
import NearbyTesting
import Testing

func openDoor() {}

func guardDoor() async {
  var profile = AccessoryProfile(name: "Door")
  profile.access = .paired
  let door = Accessory(profile)
  door.start()
  for await reading in door.readings where reading.isAuthorized {
    if let distance = reading.distance, distance < 1.5 { openDoor() }
  }
}

final class Doorkeeper: @unchecked Sendable {
  // Events arrive one at a time on the main queue.
  let accessory: Accessory
  private(set) var phones: [AccessoryPhone] = []
  private(set) var isOpen = false

  init(_ profile: AccessoryProfile) {
    accessory = Accessory(profile)
    accessory.onEvent { [weak self] in self?.received($0) }
    accessory.start()
  }

  private func received(_ event: Accessory.Event) {
    switch event {
    case .connected(let phone): phones.append(phone)
    case .measured(let reading):
      if reading.isAuthorized, let distance = reading.distance { isOpen = distance < 1.5 }
    case .stopped, .disconnected: isOpen = false
    case .refused(let phone, let refusal): print("\(phone) refused: \(refusal)")
    case .unavailable: print("No suitable chip")
    case .bluetoothUnavailable(let reason): print(reason)
    case .ready, .started: break
    }
  }
}

func letNewPhonesPair(_ accessory: Accessory) async throws {
  accessory.setAcceptsPairing(true)
  try await Task.sleep(for: .seconds(60))
  accessory.setAcceptsPairing(false)
}

func profile(forPhones identifiers: Set<UUID>) -> AccessoryProfile {
  var profile = AccessoryProfile(name: "Door")
  profile.access = .listed(identifiers)
  return profile
}

@Suite("Being an accessory")
struct AccessoryArticle {
  @Test("The door opens for a phone that the program authorized")
  func door() {
    let world = World(seed: 3)
    let device = world.addAccessory("Door", at: [0, 1, 1.2])
    let phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let keeper = device.launch { Doorkeeper(AccessoryProfile(name: "Door")) }
    let app = visit(phone)
    world.advance(by: .seconds(5))
    #expect(app.distance != nil && !keeper.isOpen)
    device.launch { for phone in keeper.phones { keeper.accessory.authorize(phone) } }
    world.advance(by: .seconds(2))
    #expect(keeper.isOpen)
  }

  @Test("New phones can pair for a minute")
  func pairing() {
    let world = World(seed: 3)
    let device = world.addAccessory("Door", at: [0, 1, 1.2])
    var profile = AccessoryProfile(name: "Door")
    profile.access = .paired
    let keeper = device.launch { Doorkeeper(profile) }
    device.launch { _ = Task { try await letNewPhonesPair(keeper.accessory) } }
    world.advance(by: .seconds(50))
    let app = visit(world.addPhone("Ann", at: [0, 0, 1.2], heading: 0))
    world.advance(by: .seconds(9))
    #expect(app.distance != nil)
    world.advance(by: .seconds(2))
    let late = visit(world.addPhone("Ben", at: [1, 0, 1.2], heading: 0))
    world.advance(by: .seconds(10))
    #expect(late.distance == nil)
    #expect(keeper.phones.count == 1)
  }

  private func visit(_ phone: Phone) -> AccessoryApp {
    let channel = phone.launch { AccessoryChannel() }
    return phone.launch { AccessoryApp(channel) }
  }
}
