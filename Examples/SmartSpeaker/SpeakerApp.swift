import AccessoryApp
import NearbyInteraction

/// The owner's app: pairs with the speaker once, then lets it measure the phone, in the background too.
///
/// Its `UIBackgroundModes` are `nearby-interaction` and `bluetooth-central`.
public final class SpeakerApp {
  /// The ranging, hands-free.
  public let app: AccessoryApp

  /// - Parameter name: Of the speaker.
  public init(speaker name: String) {
    let channel = AccessoryChannel(.qorvo, name: name, restoreIdentifier: "smart-speaker")
    app = AccessoryApp(channel, isHandsFree: true)
  }
}
