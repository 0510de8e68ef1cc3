import NearbyAccessory

/// The accessory in the door's frame: opens while a phone is near.
///
/// It opens for phones that are authorized. With a profile whose `access` is everyone's, as the example's own, that is
/// any phone: fit for a shop's door, not for a home's, whose profile says `paired`.
public final class DoorOpener: @unchecked Sendable {
  // State is touched by the accessory's events only, one at a time.

  /// Where the door opens, and where it closes again, metres.
  private static let (near, far) = (1.5, 2.5)

  /// What makes the machine an accessory.
  public let accessory: Accessory
  /// Whether the door is open.
  public private(set) var isOpen = false
  /// What happened, in words.
  public private(set) var log: [String] = []
  /// Called after each change.
  public var onChange: ((DoorOpener) -> Void)?
  private var distances: [AccessoryPhone: Double] = [:]

  /// - Parameter profile: What phones are told.
  public init(_ profile: AccessoryProfile = AccessoryProfile(name: "Door")) {
    accessory = Accessory(profile)
    accessory.onEvent { [weak self] in self?.take($0) }
    accessory.start()
  }

  private func take(_ event: Accessory.Event) {
    switch event {
    case .measured(let reading):
      let mayOpen = reading.isAuthorized || accessory.profile.access == .everyone
      distances[reading.phone] = mayOpen ? reading.distance : nil
    case .stopped(let phone, let reason):
      distances[phone] = nil
      log.append("\(phone) stopped, \(reason.rawValue)")
    case .disconnected(let phone): distances[phone] = nil
    case .started(let phone): log.append("\(phone) ranges")
    case .refused(let phone, let refusal): log.append("\(phone) refused, \(refusal)")
    case .ready, .unavailable, .bluetoothUnavailable, .connected: break
    }
    let nearest = distances.values.min() ?? .infinity
    isOpen = isOpen ? nearest < Self.far : nearest < Self.near
    onChange?(self)
  }
}
