import Foundation
import NearbyInteraction
import NearbyPosition
import NearbyScenarios
import NearbyTesting
import Testing

/// What goes wrong among real anchors, and what an app makes of it.
@Suite("Faults of anchors")
struct AnchorFaultTests {
  private let truth: SIMD3<Double> = [6, 4, 1.2]

  /// Runs an app among the usual anchors, one of which has faults from the start.
  private func app(
    seed: UInt64 = 3, faulty: Int = 2, _ faults: AnchorFault..., for duration: Duration = .seconds(20)
  ) -> AnchorVisitor {
    let world = World(seed: seed)
    let anchors = world.addAnchors(network: 77, at: AnchorTests.corners)
    for fault in faults { anchors[faulty].cause(fault) }
    let phone = world.addPhone("Visitor", at: truth)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: duration)
    return app
  }

  /// How often an address is in the batches after the first ones.
  private func share(of address: Int, in app: AnchorVisitor) -> Double {
    let batches = app.batches.dropFirst(5)
    return Double(batches.count { $0.contains { $0.address == address } }) / Double(max(batches.count, 1))
  }

  @Test("A responder in its own time gives impossible differences; the app finds its place with the others")
  func localTime() throws {
    let app = app(.localTime)
    #expect(app.rejected.count { $0 == .impossible } > 50)
    #expect(try #require(app.error(from: truth)) < 0.7)
  }

  @Test("A responder that misses every poll is silent; with too few left there is no position")
  func missedPolls() {
    let one = app(.missedPolls(1))
    #expect(share(of: 3, in: one) == 0 && share(of: 2, in: one) > 0.9)
    let world = World(seed: 4)
    let anchors = world.addAnchors(network: 77, at: AnchorTests.corners)
    for anchor in anchors[2...] { anchor.cause(.missedPolls(1)) }
    let phone = world.addPhone("Visitor", at: truth)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(10))
    #expect(app.batches.count > 30 && app.estimate?.position == nil)
  }

  @Test("Late stamps of one responder shift its differences by metres, and the app sets it aside")
  func lateStamps() throws {
    let world = World(seed: 3)
    world.addAnchors(network: 77, at: AnchorTests.corners)[2].cause(.lateStamps(4))
    let phone = world.addPhone("Visitor", at: truth)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(5))
    let errors = app.errors(of: phone, over: 40, in: world)
    // Four anchors remain, in changing echoes: there is not always a place, but what is stated is right.
    #expect(errors.count > 15 && errors.allSatisfy { $0 < 1.2 }, "\(errors)")
  }

  @Test(
    "Wild and wrapped stamps are rejected or lose their weight",
    arguments: [
      AnchorFault.wildStamps(0.2), .wrappedStamps(0.3),
    ])
  func wildStamps(fault: AnchorFault) throws {
    let app = app(fault)
    #expect(app.rejected.contains(.impossible))
    #expect(try #require(app.error(from: truth)) < 0.7)
  }

  @Test("Stamps of 40 bits wrap every 17 s, which costs at most the rounds of the wrap")
  func shortStamps() throws {
    let app = app(.shortStamps, for: .seconds(40))
    let own = app.batches.joined().filter { $0.address == 3 }
    #expect(own.allSatisfy { $0.rawTransmitTime < 1 << 40 } && own.count > 100)
    #expect(try #require(app.error(from: truth)) < 0.7)
  }

  @Test("A wrong survey is what the anchor says, and moves the estimate by less than the survey's error")
  func wrongSurvey() throws {
    let app = app(.wrongSurvey([20.2, 15.2, 2.2]))
    let said = try #require(app.batches.last?.first { $0.address == 3 }?.coordinates)
    #expect(said == simd_double3(20.2, 15.2, 2.2))
    #expect(try #require(app.error(from: truth)) < 0.7)
  }

  @Test("Finals and whole rounds that are missing leave the rest intact")
  func missingFrames() throws {
    let finals = app(faulty: 0, .missingFinals(0.5))
    let share = Double(finals.batches.count { $0.contains { $0.measurementType == .final } })
    #expect((0.3...0.7).contains(share / Double(finals.batches.count)))
    #expect(try #require(finals.error(from: truth)) < 0.7)
    let rounds = app(faulty: 0, .missingRounds(0.5))
    #expect((25...75).contains(rounds.batches.count))
    #expect(try #require(rounds.error(from: truth)) < 0.7)
  }

  @Test("Without polls the responses still come, under the cluster that is known")
  func lostFrames() {
    let world = World(seed: 6)
    let anchors = world.addAnchors(network: 77, at: AnchorTests.corners)
    let phone = world.addPhone("Visitor", at: truth)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(5))
    anchors[0].cause(.lostFrames(0.6))
    world.advance(by: .seconds(10))
    let orphans = app.batches.filter { !$0.contains { $0.measurementType == .poll } && $0.count > 1 }
    #expect(orphans.count > 3)
    #expect(orphans.joined().allSatisfy { $0.clusterInitiatorAddress == 1 })
  }

  @Test("A bridge carries blocks and time to its own cluster, and is heard in both")
  func clusters() throws {
    let world = World(seed: 8)
    let roles: [(Int, SIMD3<Double>, [AnchorProfile.Role])] = [
      (1, [0, 0, 2.5], [.initiator(round: 0, responders: [2, 3, 4])]),
      (2, [12, 0, 3], [.responder(round: 0)]),
      (3, [0, 10, 2.2], [.responder(round: 0)]),
      (4, [12, 10, 2.8], [.responder(round: 0), .initiator(round: 1, responders: [5, 6, 7])]),
      (5, [24, 0, 3], [.responder(round: 1)]), (6, [24, 10, 2.4], [.responder(round: 1)]),
      (7, [18, 5, 3.2], [.responder(round: 1)]),
    ]
    let anchors = roles.map { address, place, roles in
      var profile = AnchorProfile(network: 77, address: address, roles: roles)
      profile.isTimeReference = address == 1
      return world.addAnchor("anchor \(address)", at: place, profile)
    }
    let phone = world.addPhone("Visitor", at: [13, 5, 1.2])
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(15))
    #expect(anchors.map(\.hopCount) == [0, 1, 1, 1, 2, 2, 2])
    let heard = Dictionary(grouping: app.batches.joined()) { $0.clusterInitiatorAddress }
      .mapValues { Set($0.map(\.address)) }
    #expect(heard == [1: [1, 2, 3, 4], 4: [4, 5, 6, 7]])
    // One time base: the second cluster's poll is one round, 20 ms, after the first one's.
    let polls = app.batches.suffix(10).joined().filter { $0.measurementType == .poll }
    for (first, second) in zip(polls, polls.dropFirst()) where first.address == 1 && second.address == 4 {
      #expect(abs(second.transmitTime - first.transmitTime - 0.02) < 1e-6)
    }
    #expect(try #require(app.error(from: phone.position)) < 0.6)
    // Without the bridge's polls the second cluster is silent, and the first one continues.
    anchors[3].cause(.missedPolls(1))
    world.advance(by: .seconds(2))
    let before = app.batches.count
    world.advance(by: .seconds(4))
    #expect((15...25).contains(app.batches.count - before))
    #expect(app.batches[before...].joined().allSatisfy { $0.clusterInitiatorAddress == 1 })
  }

  @Test("A scenario's anchors range, with the faults that its keys say")
  func scenario() throws {
    let text = """
      { duration: 20, devices: [{ name: "visitor", motion: { stand: [6, 4] } }],
        anchors: [
          { name: "a", network: 77, at: [0, 0], begins: 0, timeReference: true },
          { name: "b", network: 77, at: [20, 0, 3], answers: [0] },
          { name: "c", network: 77, at: [20, 15, 2.2], answers: [0], missedPolls: 1 },
          { name: "d", network: 77, at: [0, 15, 2.8], answers: [0], stampBits: 40, surveyed: [0.1, 15] },
          { name: "e", network: 77, at: [10, 7, 3.2], answers: [0] },
        ],
        events: [{ at: 10, do: "switchOff", anchor: "b" }] }
      """
    let scenario = try Scenario(parsing: Data(text.utf8), file: "anchors.json5")
    #expect(try Scenario(parsing: Data(scenario.text().utf8), file: "again") == scenario)
    let world = World(scenario)
    let phone = world.addPhones(of: scenario).phones[0]
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(10))
    #expect(Set(app.batches.joined().map(\.address)) == [1, 2, 4, 5])
    #expect(app.batches.last?.first { $0.address == 4 }?.coordinates == simd_double3(0.1, 15, 2.8))
    #expect(try #require(app.error(from: phone.position)) < 1)
    let before = app.batches.count
    world.advance(by: .seconds(5))
    #expect(Set(app.batches[before...].dropFirst().joined().map(\.address)) == [1, 4, 5])
  }

  @Test(
    "Mistakes in a scenario's anchors are reported with their place",
    arguments: [
      ("{ name: \"a\", network: 77, at: [0, 0] }", "begins"),
      ("{ name: \"a\", network: 77, at: [0, 0], begins: 10 }", "0 to 9"),
      ("{ name: \"a\", network: 77, at: [0, 0], begins: 0.5 }", "a whole number"),
      ("{ name: \"a\", network: -1, at: [0, 0], begins: 0 }", "a number from 0"),
      ("{ name: \"a\", network: 77, at: [0, 0], begins: 0, time: \"mine\" }", "local, network"),
      (
        "{ name: \"a\", network: 77, at: [0, 0], begins: 0 }, { name: \"b\", network: 77, address: 1, at: [1, 0], answers: [0] }",
        "address 1"
      ),
    ])
  func mistakes(anchors: String, part: String) {
    do {
      _ = try Scenario(parsing: Data("{ anchors: [\(anchors)] }".utf8), file: "anchors.json5")
      Issue.record("parsed")
    } catch {
      #expect("\(error)".contains(part) && "\(error)".contains("anchors["), "\(error)")
    }
  }
}
