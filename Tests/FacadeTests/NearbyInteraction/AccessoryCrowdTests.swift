import Foundation
import NearbyAccessory
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Many accessories and many phones")
struct AccessoryCrowdTests {
  /// A phone with accessories around it, 2 to 4 m away.
  private func circle(_ count: Int, seed: UInt64, profile: AccessoryProfile) -> [AccessoryVisit] {
    let world = World(seed: seed)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    return (0..<count).map { number in
      let angle = Double(number) * 0.7
      let radius = 2 + Double(number % 3)
      let device = world.addAccessory(
        "Lamp \(number)", at: [radius * sin(angle), radius * cos(angle), 1.2])
      return AccessoryVisit(world: world, phone: phone, device: device, profile: profile)
    }
  }

  @Test(
    "A phone ranges with 8 accessories 5 times a second each, without a missed round",
    arguments: [AccessoryProfile.Version.v1_1, .v2_0])
  func eightAccessories(_ version: AccessoryProfile.Version) {
    var profile = AccessoryProfile()
    profile.version = version
    let visits = circle(8, seed: 3, profile: profile)
    let world = visits[0].world
    for visit in visits {
      visit.connect()
      visit.initialize()
      world.advance(by: .milliseconds(70))
    }
    world.advance(by: .seconds(2))
    for visit in visits { visit.forget() }
    world.advance(by: .seconds(30))
    for (number, visit) in visits.enumerated() {
      let gaps = zip(visit.updateTimes, visit.updateTimes.dropFirst()).map { $1 - $0 }
      #expect((gaps.max() ?? .seconds(1)) < .milliseconds(250), "accessory \(number) missed a round")
      #expect(visit.updates.count >= 149, "accessory \(number): \(visit.updates.count) updates in 30 s")
      #expect(visit.history.isEmpty, "accessory \(number): \(visit.history)")
      #expect(visit.updates.allSatisfy { $0.distance != nil })
    }
    #expect(visits[0].phone.chipSessionCount == 8)
  }

  @Test("Frequent and infrequent accessories share a phone's schedule without a missed round")
  func mixedRates() {
    let world = World(seed: 4)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let visits = (0..<4).map { number in
      var profile = AccessoryProfile()
      profile.updateRate = number % 2 == 0 ? .infrequent : .userInteractive
      let device = world.addAccessory("Lamp \(number)", at: [Double(number), 2, 1.2])
      return AccessoryVisit(world: world, phone: phone, device: device, profile: profile)
    }
    for visit in visits {
      visit.connect()
      visit.initialize()
    }
    world.advance(by: .seconds(3))
    for visit in visits { visit.forget() }
    world.advance(by: .seconds(20))
    for (number, visit) in visits.enumerated() {
      let gaps = zip(visit.updateTimes, visit.updateTimes.dropFirst()).map { $1 - $0 }
      let longest = number % 2 == 0 ? Duration.milliseconds(1000) : .milliseconds(250)
      // An estimate that becomes stale between two rounds also causes an update.
      #expect((gaps.max() ?? .seconds(9)) < longest, "accessory \(number) missed a round")
      #expect(visit.updates.count >= (number % 2 == 0 ? 24 : 99))
    }
  }

  @Test("An accessory over the phone's limit ends its session, and the others continue")
  func sessionLimit() {
    let visits = circle(9, seed: 5, profile: AccessoryProfile())
    let world = visits[0].world
    for visit in visits {
      visit.connect()
      visit.initialize()
    }
    world.advance(by: .seconds(3))
    let ended = visits.filter { $0.history.contains("invalidated activeSessionsLimitExceeded") }
    #expect(ended.count == 1)
    #expect(visits.filter { $0.updates.count >= 8 }.count == 8)
  }

  struct Crowd: CustomTestStringConvertible {
    var count: Int
    var role: AccessoryProfile.Role
    var version: AccessoryProfile.Version
    var testDescription: String { "\(count) phones, \(role), \(version)" }

    static let all = [2, 4, 8].flatMap { count in
      AccessoryProfile.Role.allCases.flatMap { role in
        [AccessoryProfile.Version.v1_1, .v2_0].map { Crowd(count: count, role: role, version: $0) }
      }
    }
  }

  @Test(
    "Phones that start simultaneously at one accessory all range in 90 % of the rounds", arguments: Crowd.all)
  func crowd(_ crowd: Crowd) {
    for seed in UInt64(1)...5 {
      let world = World(seed: seed)
      let device = world.addAccessory("Door", at: [0, 4, 1.2])
      var profile = AccessoryProfile()
      profile.role = crowd.role
      profile.version = crowd.version
      let visits = visits(crowd.count, at: device, of: world, profile)
      for visit in visits {
        visit.connect()
        visit.initialize()
      }
      world.advance(by: .seconds(1))
      for visit in visits {
        #expect(visit.history.map { $0.prefix(9) } == ["running", "shareable", "accessory"], "seed \(seed)")
        visit.forget()
      }
      // 100 rounds of each accessory.
      world.advance(by: .seconds(12))
      let readings = visits[0].events.compactMap { event in
        if case .measured(let reading) = event { reading.phone } else { nil }
      }
      for (number, visit) in visits.enumerated() {
        let ranged = visit.updates.count { $0.distance != nil }
        #expect(ranged >= 90, "seed \(seed), phone \(number): \(ranged) of 100 rounds")
        #expect(visit.history.isEmpty, "seed \(seed), phone \(number): \(visit.history)")
      }
      for phone in Set(readings) {
        let measured = readings.count { $0 == phone }
        #expect(measured >= 90, "seed \(seed), \(phone) at the accessory: \(measured) of 100 rounds")
      }
      #expect(Set(readings).count == crowd.count)
    }
  }

  private func visits(
    _ count: Int, at device: Phone, of world: World, _ profile: AccessoryProfile
  ) -> [AccessoryVisit] {
    var result: [AccessoryVisit] = []
    for number in 0..<count {
      let phone = world.addPhone("Phone \(number)", at: [Double(number) * 0.8 - 3, Double(number % 3), 1.2])
      result.append(
        result.first.map { AccessoryVisit(world: world, phone: phone, sharing: $0) }
          ?? AccessoryVisit(world: world, phone: phone, device: device, profile: profile))
    }
    return result
  }

  @Test("An accessory ranges with several phones, and one that leaves does not affect the others")
  func severalPhones() {
    let world = World(seed: 6)
    let device = world.addAccessory("Door", at: [0, 2, 1.2])
    var profile = AccessoryProfile()
    profile.channel = .program
    let host = AccessoryVisit(
      world: world, phone: world.addPhone("Phone 0", at: [0, 0, 1.2]), device: device, profile: profile)
    let visits =
      [host]
      + (1..<4).map { number in
        AccessoryVisit(
          world: world, phone: world.addPhone("Phone \(number)", at: [Double(number), 0, 1.2]), sharing: host)
      }
    for visit in visits {
      visit.connect()
      visit.initialize()
    }
    world.advance(by: .seconds(3))
    #expect(device.chipSessionCount == 4)
    for visit in visits { #expect(visit.updates.count >= 8, "\(visit.history)") }
    visits[2].disconnect()
    world.advance(by: .seconds(1))
    #expect(device.chipSessionCount == 3)
    for visit in visits { visit.forget() }
    world.advance(by: .seconds(3))
    for number in [0, 1, 3] { #expect(visits[number].updates.count >= 12) }
    let measured = Set(
      host.events.compactMap { event in
        if case .measured(let reading) = event { reading.phone } else { nil }
      })
    #expect(measured.count == 3)
  }
}
