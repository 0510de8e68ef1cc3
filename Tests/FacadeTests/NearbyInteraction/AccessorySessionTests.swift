import Foundation
import NearbyAccessory
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Sessions with accessories")
struct AccessorySessionTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let role: AccessoryProfile.Role
    let version: AccessoryProfile.Version
    var testDescription: String { "\(role) \(version)" }
    var profile: AccessoryProfile {
      var profile = AccessoryProfile(name: "Door")
      profile.role = role
      profile.version = version
      return profile
    }
    static let all = AccessoryProfile.Role.allCases.flatMap { role in
      AccessoryProfile.Version.allCases.map { Kind(role: role, version: $0) }
    }
  }

  @Test("After initialise both sides measure distances, in each version and role", arguments: Kind.all)
  func firstDistance(_ kind: Kind) throws {
    let visit = AccessoryVisit(profile: kind.profile)
    visit.world.advance(by: .milliseconds(100))
    let start = visit.world.now
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(3))
    let size = [AccessoryProfile.Version.v1_0: 28, .v1_1: 30, .v2_0: 35][kind.version] ?? 0
    #expect(visit.history == ["running", "shareable \(size)", "accessory started"])
    let first = try #require(visit.firstUpdate)
    #expect(first - start < .milliseconds(500))
    #expect(visit.updates.count >= 12)
    #expect(visit.updates.allSatisfy { $0.discoveryToken == visit.token })
    #expect(abs((visit.updates.last?.distance ?? 0) - 3) < 0.4)
    let readings = visit.events.compactMap { event in
      if case .measured(let reading) = event { reading.distance } else { nil }
    }
    #expect(readings.count >= 12)
    #expect(abs((readings.last ?? 0) - 3) < 0.4)
  }

  @Test("An accessory that does not start is removed by timeout; stop and initialise start it again")
  func startWindow() {
    var profile = PhoneProfile()
    profile.accessoryStartWindow = .seconds(4)
    let visit = AccessoryVisit(phoneProfile: profile)
    visit.forwards = false
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(3))
    #expect(visit.history == ["running", "shareable 30"])
    visit.world.advance(by: .seconds(2))
    #expect(visit.history == ["running", "shareable 30", "removed timeout"])
    #expect(visit.updates.isEmpty)
    #expect(visit.phone.chipSessionCount == 0)
    visit.forwards = true
    visit.forget()
    // Apple's sample does this after a time-out.
    visit.say([0x0C])
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    #expect(visit.history == ["running", "shareable 30", "accessory started"])
    #expect(visit.updates.count >= 6)
  }

  @Test("Running the same configuration again gives data for a new session, and ranging continues")
  func runAgain() throws {
    let visit = AccessoryVisit()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    let configuration = try #require(visit.session.configuration as? NINearbyAccessoryConfiguration)
    #expect(configuration.accessoryDiscoveryToken == visit.token)
    visit.forget()
    visit.session.run(configuration)
    visit.world.advance(by: .seconds(2))
    #expect(visit.history == ["running", "shareable 30", "accessory started"])
    #expect(visit.updates.count >= 6)
    #expect(visit.phone.chipSessionCount == 1)
    #expect(visit.device.chipSessionCount == 1)
    #expect(visit.shareable.count == 2 && visit.shareable[0] != visit.shareable[1])
  }

  @Test(
    "Pausing or invalidating the session also stops the accessory's side", arguments: ["pause", "invalidate"])
  func end(_ how: String) {
    let visit = AccessoryVisit()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    visit.forget()
    if how == "pause" { visit.session.pause() } else { visit.session.invalidate() }
    visit.world.advance(by: .seconds(2))
    #expect(visit.updates.isEmpty)
    #expect(visit.history == ["accessory stopped"])
    #expect(visit.phone.chipSessionCount == 0)
    #expect(visit.device.chipSessionCount == 0)
    #expect(visit.events.contains { if case .stopped(_, .inBand) = $0 { true } else { false } })
  }

  @Test("A broken link stops the accessory; the phone times out, and a new link ranges again")
  func brokenLink() {
    let visit = AccessoryVisit()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    visit.disconnect()
    visit.world.advance(by: .seconds(1))
    #expect(visit.device.chipSessionCount == 0)
    visit.forget()
    visit.world.advance(by: .seconds(11))
    #expect(visit.history == ["removed timeout"])
    visit.forget()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    #expect(visit.updates.count >= 6)
    #expect(visit.phone.chipSessionCount == 1)
  }

  @Test("An accessory out of range is removed by timeout, and ranges after it is run again")
  func outOfRange() {
    let visit = AccessoryVisit()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    visit.device.leaveRange()
    visit.forget()
    visit.world.advance(by: .seconds(12))
    #expect(visit.history.contains("removed timeout"))
    visit.device.place(at: [0, 2, 1.2])
    visit.forget()
    visit.say([0x0C])
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    #expect(abs((visit.updates.last?.distance ?? 0) - 2) < 0.4)
  }

  @Test("A denied permission and a phone without a chip end the session")
  func errors() {
    let refused = AccessoryVisit()
    refused.phone.setAnswer(.deny)
    let without = AccessoryVisit(phoneProfile: .withoutUltraWideband)
    for (visit, code) in [(refused, "userDidNotAllow"), (without, "unsupportedPlatform")] {
      visit.connect()
      visit.initialize()
      visit.world.advance(by: .seconds(2))
      #expect(visit.history == ["invalidated \(code)"])
    }
  }

  @Test("Camera assistance gives an accessory's horizontal angle")
  func cameraAssistance() {
    let visit = AccessoryVisit()
    visit.configure = { data in
      let configuration = try NINearbyAccessoryConfiguration(data: data)
      configuration.isCameraAssistanceEnabled = true
      return configuration
    }
    visit.connect()
    visit.initialize()
    for turn in 0..<6 {
      visit.phone.walk(to: [turn % 2 == 0 ? 1.5 : -1.5, 0, turn % 3 == 0 ? 1.6 : 1.0], speed: 0.8)
      visit.world.advance(by: .seconds(4))
    }
    #expect(visit.updates.contains { $0.horizontalAngle != nil })
  }

  @Test("An unknown Bluetooth identifier ends the session with accessoryPeerDeviceUnavailable")
  func notOnBluetooth() {
    let visit = AccessoryVisit()
    visit.configure = { try .init(accessoryData: $0, bluetoothPeerIdentifier: UUID()) }
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    #expect(visit.history == ["invalidated accessoryPeerDeviceUnavailable"])
  }

  @Test("In the background a session with an accessory without a Bluetooth identifier is suspended")
  func background() {
    let visit = AccessoryVisit()
    visit.connect()
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    visit.forget()
    visit.phone.suspend()
    visit.world.advance(by: .seconds(2))
    #expect(visit.history == ["suspended", "accessory stopped"])
    #expect(visit.updates.isEmpty)
    visit.phone.resume()
    visit.world.advance(by: .seconds(1))
    visit.initialize()
    visit.world.advance(by: .seconds(2))
    #expect(visit.history.contains("suspensionEnded"))
    #expect(visit.updates.count >= 6)
  }
}
