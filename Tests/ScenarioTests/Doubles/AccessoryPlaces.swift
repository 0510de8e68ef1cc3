import AccessoryApp
import NearbyInteraction
import NearbyTesting
import SmartSpeaker

/// A living room with a speaker, and its owner. Used on the one thread that advances the world's time.
final class Homecoming: @unchecked Sendable {
  let world: World
  let phone: Phone
  let device: Phone
  let speaker: Speaker
  let app: AccessoryApp
  private(set) var updates = 0

  init(seed: UInt64, modes: [String] = ["nearby-interaction", "bluetooth-central"]) {
    world = World(seed: seed)
    phone = world.addPhone("Ann", at: [0, -1, 1.2], heading: 0)
    phone.setBackgroundModes(modes)
    device = world.addAccessory("Speaker", at: [0, 2, 1.2])
    speaker = device.launch { Speaker(name: "Speaker") }
    app = phone.launch { SpeakerApp(speaker: "Speaker") }.app
    app.onChange = { [weak self] in self?.updates += 1 }
  }

  /// The first meeting, with the app in the foreground.
  func pair() { world.advance(by: .seconds(5)) }
}
