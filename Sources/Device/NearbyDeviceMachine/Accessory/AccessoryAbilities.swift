import NearbyAccessoryProtocol
import NearbyUCI

/// What a chip must be able to do to be an accessory's, and what an accessory says of itself for that chip.
struct AccessoryAbilities {
  private let capabilities: UCICapabilities?

  /// - Parameter capabilities: `nil` for a chip that told none; then it is taken at its word when it is used.
  init(_ capabilities: UCICapabilities?) { self.capabilities = capabilities }

  /// Static STS and the role; what a chip does not tell it may have.
  private func isSuitable(_ settings: AccessorySettings) -> Bool {
    func has(_ kind: UCICapabilityKind, bit: UInt64) -> Bool {
      capabilities?[kind].map { $0 & 1 << bit != 0 } ?? true
    }
    return has(.stsConfigurations, bit: 0) && has(.deviceRoles, bit: UInt64(settings.role.rawValue))
  }

  /// `nil` where the chip does not do.
  func configuration(_ settings: AccessorySettings, address: UInt16) -> AccessoryConfigurationData? {
    guard isSuitable(settings) else { return nil }
    let uwb = AccessoryUWBData(
      version: settings.version, manufacturer: settings.manufacturer, model: settings.model,
      role: settings.role, address: address, clockDriftPPM: settings.clockDriftPPM,
      wishes: wishes(settings))
    return AccessoryConfigurationData(updateRate: settings.updateRate, uwb: uwb)
  }

  private func wishes(_ settings: AccessorySettings) -> AccessoryUWBData.Wishes {
    let unit = UInt64(ShareableConfigurationData.millisecondRSTU)
    var wishes = AccessoryUWBData.Wishes()
    wishes.slotsPerRound = ShareableConfigurationData.leastSlots
    // The next whole millisecond that the chip can do, 2 ms at least.
    let slot = max(UInt64(capabilities?.minSlotRSTU ?? 0), 2 * unit)
    // The chip says what it can do, up to 2³² - 1: rounded in 64 bits, clamped to what the field holds.
    wishes.slotDurationRSTU = UInt16(clamping: (slot + unit - 1) / unit * unit)
    let interval: UInt32 =
      switch settings.updateRate {
      case .infrequent: 720
      case .userInteractive: 180
      case _: 120
      }
    wishes.intervalMilliseconds = UInt16(
      clamping: max(interval, capabilities?.minRangingIntervalMilliseconds ?? 0))
    wishes.hopping = (capabilities?[.hopping] ?? 0) != 0 ? 1 : 0
    return wishes
  }
}
