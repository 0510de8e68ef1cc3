import NearbyAccessory

/// Says when a phone comes near, once for each time that it does.
struct NearTrigger: Sendable {
  /// Metres.
  let within: Double
  /// A phone is away again from here on, so that one that stands on the line does not come again and again.
  ///
  /// A fifth and 10 cm farther, which is more than the noise of ranges (Docs/range-filter.md).
  var release: Double { within * 1.2 + 0.1 }
  private var near: Set<AccessoryPhone> = []

  init(within: Double) { self.within = within }

  /// Takes a reading.
  ///
  /// - Returns: Whether the phone came near with it.
  mutating func take(_ phone: AccessoryPhone, distance: Double?) -> Bool {
    guard let distance else { return false }
    if distance <= within { return near.insert(phone).inserted }
    if distance >= release { near.remove(phone) }
    return false
  }

  /// A phone is gone, or does not range any more: it comes anew.
  mutating func forget(_ phone: AccessoryPhone) { near.remove(phone) }
}
