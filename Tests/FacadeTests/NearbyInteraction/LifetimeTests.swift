import Foundation
import NearbyInteraction
import NearbySimulated
import Testing

@testable import NearbyTesting

@Suite("Lifetimes")
struct LifetimeTests {
  @Test("A released world is deallocated with everything in it")
  func world() {
    weak var pump: WorldPump?
    weak var session: NISession?
    weak var phone: Phone?
    do {
      let meeting = Meeting()
      meeting.runBoth()
      meeting.world.advance(by: .seconds(2))
      #expect(!meeting.atAnn.updates.isEmpty)
      (pump, session, phone) = (meeting.world.pump, meeting.atAnn.session, meeting.ann)
      #expect(pump != nil)
      #expect(session != nil)
      #expect(phone != nil)
    }
    #expect(pump == nil)
    #expect(session == nil)
    #expect(phone == nil)
  }

  @Test("A session ranges even if its phone is not retained")
  func sessionAlone() {
    let world: World
    let atAnn: Recorder
    let atBen: Recorder
    do {
      let meeting = Meeting()
      (world, atAnn, atBen) = (meeting.world, meeting.atAnn, meeting.atBen)
    }
    atAnn.run(atBen)
    atBen.run(atAnn)
    world.advance(by: .seconds(2))
    #expect(!atAnn.updates.isEmpty)
    #expect(!atBen.updates.isEmpty)
  }
}
