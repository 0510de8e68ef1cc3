import AccessoryApp
import CoreBluetooth
import Foundation
import NearbyAccessory
import NearbyTesting
import Testing

/// An accessory over Bluetooth with hostile phones, and with a program that restarts. Used on the one thread
/// that advances the world's time.
@Suite("An accessory over Bluetooth")
struct AccessoryBluetoothTests {
  private static let configuration = CBUUID(string: "95E8D9D5-D8EF-4721-9A4E-807375F53328")

  /// A door, and a hostile phone that is connected to it and subscribed.
  private func besieged() -> (World, Phone, DoorOpener, HostilePhone) {
    let world = World(seed: 8)
    let door = world.addAccessory("Door", at: [0, 4, 1.2])
    let opener = door.launch { DoorOpener() }
    let mallory = world.addPhone("Mallory", at: [1, 2, 1.2])
    mallory.setAcceptsPairing(false)
    let hostile = mallory.launch { HostilePhone() }
    world.advance(until: { hostile.isReady }, within: .seconds(5))
    world.advance(by: .milliseconds(300))
    return (world, door, opener, hostile)
  }

  /// Whether an honest phone's app can range.
  private func serves(_ world: World) -> Bool {
    let phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let channel = phone.launch { AccessoryChannel() }
    let app = phone.launch { AccessoryApp(channel) }
    return world.advance(until: { app.distance != nil }, within: .seconds(5))
  }

  @Test("Invalid messages are refused or reported, and an honest phone is still served")
  func refusals() {
    let (world, door, opener, hostile) = besieged()
    hostile.write(Data(repeating: 0x0A, count: 513))
    hostile.write(Data([0x0B, 1, 2]), to: AccessoryChannel.Service.nordicUART.transmit)
    hostile.read(Self.configuration)
    world.advance(by: .seconds(1))
    // Too long for an attribute; not writable; requires encryption.
    #expect(hostile.errors.contains(CBATTError.invalidAttributeValueLength.rawValue))
    #expect(hostile.errors.contains(CBATTError.writeNotPermitted.rawValue), "\(hostile.errors)")
    #expect(
      hostile.errors.contains(CBATTError.insufficientEncryption.rawValue)
        || hostile.errors.contains(CBATTError.insufficientAuthentication.rawValue), "\(hostile.errors)")
    for message in [[0x0B, 1, 0], [0x0C], [0x77], [0x01, 2]] as [[UInt8]] { hostile.write(Data(message)) }
    hostile.write(Data((0..<400).map { UInt8($0 & 0xFF) }))
    world.advance(by: .seconds(1))
    let reasons = ["malformed", "notRunning", "malformed", "notForAccessories", "malformed"]
    #expect(opener.log.count == reasons.count, "\(opener.log)")
    #expect(zip(opener.log, reasons).allSatisfy { $0.contains($1) }, "\(opener.log)")
    #expect(serves(world), "\(opener.log)")
    #expect(door.chipSessionCount == 1)
  }

  @Test("A flood of messages is cut off, and an honest phone is still served")
  func flood() {
    let (world, door, opener, hostile) = besieged()
    var left = 2000
    func pour() {
      for _ in 0..<10 where left > 0 {
        left -= 1
        hostile.write(Data([0x0A]), .withoutResponse)
      }
    }
    for _ in 0..<100 {
      pour()
      world.advance(by: .milliseconds(30))
    }
    #expect(hostile.messages.count < 60, "the flooding phone got \(hostile.messages.count) answers")
    #expect(opener.log.contains { $0.contains("tooManyMessages") })
    for _ in 0..<50 { pour() }
    #expect(serves(world), "\(opener.log)")
    // The honest phone's app has been released, so nothing may be left.
    hostile.leave()
    world.advance(by: .seconds(3))
    #expect(door.chipSessionCount == 0)
  }

  @Test("An accessory that stops and restarts is found over the existing link and ranges again")
  func restarts() {
    let entrance = Entrance(seed: 9)
    entrance.world.advance(by: .seconds(3))
    #expect(entrance.app.distance != nil)
    entrance.door.launch { entrance.opener.accessory.stop() }
    entrance.world.advance(by: .seconds(2))
    #expect(entrance.door.chipSessionCount == 0)
    entrance.door.launch { entrance.opener.accessory.start() }
    let isBack = entrance.world.advance(
      until: { entrance.door.chipSessionCount == 1 }, within: .seconds(20))
    #expect(isBack, "\(entrance.app.log) \(entrance.opener.log)")
    let before = entrance.world.now
    entrance.world.advance(by: .seconds(2))
    #expect((entrance.lastDistance ?? .zero) > before + .seconds(1))
    #expect(entrance.door.chipSessionCount == 1)
    #expect(entrance.phone.chipSessionCount == 1)
  }
}
