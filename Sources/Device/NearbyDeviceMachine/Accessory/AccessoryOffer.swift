import NearbyAccessoryProtocol
import NearbyUCI

/// What an accessory offers phones with the chip that it has.
struct AccessoryOffer: Sendable {
  /// Sent to each phone, and served by the Nearby Interaction service.
  let configuration: AccessoryConfigurationData
  let measuresDirection: Bool
  let hopsWhenLost: Bool
  /// Sessions that the chip can have at once.
  let sessionLimit: Int

  /// - Parameter capabilities: `nil` for a chip that reported none.
  /// - Returns: `nil` for a chip that lacks a required capability.
  init?(_ capabilities: UCICapabilities?, settings: AccessorySettings, address: UInt16) {
    guard let configuration = AccessoryAbilities(capabilities).configuration(settings, address: address)
    else { return nil }
    self.configuration = configuration
    measuresDirection = capabilities.map { $0.measuresAzimuth && $0.measuresElevation } ?? false
    hopsWhenLost = capabilities?.hopsWhenLost ?? false
    sessionLimit = capabilities?.maxRangingSessions ?? .max
  }
}
