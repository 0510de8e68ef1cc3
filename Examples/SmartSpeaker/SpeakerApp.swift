import AccessoryApp
import NearbyInteraction

/// The owner's app. It pairs with the speaker once, then lets the speaker measure the phone, even in the
/// background.
///
/// It needs the `UIBackgroundModes` `nearby-interaction` and `bluetooth-central`.
public final class SpeakerApp {
  /// The ranging, which continues in the background.
  public let app: AccessoryApp

  /// - Parameter name: The speaker's name.
  public init(speaker name: String) {
    let channel = AccessoryChannel(.qorvo, name: name, restoreIdentifier: "smart-speaker")
    app = AccessoryApp(channel, isHandsFree: true)
  }
}
