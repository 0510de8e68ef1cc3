import NearbyInteraction
import NearbyTesting
import Testing

/// Phones that find their place among anchors.
@Suite("An app among anchors")
struct AnchorTests {
  static let corners: [SIMD3<Double>] = [
    [0, 0, 2.5], [20, 0, 3], [20, 15, 2.2], [0, 15, 2.8], [10, 7, 3.2],
  ]

  private func place(
    _ world: World, at position: SIMD3<Double> = [6, 4, 1.2]
  ) -> (anchors: [AnchorHandle], phone: Phone) {
    let anchors = world.addAnchors(network: 77, at: Self.corners)
    return (anchors, world.addPhone("Visitor", at: position))
  }

  @Test("Nine of ten times an app finds its place within half a metre on the floor")
  func position() throws {
    // Echoes keep for a while where a phone stands: one world is one draw of them, and several make a share.
    let seeds = 1...12 as ClosedRange<UInt64>
    var errors: [Double] = []
    for seed in seeds {
      let world = World(seed: seed)
      let (_, phone) = place(world)
      let app = phone.launch { AnchorVisitor(network: 77) }
      world.advance(by: .seconds(5))
      #expect(app.hasStarted)
      errors += app.errors(of: phone, over: 10, in: world)
    }
    #expect(errors.count >= seeds.count * 9)
    #expect(errors.sorted()[errors.count * 9 / 10] < 0.5, "\(errors)")
    #expect(errors.allSatisfy { $0 < 1 }, "\(errors)")
  }

  @Test("A walking app stays within a metre of its place")
  func walk() throws {
    let world = World(seed: 4)
    let (_, phone) = place(world, at: [3, 3, 1.2])
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(5))
    phone.walk(through: [[16, 3, 1.2], [16, 12, 1.2]], speed: 1)
    var errors: [Double] = []
    for _ in 0..<20 {
      world.advance(by: .seconds(1))
      if let error = app.error(from: phone.position) { errors.append(error) }
    }
    // After an outlier the solver may withhold its estimate for a moment.
    #expect(errors.count >= 18)
    #expect(errors.allSatisfy { $0 < 1 }, "\(errors)")
  }

  @Test("The delegate is called once a round, with the poll, each response and the final in order")
  func batches() throws {
    let world = World(seed: 5)
    let (_, phone) = place(world)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(4))
    let before = app.batches.count
    world.advance(by: .seconds(10))
    // 200 ms a block; a frame may be lost, but hardly a whole round.
    #expect((49...51).contains(app.batches.count - before))
    let whole = try #require(app.batches.last { $0.count == 6 })
    #expect(whole.map(\.measurementType) == [.poll, .response, .response, .response, .response, .final])
    #expect(whole.map(\.address) == [1, 2, 3, 4, 5, 1])
    #expect(whole.allSatisfy { $0.clusterInitiatorAddress == 1 && $0.coordinatesType == .relative })
    #expect(whole[1].coordinates == simd_double3(20, 0, 3))
    #expect(whole[1].responderClockFrequencyOffset != nil && whole[0].responderClockFrequencyOffset == nil)
    for measurement in whole {
      #expect(measurement.rawReceiveTime == UInt64((measurement.receiveTime * 63_897_600_000).rounded()))
      #expect((-96 ... -40).contains(measurement.signalStrength))
      #expect(abs(measurement.carrierFrequencyOffset) < 40e-6)
    }
    // The slots are 2 ms apart on every clock.
    #expect(abs(whole[1].transmitTime - whole[0].transmitTime - 0.002) < 1e-6)
  }

  @Test("Without anchors in reach the app hears nothing, and then hears anchors that appear")
  func silence() {
    let world = World(seed: 6)
    let phone = world.addPhone("Visitor", at: [6, 4, 1.2])
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(10))
    #expect(!app.hasStarted && app.batches.isEmpty && app.invalidation == nil)
    world.addAnchors(network: 78, at: Self.corners, firstAddress: 11)
    world.advance(by: .seconds(5))
    #expect(!app.hasStarted && app.batches.isEmpty)
    world.addAnchors(network: 77, at: Self.corners.map { $0 + [0.3, 0, 0] })
    world.advance(by: .seconds(5))
    #expect(app.hasStarted && app.batches.count > 10)
  }

  @Test("Without the user's permission for location the session ends")
  func permission() {
    let world = World(seed: 7)
    let (_, phone) = place(world)
    phone.setLocationAnswer(.deny)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(3))
    #expect((app.invalidation as? NIError)?.code == .userDidNotAllow)
    #expect(app.batches.isEmpty)
  }

  @Test("A session waits for the user's answer, and ends when the permission is taken away")
  func revocation() {
    let world = World(seed: 8)
    let (_, phone) = place(world)
    phone.setLocationAnswer(nil)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(3))
    #expect(app.invalidation == nil && app.batches.isEmpty)
    phone.answerLocation(.allow)
    world.advance(by: .seconds(3))
    #expect(app.batches.count > 5)
    phone.changeLocationAccess(to: .never)
    world.advance(by: .seconds(1))
    #expect((app.invalidation as? NIError)?.code == .userDidNotAllow)
    #expect(phone.chipSessionCount == 0)
  }

  @Test("A paused session is silent and continues with the next run; in the background it is suspended")
  func lifeCycle() {
    let world = World(seed: 9)
    let (_, phone) = place(world)
    let app = phone.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(4))
    phone.run { app.session.pause() }
    world.advance(by: .seconds(1))
    let paused = app.batches.count
    #expect(paused > 5)
    world.advance(by: .seconds(3))
    #expect(app.batches.count == paused && phone.chipSessionCount == 0)
    phone.run { app.session.run(NIDLTDOAConfiguration(networkIdentifier: 77)) }
    world.advance(by: .seconds(3))
    #expect(app.batches.count > paused + 10)
    phone.suspend()
    world.advance(by: .seconds(1))
    let suspended = app.batches.count
    world.advance(by: .seconds(3))
    #expect(app.batches.count == suspended && phone.chipSessionCount == 0)
    phone.resume()
    phone.run { app.session.run(NIDLTDOAConfiguration(networkIdentifier: 77)) }
    world.advance(by: .seconds(3))
    #expect(app.batches.count > suspended + 10)
    phone.run { app.session.invalidate() }
    world.advance(by: .seconds(1))
    #expect(phone.chipSessionCount == 0)
  }

  @Test("Devices that cannot listen say so and end the session")
  func incapable() {
    let world = World(seed: 10)
    world.addAnchors(network: 77, at: Self.corners)
    let phone = world.addPhone("Visitor", at: [6, 4, 1.2])
    let watch = world.addPhone("Watch", at: [6, 5, 1.2], profile: .watch)
    #expect(phone.run { NISession.deviceCapabilities.supportsDLTDOAMeasurement })
    #expect(!watch.run { NISession.deviceCapabilities.supportsDLTDOAMeasurement })
    let app = watch.launch { AnchorVisitor(network: 77) }
    world.advance(by: .seconds(1))
    #expect((app.invalidation as? NIError)?.code == .unsupportedPlatform)
  }
}
