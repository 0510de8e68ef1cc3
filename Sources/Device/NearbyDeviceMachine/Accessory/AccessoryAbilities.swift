import NearbyAccessoryProtocol
import NearbyUCI

/// Whether a chip is fit for an accessory, and the configuration data that the accessory has with it.
struct AccessoryAbilities {
  private let capabilities: UCICapabilities?

  /// - Parameter capabilities: `nil` for a chip that reported none; it counts as fit until it refuses
  ///   something.
  init(_ capabilities: UCICapabilities?) { self.capabilities = capabilities }

  /// Whether the chip has static STS and the role; what it does not report counts as present.
  /// Bits: FiRa UCI Generic Specification 2.0, table of device capabilities.
  private func isSuitable(_ settings: AccessorySettings) -> Bool {
    func has(_ kind: UCICapabilityKind, bit: UInt64) -> Bool {
      capabilities?[kind].map { $0 & 1 << bit != 0 } ?? true
    }
    return has(.stsConfigurations, bit: 0) && has(.deviceRoles, bit: UInt64(settings.role.rawValue))
  }

  /// `nil` where the chip lacks a required capability.
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
    // The shortest whole milliseconds that the chip can do; 2 ms is FiRa's default.
    let slot = max(UInt64(capabilities?.minSlotRSTU ?? 0), 2 * unit)
    // A chip may report up to 2³² - 1: rounded in 64 bits, clamped to what the field holds.
    wishes.slotDurationRSTU = UInt16(clamping: (slot + unit - 1) / unit * unit)
    let interval = UInt32(AccessoryTerms.intervalMilliseconds(settings.updateRate))
    wishes.intervalMilliseconds = UInt16(
      clamping: max(interval, capabilities?.minRangingIntervalMilliseconds ?? 0))
    wishes.hopping = (capabilities?[.hopping] ?? 0) != 0 ? 1 : 0
    return wishes
  }
}
