import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Permission")
struct PermissionTests {
  @Test("The run waits for the user's answer, asks once, and the answer holds for later sessions")
  func openQuestion() {
    let meeting = Meeting()
    meeting.ann.setAnswer(nil)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(5))
    #expect(meeting.atAnn.history.isEmpty)
    meeting.ann.answer(.allow)
    meeting.world.advance(by: .seconds(2))
    #expect(meeting.atAnn.history == ["running"])
    #expect(!meeting.atAnn.updates.isEmpty)
    let second = meeting.ann.launch { Recorder() }
    second.run(meeting.atBen)
    meeting.world.advance(by: .seconds(1))
    #expect(second.history == ["running"])
  }

  @Test("A refusal ends the session, and every later one, with userDidNotAllow")
  func refusal() {
    let meeting = Meeting()
    meeting.ann.setAnswer(.deny)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["invalidated userDidNotAllow"])
    meeting.ann.relaunch()
    let second = meeting.ann.launch { Recorder() }
    second.run(meeting.atBen)
    meeting.world.advance(by: .seconds(1))
    #expect(second.history == ["invalidated userDidNotAllow"])
  }

  @Test("Allow once holds until the app's next launch; allow holds beyond it", arguments: [true, false])
  func allowOnce(isForGood: Bool) {
    let meeting = Meeting()
    meeting.ann.setAnswer(isForGood ? .allow : .allowOnce)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["running"])
    meeting.ann.relaunch()
    meeting.ann.setAnswer(.deny)
    let second = meeting.ann.launch { Recorder() }
    second.run(meeting.atBen)
    meeting.world.advance(by: .seconds(1))
    #expect(second.history == [isForGood ? "running" : "invalidated userDidNotAllow"])
  }

  @Test("Running with the session's own token distinguishes refusal from permission")
  func probe() {
    for (answer, expected) in [
      (PermissionAnswer.allow, "invalidated invalidConfiguration"),
      (.deny, "invalidated userDidNotAllow"),
    ] {
      let meeting = Meeting()
      meeting.ann.setAnswer(answer)
      meeting.atAnn.run(meeting.atAnn)
      meeting.world.advance(by: .seconds(1))
      #expect(meeting.atAnn.history == [expected])
    }
  }

  @Test("Without a usage description the user is not asked and the session is refused")
  func noUsageDescription() {
    let meeting = Meeting()
    meeting.ann.setUsageDescription(nil)
    meeting.runBoth()
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["invalidated userDidNotAllow"])
  }

  @Test("Revoking the permission in Settings ends running sessions")
  func takenAway() {
    let meeting = Meeting()
    meeting.runBoth()
    meeting.world.advance(by: .seconds(1))
    meeting.ann.changePermission(to: .deny)
    meeting.world.advance(by: .seconds(1))
    #expect(meeting.atAnn.history == ["running", "invalidated userDidNotAllow"])
  }
}
