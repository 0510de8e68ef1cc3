import AccessoryApp
import Foundation
import NearbyAccessory
import NearbyTesting
import Testing

/// Which phones an accessory ranges with, and whose readings may open a door.
@Suite("Phones that an accessory admits and authorizes")
struct AccessoryAccessTests {
  /// An accessory's program. Used on the one thread that advances the world's time.
  private final class Door: @unchecked Sendable {
    let accessory: Accessory
    private(set) var readings: [AccessoryReading] = []
    private(set) var refusals: [Accessory.Refusal] = []
    private(set) var phones: [AccessoryPhone] = []

    init(_ access: AccessoryProfile.Access, acceptsPairing: Bool? = nil) {
      var profile = AccessoryProfile(name: "Door")
      profile.access = access
      profile.acceptsPairing = acceptsPairing
      accessory = Accessory(profile)
      accessory.onEvent { [weak self] event in
        switch event {
        case .measured(let reading): self?.readings.append(reading)
        case .refused(_, let refusal): self?.refusals.append(refusal)
        case .connected(let phone): self?.phones.append(phone)
        default: break
        }
      }
      accessory.start()
    }
  }

  /// A phone's app, which ranges as long as it is retained.
  private func visit(_ phone: Phone) -> AccessoryApp {
    let channel = phone.launch { AccessoryChannel() }
    return phone.launch { AccessoryApp(channel) }
  }

  private func place() -> (world: World, door: Phone, phone: Phone) {
    let world = World(seed: 3)
    let door = world.addAccessory("Door", at: [0, 3, 1.2])
    return (world, door, world.addPhone("Ann", at: [0, 0, 1.2], heading: 0))
  }

  @Test("An accessory open to everyone ranges with any phone, but must authorize it for authorized readings")
  func everyone() {
    let (world, device, phone) = place()
    let door = device.launch { Door(.everyone) }
    let app = visit(phone)
    world.advance(by: .seconds(5))
    #expect(app.distance != nil)
    #expect(door.readings.count > 5)
    #expect(door.readings.allSatisfy { !$0.isAuthorized })
    // The person at the door authorizes the phone.
    device.launch { for phone in door.phones { door.accessory.authorize(phone) } }
    let before = door.readings.count
    world.advance(by: .seconds(2))
    #expect(door.readings.count > before)
    #expect(door.readings[before...].allSatisfy { $0.isAuthorized })
  }

  @Test("An accessory for paired phones does not serve an unpaired phone and uses no chip session for it")
  func stranger() {
    let (world, device, phone) = place()
    let door = device.launch { Door(.paired) }
    let app = visit(phone)
    world.advance(by: .seconds(10))
    #expect(app.distance == nil)
    #expect(device.chipSessionCount == 0)
    #expect(door.phones == [])
    #expect(door.readings == [])
  }

  @Test("After pairing is closed, a paired phone still ranges and new phones do not")
  func paired() {
    let (world, device, phone) = place()
    let door = device.launch { Door(.paired, acceptsPairing: true) }
    var app: AccessoryApp? = visit(phone)
    world.advance(until: { app?.distance != nil }, within: .seconds(10))
    #expect(!door.readings.isEmpty)
    #expect(door.readings.allSatisfy { $0.isAuthorized })
    device.launch { door.accessory.setAcceptsPairing(false) }
    phone.launch { app?.end() }
    app = nil
    world.advance(by: .seconds(5))
    #expect(device.chipSessionCount == 0)

    let before = door.readings.count
    app = visit(phone)
    world.advance(until: { app?.distance != nil }, within: .seconds(10))
    #expect(door.readings.count > before)
    #expect(door.readings.allSatisfy { $0.isAuthorized })
    let mallory = world.addPhone("Mallory", at: [1, 1, 1.2])
    let other = visit(mallory)
    world.advance(by: .seconds(10))
    #expect(other.distance == nil)
    #expect(door.phones.count == 2)
  }

  @Test("A list admits only the paired phones on it; a phone's identifier stays the same")
  func listed() throws {
    let (world, device, phone) = place()
    let first = device.launch { Door(.listed([]), acceptsPairing: true) }
    var app: AccessoryApp? = visit(phone)
    world.advance(by: .seconds(5))
    #expect(app?.distance == nil)
    #expect(first.readings.isEmpty)
    #expect(device.chipSessionCount == 0)
    #expect(first.refusals == [.notAuthorized])
    let identifier = try #require(first.phones.first.flatMap(first.accessory.identifier(of:)))
    device.launch { first.accessory.stop() }
    phone.launch { app?.end() }
    world.advance(by: .seconds(3))

    let second = device.launch { Door(.listed([identifier])) }
    app = visit(phone)
    world.advance(until: { app?.distance != nil }, within: .seconds(10))
    #expect(!second.readings.isEmpty)
    #expect(second.readings.allSatisfy { $0.isAuthorized })
    #expect(second.phones.map(second.accessory.identifier(of:)) == [identifier])
  }

  @Test("A connection over the program's own channel needs no pairing and has no phone identifier")
  func ownChannel() {
    let (world, device, _) = place()
    let door = device.launch { Door(.paired) }
    let link = device.launch { door.accessory.connect { _ in } }
    world.advance(by: .seconds(1))
    #expect(door.phones == [link.phone])
    #expect(door.accessory.identifier(of: link.phone) == nil)
  }
}
