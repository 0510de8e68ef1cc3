import AccessoryApp
import Foundation
import NearbyAccessory
import NearbyInteraction
import NearbyTesting
import SmartSpeaker
import TestSupport
import Testing

/// The examples over Bluetooth, in a simulated world. Used on the one thread that advances the world's time.
@Suite("Accessory examples")
struct AccessoryScenarioTests {
  @Test("The app finds the accessory and ranges with it; the door opens when the phone comes close")
  func door() {
    let entrance = Entrance(seed: 1)
    entrance.world.advance(by: .seconds(4))
    #expect(abs((entrance.app.distance ?? 0) - 4) < 0.4, "\(entrance.app.log)")
    #expect(entrance.app.log == ["connected to Door", "accessory started ranging"])
    #expect(!entrance.opener.isOpen)
    entrance.phone.walk(to: [0, 3, 1.2])
    entrance.world.advance(by: .seconds(4))
    #expect(entrance.opener.isOpen)
    #expect(abs((entrance.app.distance ?? 0) - 1) < 0.4)
    entrance.phone.walk(to: [0, 0, 1.2])
    entrance.world.advance(by: .seconds(4))
    #expect(!entrance.opener.isOpen)
  }

  @Test("The first distance arrives within 0.5 s of connecting", arguments: 1...20 as ClosedRange<UInt64>)
  func firstDistance(_ seed: UInt64) throws {
    let entrance = Entrance(seed: seed)
    entrance.world.advance(by: .seconds(4))
    let connected = try #require(entrance.connected)
    let first = try #require(entrance.firstDistance)
    #expect(first - connected < .milliseconds(500), "seed \(seed)")
  }

  @Test(
    "Ranging resumes within 3 s after a dropped link returns, and no chip session is left over",
    arguments: 1...40 as ClosedRange<UInt64>)
  func droppedLinks(_ seed: UInt64) {
    var course = DroppedLinks(seed: seed, random: SeededGenerator(seed: seed))
    course.run()
    #expect(course.faults.isEmpty, "seed \(seed): \(course.faults)")
  }

  @Test("Music starts when the owner walks in, although the app is in the background and gets no updates")
  func smartSpeaker() {
    let visit = Homecoming(seed: 3)
    visit.pair()
    #expect(visit.app.distance != nil, "\(visit.app.log)")
    visit.phone.suspend()
    let before = visit.updates
    visit.phone.walk(to: [0, -25, 1.2], speed: 4)
    visit.world.advance(by: .seconds(8))
    #expect(!visit.speaker.isPlaying)
    #expect(visit.app.log.contains("accessory started ranging"))
    let readings = visit.speaker.readings
    visit.phone.walk(to: [0, 0, 1.2], speed: 1.5)
    visit.world.advance(by: .seconds(20))
    #expect(visit.speaker.isPlaying)
    #expect(visit.speaker.readings > readings + 50)
    #expect(visit.updates == before)
    #expect(!visit.app.log.contains("suspended"))
    visit.phone.resume()
    visit.world.advance(by: .seconds(1))
    #expect(visit.updates > before + 2)
    #expect(visit.app.log.last != "suspended")
  }

  @Test("After the link is lost and returns while the app is in the background, ranging starts again")
  func smartSpeakerReturns() {
    let visit = Homecoming(seed: 4)
    visit.pair()
    visit.phone.suspend()
    visit.phone.loseBluetoothPackets(1)
    visit.phone.place(at: [0, -60, 1.2])
    visit.world.advance(by: .seconds(30))
    #expect(!visit.speaker.isPlaying)
    #expect(visit.device.chipSessionCount == 0)
    visit.phone.loseBluetoothPackets(0)
    visit.phone.place(at: [0, 1, 1.2])
    visit.world.advance(by: .seconds(6))
    #expect(visit.speaker.isPlaying, "\(visit.app.log) \(visit.speaker.readings)")
    #expect(visit.phone.chipSessionCount == 1)
    #expect(visit.device.chipSessionCount == 1)
    visit.phone.resume()
    visit.world.advance(by: .seconds(1))
    #expect(visit.app.distance != nil)
  }

  @Test("Without the nearby-interaction background mode, the session is suspended in the background")
  func withoutModes() {
    let visit = Homecoming(seed: 5, modes: ["bluetooth-central"])
    visit.pair()
    visit.phone.suspend()
    visit.world.advance(by: .seconds(3))
    #expect(visit.app.log.contains("suspended"))
    #expect(!visit.speaker.isPlaying)
    #expect(visit.phone.chipSessionCount == 0)
    visit.phone.resume()
    visit.world.advance(by: .seconds(2))
    #expect(visit.app.log.contains("suspension ended"))
    #expect(visit.app.distance != nil)
  }
}
