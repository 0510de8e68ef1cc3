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

  @Test("From initialise to distances on both sides, in each version and role", arguments: Kind.all)
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
}
