import AccessoryApp
import NearbyAccessory
import NearbyDevice
import NearbyWorld
import SmartSpeaker
import TestSupport
import Testing

@Suite("A smart speaker in a shared world", .ownThreads)
struct WorldSpeakerTests {
  private struct Moment: Sendable {
    let isPlaying: Bool
    let readings: Int
  }

  /// Objects that are used only on the main queue.
  private final class Held: @unchecked Sendable {
    var app: SpeakerApp?
    var speaker: Speaker?
  }

  @Test("Music starts when the owner walks in, although the app is in the background and gets no updates")
  func example() async throws {
    let world = try ServedWorld()
    let phone = try world.join("phone", modes: ["nearby-interaction", "bluetooth-central"])
    let device = try world.join("speaker")
    func place(_ metres: Double) {
      world.server.withWorld { $0.perform(.place(device: 0, [0, metres, 1.2])) }
    }
    place(8)
    world.server.withWorld { $0.perform(.place(device: 1, [0, 0, 1.2])) }
    let distances = Heard<Float>()
    let moments = Heard<Moment>()
    let held = Held()
    await MainActor.run {
      held.speaker = NearbyDevice.$current.withValue(device) { Speaker(name: "Speaker") }
      held.speaker?.onChange = { moments.add(Moment(isPlaying: $0.isPlaying, readings: $0.readings)) }
      held.app = NearbyDevice.$current.withValue(phone) { SpeakerApp(speaker: "Speaker") }
      held.app?.app.onChange = { if let distance = held.app?.app.distance { distances.add(distance) } }
    }
    let isRanging = await distances.wait { $0.count >= 3 }
    #expect(isRanging)
    #expect(!moments.all.contains { $0.isPlaying })
    world.server.withWorld { $0.perform(.foreground(device: 0, false)) }
    // Once the speaker has measured alone for a while, everything in flight to the app has arrived.
    let readings = moments.all.last?.readings ?? 0
    let goesOn = await moments.wait { ($0.last?.readings ?? 0) >= readings + 20 }
    #expect(goesOn)
    let before = distances.all.count
    place(2)
    let plays = await moments.wait { $0.last?.isPlaying == true }
    #expect(plays)
    let count = moments.all.count
    place(8)
    let ends = await moments.wait { $0.count > count && $0.last?.isPlaying == false }
    #expect(ends)
    #expect(distances.all.count == before)
    world.server.withWorld { $0.perform(.foreground(device: 0, true)) }
    let isBack = await distances.wait { $0.count > before + 2 }
    #expect(isBack)
    await MainActor.run {
      held.app?.app.end()
      held.app = nil
      held.speaker = nil
    }
  }
}
