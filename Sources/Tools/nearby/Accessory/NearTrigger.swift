import NearbyAccessory

/// Detects when phones come near, move away, and are gone, once for each time.
struct NearTrigger: Sendable {
  enum Change: String, Equatable, Sendable {
    case near, far
    /// The phone no longer ranges.
    case gone
  }

  /// A phone at most this far away is near, metres.
  let within: Double
  /// A near phone is far from this distance on, metres.
  ///
  /// It is a fifth and 10 cm farther than `within`, more than the noise of ranges (Docs/range-filter.md), so that a
  /// phone at the limit does not alternate.
  var release: Double { within * 1.2 + 0.1 }
  /// Phones that have been measured; `true` while near.
  private var phones: [AccessoryPhone: Bool] = [:]

  init(within: Double) { self.within = within }

  /// Handles a reading.
  ///
  /// - Returns: The change, if any. A phone that was never near does not become far.
  mutating func measured(_ phone: AccessoryPhone, distance: Double?) -> Change? {
    guard let distance else { return nil }
    let wasNear = phones[phone] ?? false
    let isNear = distance <= within || wasNear && distance < release
    phones[phone] = isNear
    return isNear == wasNear ? nil : isNear ? .near : .far
  }

  /// Handles the end of ranging with a phone.
  ///
  /// - Returns: Whether the phone had been measured.
  mutating func forget(_ phone: AccessoryPhone) -> Bool { phones.removeValue(forKey: phone) != nil }
}
