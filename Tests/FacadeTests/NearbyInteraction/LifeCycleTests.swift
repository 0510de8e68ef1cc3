import Foundation
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Session life cycle")
struct LifeCycleTests {
  @Test("Updates begin when both sessions run with each other's token")
  func mutualRun() {
    let meeting = Meeting()
    meeting.atAnn.run(meeting.atBen)
    meeting.world.advance(by: .seconds(5))
    #expect(meeting.atAnn.history == ["running"])
    #expect(meeting.atAnn.updates.isEmpty)
    meeting.atBen.run(meeting.atAnn)
    meeting.world.advance(by: .seconds(2))
    #expect(meeting.atBen.history == ["running"])
    #expect(meeting.atAnn.updates.count >= 8)
    #expect(meeting.atBen.updates.count >= 8)
    #expect(meeting.atAnn.updates.allSatisfy { $0.discoveryToken == meeting.atBen.token })
    #expect(abs((meeting.atAnn.lastDistance ?? 0) - 3) < 0.4)
    #expect(abs((meeting.atBen.lastDistance ?? 0) - 3) < 0.4)
  }

  @Test("There are more than four distinct distances per second")
  func updateRate() {
    let meeting = Meeting()
    meeting.ben.walk(to: [0, 8, 1.2], speed: 0.3)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(3))
    meeting.atAnn.forget()
    meeting.world.advance(by: .seconds(2))
    let distinct = Set(meeting.atAnn.updates.compactMap(\.distance))
    #expect(distinct.count > 8)
  }

  @Test("A peer straight behind the phone's back is at (0, 0, −1), one to the right has a positive x")
  func directionFrame() throws {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(3))
    let ahead = try #require(meeting.atAnn.updates.last?.direction)
    #expect(ahead.z < -0.97)
    meeting.ann.turn(heading: -30)
    meeting.world.advance(by: .seconds(3))
    let right = try #require(meeting.atAnn.updates.last?.direction)
    #expect(abs(right.x - 0.5) < 0.15)
    meeting.ann.turn(heading: 180)
    meeting.world.advance(by: .seconds(3))
    #expect(meeting.atAnn.updates.last?.distance != nil)
    #expect(meeting.atAnn.updates.last?.direction == nil)
  }

  @Test("After a pause there are no updates, the peer is removed by timeout, and run resumes")
  func pause() {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    meeting.atAnn.session.pause()
    meeting.world.advance(by: .milliseconds(300))
    meeting.atAnn.forget()
    meeting.world.advance(by: .seconds(15))
    #expect(meeting.atAnn.updates.isEmpty)
    #expect(meeting.atBen.history == ["running", "removed timeout"])
    let token = meeting.atAnn.token
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    #expect(meeting.atAnn.token == token)
    #expect(meeting.atAnn.history == ["running"])
    #expect(!meeting.atAnn.updates.isEmpty)
  }

  @Test("Invalidating notifies the peer, and the session itself gets no more callbacks")
  func invalidate() {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    meeting.atAnn.forget()
    meeting.atAnn.session.invalidate()
    #expect(meeting.atAnn.token == nil)
    meeting.world.advance(by: .seconds(3))
    #expect(meeting.atAnn.history.isEmpty)
    #expect(meeting.atAnn.updates.isEmpty)
    #expect(meeting.atBen.history == ["running", "removed peerEnded"])
    meeting.atAnn.run(meeting.atBen)
    meeting.world.advance(by: .seconds(3))
    #expect(meeting.atAnn.history.isEmpty)
    #expect(meeting.atAnn.updates.isEmpty)
  }

  @Test("A session that its app releases ends as if invalidated")
  func release() {
    let world = World(seed: 5)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 2, 1.2], heading: 180)
    let atBen = ben.launch { Recorder() }
    var session: NISession? = ann.launch { NISession() }
    if let token = session?.discoveryToken {
      atBen.session.run(NINearbyPeerConfiguration(peerToken: token))
    }
    if let token = atBen.token { session?.run(NINearbyPeerConfiguration(peerToken: token)) }
    world.advance(by: .seconds(2))
    #expect(!atBen.updates.isEmpty)
    session = nil
    world.advance(by: .seconds(2))
    #expect(atBen.history == ["running", "removed peerEnded"])
  }

  @Test("A peer out of range loses its distance within 4 s and is removed by timeout, once")
  func outOfRange() {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(3))
    meeting.ben.leaveRange()
    meeting.world.advance(by: .seconds(4))
    #expect(meeting.atAnn.updates.last?.distance == nil)
    meeting.world.advance(by: .seconds(20))
    #expect(meeting.atAnn.history == ["running", "removed timeout"])
    #expect(meeting.atBen.history == ["running", "removed timeout"])
    meeting.ben.place(at: [0, 2, 1.2])
    if let configuration = meeting.atAnn.session.configuration { meeting.atAnn.session.run(configuration) }
    if let configuration = meeting.atBen.session.configuration { meeting.atBen.session.run(configuration) }
    meeting.world.advance(by: .seconds(3))
    #expect(abs((meeting.atAnn.lastDistance ?? 0) - 2) < 0.4)
  }

  @Test("Leaving the foreground suspends; returning resumes nothing until run")
  func suspension() {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    meeting.ann.suspend()
    meeting.world.advance(by: .seconds(1))
    meeting.atAnn.run(meeting.atBen)
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["running", "suspended", "suspended"])
    meeting.ann.resume()
    meeting.world.advance(by: .seconds(1))
    meeting.atAnn.forget()
    meeting.world.advance(by: .seconds(3))
    #expect(meeting.atAnn.updates.isEmpty)
    #expect(meeting.atAnn.history.isEmpty)
    #expect(meeting.atAnn.session.configuration != nil)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    #expect(meeting.atAnn.history == ["running"])
    #expect(!meeting.atAnn.updates.isEmpty)
  }

  @Test("Too long in the background ends the session, and removes it at the peer by timeout")
  func backgroundLimit() {
    var profile = PhoneProfile()
    profile.backgroundLimit = .seconds(30)
    let meeting = Meeting(profile: profile)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    meeting.ann.suspend()
    meeting.world.advance(by: .seconds(40))
    #expect(meeting.atAnn.history == ["running", "suspended", "invalidated resourceUsageTimeout"])
    #expect(meeting.atBen.history == ["running", "removed timeout"])
  }

  @Test("Running with the session's own token is an invalid configuration")
  func ownToken() {
    let meeting = Meeting()
    meeting.atAnn.run(meeting.atAnn)
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["invalidated invalidConfiguration"])
    #expect(meeting.atAnn.token == nil)
  }

  @Test("A session over the limit is refused, and the others continue")
  func sessionLimit() {
    var profile = PhoneProfile()
    profile.sessionLimit = 2
    let meeting = Meeting(profile: profile)
    let more = meeting.ann.launch { [Recorder(), Recorder()] }
    let peers = meeting.ben.launch { [Recorder(), Recorder()] }
    meeting.atAnn.run(meeting.atBen)
    more[0].run(peers[0])
    more[1].run(peers[1])
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["running"])
    #expect(more[0].history == ["running"])
    #expect(more[1].history == ["invalidated activeSessionsLimitExceeded"])
  }

  @Test("A device without the chip reports that and refuses to run")
  func unsupported() {
    let world = World()
    let phone = world.addPhone("Old", profile: .withoutUltraWideband)
    let recorder = phone.launch { Recorder() }
    let other = phone.launch { Recorder() }
    #expect(phone.launch { NISession.deviceCapabilities.supportsPreciseDistanceMeasurement } == false)
    recorder.run(other)
    world.advance(by: .seconds(1))
    #expect(recorder.history == ["invalidated unsupportedPlatform"])
  }

  @Test("A watch measures distance but no direction")
  func watch() {
    let meeting = Meeting(profile: .watch)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(3))
    #expect(meeting.ann.launch { NISession.deviceCapabilities.supportsDirectionMeasurement } == false)
    #expect(meeting.atAnn.updates.contains { $0.distance != nil })
    #expect(meeting.atAnn.updates.allSatisfy { $0.direction == nil })
  }

  @Test("Extended distance needs support on both devices, and is limited to one session")
  func extendedDistance() {
    var able = PhoneProfile()
    able.supportsExtendedDistance = true
    let world = World()
    let new = world.addPhone("New", at: [0, 0, 1], profile: able)
    let old = world.addPhone("Old", at: [0, 2, 1])
    let atNew = new.launch { [Recorder(), Recorder(), Recorder()] }
    let peers = new.launch { [Recorder(), Recorder()] }
    let atOld = old.launch { Recorder() }
    func run(_ recorder: Recorder, _ token: NIDiscoveryToken?) {
      guard let token else { return }
      let configuration = NINearbyPeerConfiguration(peerToken: token)
      configuration.isExtendedDistanceMeasurementEnabled = true
      recorder.session.run(configuration)
    }
    run(atNew[0], atOld.token)
    run(atNew[1], peers[0].token)
    run(atNew[2], peers[1].token)
    run(atOld, peers[0].token)
    world.advance(by: .seconds(1))
    #expect(atNew[0].history == ["invalidated incompatiblePeerDevice"])
    #expect(atNew[1].history == ["running"])
    #expect(atNew[2].history == ["invalidated activeExtendedDistanceSessionsLimitExceeded"])
    #expect(atOld.history == ["invalidated unsupportedPlatform"])
  }

  @Test("The same seed gives the same run, and another seed a different one")
  func determinism() {
    func run(seed: UInt64) -> [String] {
      let meeting = Meeting(seed: seed)
      meeting.runBoth()
      meeting.world.advance(by: .seconds(5))
      return meeting.atAnn.updates.map { "\($0.distance ?? -1) \($0.direction ?? .zero)" }
    }
    #expect(run(seed: 3) == run(seed: 3))
    #expect(run(seed: 3) != run(seed: 4))
  }
}
