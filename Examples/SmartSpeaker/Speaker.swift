import NearbyAccessory

/// A speaker that plays when its owner walks in, whatever the owner's phone shows.
///
/// It acts on its own measurements: in the background the phone's app hears nothing of them.
public final class Speaker: @unchecked Sendable {
  // State is touched by the accessory's events only, one at a time.

  /// Where music starts, and where it ends, metres.
  private static let (near, far) = (3.0, 5.0)

  private let accessory: Accessory
  /// Whether music plays.
  public private(set) var isPlaying = false
  /// Metres to who was measured last; `nil` while nobody is.
  public private(set) var distance: Double?
  /// Readings since the start.
  public private(set) var readings = 0
  /// Called at each reading, and when music starts or ends.
  public var onChange: ((Speaker) -> Void)?

  /// - Parameter name: What phones see.
  public init(name: String) {
    var profile = AccessoryProfile(name: name)
    // With a characteristic by which an app can have the phone pair.
    profile.channel = .qorvo
    accessory = Accessory(profile)
    accessory.onEvent { [weak self] in self?.take($0) }
    accessory.start()
  }

  private func take(_ event: Accessory.Event) {
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
