import NearbyAccessory

/// A speaker that plays when its owner walks in.
///
/// It acts on its own measurements, because the phone's app receives none while it is in the background.
public final class Speaker: @unchecked Sendable {
  // The accessory's events are the only code that changes the state, and they are delivered one at a time.

  /// The distances at which music starts and stops, in metres.
  private static let (near, far) = (3.0, 5.0)

  private let accessory: Accessory
  /// Whether music plays.
  public private(set) var isPlaying = false
  /// The latest measured distance in metres, or `nil` while no phone ranges.
  public private(set) var distance: Double?
  /// How many readings there have been.
  public private(set) var readings = 0
  /// Called after each event of the accessory.
  public var onChange: ((Speaker) -> Void)?

  /// - Parameter name: The name that phones see.
  public init(name: String) {
    var profile = AccessoryProfile(name: name)
    // Qorvo's service has a characteristic with which an app makes the phone pair.
    profile.channel = .qorvo
    accessory = Accessory(profile)
    accessory.onEvent { [weak self] in self?.handle($0) }
    accessory.start()
  }

  private func handle(_ event: Accessory.Event) {
    switch event {
    case .measured(let reading):
      readings += 1
      distance = reading.distance
    case .stopped, .disconnected: distance = nil
    case .ready, .unavailable, .bluetoothUnavailable, .connected, .started, .refused: break
    }
    let distance = distance ?? .infinity
    isPlaying = isPlaying ? distance < Self.far : distance < Self.near
    onChange?(self)
  }
}
