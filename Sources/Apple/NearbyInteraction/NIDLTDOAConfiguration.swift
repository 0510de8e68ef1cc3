import Foundation

/// Locates the device among anchors by downlink time difference of arrival (DL-TDoA).
///
/// The session needs the user's permission for location (`CLLocationManager`), without which it ends with
/// `NIError.userDidNotAllow`. It finds the anchors by their Bluetooth advertisements and then delivers each
/// round's messages to `session(_:didUpdateDLTDOA:)`; until then it is silent. `.wifi` is not supported: such a
/// session ends with `NIError.invalidConfiguration`.
/// Source: Apple's documentation of `NIDLTDOAConfiguration`.
public class NIDLTDOAConfiguration: NIConfiguration, @unchecked Sendable {
  // `@unchecked Sendable`: not modified after the app hands it on, as on Apple's platforms.

  /// How anchors are found.
  public enum DiscoveryMethod: Int, Sendable {
    /// Over Wi-Fi.
    case wifi = 0
    /// Over Bluetooth.
    case bluetoothLowEnergy = 1
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// The session id of the anchors' network.
  public var networkIdentifier: Int
  /// How the network's anchors are found.
  public var discoveryMethod: DiscoveryMethod

  /// Creates a configuration for a network whose anchors are found over Bluetooth.
  public init(networkIdentifier: Int) {
    self.networkIdentifier = networkIdentifier
    discoveryMethod = .bluetoothLowEnergy
    super.init()
  }

  /// Creates a configuration for a network whose anchors are found by the given method.
  public init(networkIdentifier: Int, discoveryMethod: DiscoveryMethod) {
    self.networkIdentifier = networkIdentifier
    self.discoveryMethod = discoveryMethod
    super.init()
  }

  private enum Key {
    static let network = "networkIdentifier"
    static let method = "discoveryMethod"
  }

  /// Reads an archived configuration.
  public required init?(coder: NSCoder) {
    networkIdentifier = coder.decodeInteger(forKey: Key.network)
    discoveryMethod =
      DiscoveryMethod(rawValue: coder.decodeInteger(forKey: Key.method)) ?? .bluetoothLowEnergy
    super.init(coder: coder)
  }

  /// Writes the configuration.
  public override func encode(with coder: NSCoder) {
    coder.encode(networkIdentifier, forKey: Key.network)
    coder.encode(discoveryMethod.rawValue, forKey: Key.method)
  }

  /// Returns a configuration with the same values.
  public override func copy(with zone: NSZone? = nil) -> Any {
    NIDLTDOAConfiguration(networkIdentifier: networkIdentifier, discoveryMethod: discoveryMethod)
  }
}
