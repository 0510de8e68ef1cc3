import Foundation
import NearbyInteraction
import NearbyTesting
import Testing

/// Implements nothing, because every delegate method is optional.
private final class Bystander: NSObject, NISessionDelegate {}

@Suite("Delivery")
struct DeliveryTests {
  @Test("A delegate need not implement any method")
  func optionalMethods() {
    let meeting = Meeting()
    let bystander = Bystander()
    meeting.atAnn.session.delegate = bystander
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    #expect(meeting.atAnn.updates.isEmpty)
    #expect(!meeting.atBen.updates.isEmpty)
  }

  @Test("The delegate is not retained")
  func weakDelegate() {
    let session = World().addPhone("Ann").launch { NISession() }
    do {
      let bystander = Bystander()
      session.delegate = bystander
      #expect(session.delegate === bystander)
    }
    #expect(session.delegate == nil)
  }

  @Test("Callbacks come on the delegate's queue, in order, and time waits for them")
  func delegateQueue() {
    let meeting = Meeting()
    let queue = DispatchQueue(label: "app")
    meeting.atAnn.session.delegateQueue = queue
    meeting.atAnn.onEvent = { _ in dispatchPrecondition(condition: .onQueue(queue)) }
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    #expect(meeting.atAnn.history == ["running"])
    #expect(!meeting.atAnn.updates.isEmpty)
  }

  @Test("Without a queue, calls come on the main queue", .timeLimit(.minutes(10)))
  func mainQueue() async {
    let meeting = Meeting()
    meeting.atAnn.onEvent = { _ in dispatchPrecondition(condition: .onQueue(.main)) }
    meeting.runBoth()
    await meeting.world.advance(by: .seconds(2))
    #expect(!meeting.atAnn.updates.isEmpty)
  }

  @MainActor
  @Test("A test on the main actor can wait for time", .timeLimit(.minutes(10)))
  func mainActor() async {
    let meeting = Meeting()
    meeting.runBoth()
    await meeting.world.advance(by: .seconds(2))
    #expect(!meeting.atAnn.updates.isEmpty)
  }

  @MainActor
  @Test("A test on the main actor can advance time without waiting, too")
  func mainActorSynchronously() {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(2))
    #expect(!meeting.atAnn.updates.isEmpty)
  }

  @Test("Work that an app sends to the main queue runs before time advances, as code of its phone")
  func mainQueueHops() {
    let meeting = Meeting()
    let seen = Box()
    meeting.atAnn.onEvent = { [world = meeting.world] _ in
      let time = world.now
      DispatchQueue.main.async {
        seen.times.append((time, world.now))
        seen.sessions.append(NISession())
      }
    }
    meeting.runBoth()
    meeting.world.advance(by: .seconds(1))
    #expect(!seen.times.isEmpty)
    #expect(seen.times.allSatisfy { $0.0 == $0.1 })
    // Only a session of the right device can reach Ben.
    guard let late = seen.sessions.first, let token = late.discoveryToken else { return }
    let fresh = meeting.ben.launch { Recorder() }
    fresh.session.run(NINearbyPeerConfiguration(peerToken: token))
    if let token = fresh.token { late.run(NINearbyPeerConfiguration(peerToken: token)) }
    meeting.world.advance(by: .seconds(2))
    #expect(!fresh.updates.isEmpty)
  }

  private final class Box: @unchecked Sendable {
    // Used on the one thread that advances the world's time, and on the main queue while that thread waits.
    var times: [(Duration, Duration)] = []
    var sessions: [NISession] = []
  }

  @Test("Nothing is delivered inside the call that causes it, and endless restarts do not stop time")
  func notNested() {
    let meeting = Meeting()
    var depth = 0
    var nested = false
    meeting.atAnn.onEvent = { [unowned atAnn = meeting.atAnn, unowned atBen = meeting.atBen] event in
      if depth > 0 { nested = true }
      depth += 1
      if event == "running" {
        atAnn.session.pause()
        atAnn.run(atBen)
      }
      depth -= 1
    }
    meeting.atAnn.run(meeting.atBen)
    #expect(meeting.atAnn.history.isEmpty)
    meeting.world.advance(by: .milliseconds(500))
    #expect(!nested)
    #expect(meeting.atAnn.history.count > 10)
  }

  @Test("An app may invalidate inside a callback, and gets no callbacks after it")
  func invalidateInside() {
    let meeting = Meeting()
    var after = 0
    var isOver = false
    meeting.atAnn.onEvent = { [unowned atAnn = meeting.atAnn] event in
      if isOver { after += 1 }
      if event == "updated" {
        atAnn.session.invalidate()
        isOver = true
      }
    }
    meeting.runBoth()
    meeting.world.advance(by: .seconds(5))
    #expect(isOver)
    #expect(after == 0)
    #expect(meeting.atBen.history.last == "removed peerEnded")
  }

  @Test("The sequence carries the delegate's events and ends with the session", .timeLimit(.minutes(10)))
  func sequence() async {
    let meeting = Meeting()
    let events = meeting.atAnn.session.events
    let newest = meeting.atAnn.session.nearbyObjects
    meeting.runBoth()
    await meeting.world.advance(by: .seconds(2))
    let heard = meeting.atAnn.updates
    meeting.atAnn.session.invalidate()
    var kinds: [String] = []
    var objects: [NINearbyObject] = []
    for await event in events {
      switch event {
      case .updated(let updated): objects += updated
      case .startedRunning: kinds.append("running")
      case .anchorsMeasured, .removed, .suspended, .suspensionEnded, .convergenceUpdated,
        .shareableConfigurationGenerated,
        .invalidated:
        kinds.append("other")
      }
    }
    #expect(kinds == ["running"])
    #expect(objects == heard)
    var last: [[NINearbyObject]] = []
    for await objects in newest { last.append(objects) }
    #expect(last == [heard.suffix(1).map { $0 }])
    var late = 0
    for await _ in meeting.atAnn.session.events { late += 1 }
    #expect(late == 0)
  }
}
