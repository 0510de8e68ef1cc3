import NearbyAccessory

/// The program of an accessory in a door's frame: it opens the door while a phone is near.
///
/// Only authorized phones count, unless the profile's `access` is `everyone`. This example's own profile
/// admits everyone, which suits the door of a shop. The door of a home needs `paired`.
public final class DoorOpener: @unchecked Sendable {
  // The accessory's events are the only code that changes the state, and they are delivered one at a time.

  /// The distances at which the door opens and closes, in metres.
  private static let (near, far) = (1.5, 2.5)

  /// The accessory that this machine acts as.
  public let accessory: Accessory
  /// Whether the door is open.
  public private(set) var isOpen = false
  /// The events so far, as text.
  public private(set) var log: [String] = []
  /// Called after each event.
  public var onChange: ((DoorOpener) -> Void)?
  private var distances: [AccessoryPhone: Double] = [:]

  /// - Parameter profile: The accessory's name, services and access rules.
  public init(_ profile: AccessoryProfile = AccessoryProfile(name: "Door")) {
    accessory = Accessory(profile)
    accessory.onEvent { [weak self] in self?.handle($0) }
    accessory.start()
  }

  private func handle(_ event: Accessory.Event) {
    switch event {
    case .measured(let reading):
      let mayOpen = reading.isAuthorized || accessory.profile.access == .everyone
      distances[reading.phone] = mayOpen ? reading.distance : nil
    case .stopped(let phone, let reason):
      distances[phone] = nil
      log.append("\(phone) stopped: \(reason.rawValue)")
    case .disconnected(let phone): distances[phone] = nil
    case .started(let phone): log.append("\(phone) started ranging")
    case .refused(let phone, let refusal): log.append("\(phone) refused: \(refusal)")
    case .ready, .unavailable, .bluetoothUnavailable, .connected: break
    }
    let nearest = distances.values.min() ?? .infinity
    isOpen = isOpen ? nearest < Self.far : nearest < Self.near
    onChange?(self)
  }
}
