import Foundation

/// Finds the device's place among anchors by the differences of times at which their messages arrive.
///
/// No radio here takes part in that: a session that runs it ends. Source: `facts/nearbyinteraction.md`, section 8.
public class NIDLTDOAConfiguration: NIConfiguration, @unchecked Sendable {
  // Not changed after it was handed on, as on Apple's systems.

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
  /// How its anchors are found.
  public var discoveryMethod: DiscoveryMethod

  /// Makes a configuration for a network.
  public init(networkIdentifier: Int) {
    self.networkIdentifier = networkIdentifier
    discoveryMethod = .bluetoothLowEnergy
    super.init()
  }

  /// Makes a configuration for a network whose anchors are found in a way.
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

  /// Returns a configuration of the same values.
  public override func copy(with zone: NSZone? = nil) -> Any {
    NIDLTDOAConfiguration(networkIdentifier: networkIdentifier, discoveryMethod: discoveryMethod)
  }
}
