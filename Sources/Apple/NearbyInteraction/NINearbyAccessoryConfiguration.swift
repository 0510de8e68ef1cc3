import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine

/// Ranges with an accessory that described itself over a channel of the app's own.
///
/// ```swift
/// let configuration = try NINearbyAccessoryConfiguration(data: received)
/// session.run(configuration)
/// // session(_:didGenerateShareableConfigurationData:for:) delivers the data to send back to the accessory.
/// ```
///
/// Source: Apple's documentation of `NINearbyAccessoryConfiguration`; `Docs/accessory.md`.
public class NINearbyAccessoryConfiguration: NIConfiguration {
  /// `nil` for an accessory that ranges by Bluetooth Channel Sounding, which `sounding` then names.
  private let target: AccessoryTarget?
  private let sounding: SoundingTarget?
  private let token: NIDiscoveryToken

  /// Identifies the accessory in the objects that a session with this configuration reports. Equal data gives
  /// an equal token.
  public var accessoryDiscoveryToken: NIDiscoveryToken { token }

  /// Whether to combine the ranges with camera tracking. Set it before `run`; false by default.
  public var isCameraAssistanceEnabled = false

  /// Creates a configuration from the data that an accessory sent.
  ///
  /// - Parameter data: Accessory configuration data of ultra-wideband version 1.0, 1.1 or 2.0; may be a
  ///   slice.
  /// - Throws: `NIError.invalidConfiguration` for anything else.
  public convenience init(data: Data) throws {
    self.init(try Self.target(data, nil))
  }

  /// Creates a configuration for an accessory that is paired and connected over Bluetooth.
  ///
  /// A session with it keeps running while the app is in the background, provided that the accessory's Nearby
  /// Interaction service holds the same data and the app declares the background modes. Without that
  /// Bluetooth connection `run` ends the session with `NIError.accessoryPeerDeviceUnavailable`.
  ///
  /// - Parameters:
  ///   - accessoryData: Accessory configuration data, as for `init(data:)`.
  ///   - identifier: `CBPeripheral.identifier` of the accessory.
  /// - Throws: `NIError.invalidConfiguration` if the data cannot be parsed.
  public convenience init(accessoryData: Data, bluetoothPeerIdentifier identifier: UUID) throws {
    self.init(try Self.target(accessoryData, identifier))
  }

  /// Creates a configuration for an accessory that ranges by Bluetooth Channel Sounding.
  ///
  /// The accessory must have been set up with AccessorySetupKit and be connected. A session needs no data from the
  /// accessory and reports `distance`, and with camera assistance `horizontalAngle`, at most four times a second while the
  /// app is in the foreground. Where the device does not support it (`NIDeviceCapability`), `run` ends the session with
  /// `NIError.unsupportedPlatform`; without a connection, with `NIError.accessoryPeerDeviceUnavailable`.
  ///
  /// - Parameters:
  ///   - identifier: `CBPeripheral.identifier` of the accessory.
  ///   - previousIdentifier: The accessory's previous identifier, if it has changed; it gives the accessory's token.
  public convenience init(
    bluetoothChannelSoundingIdentifier identifier: UUID, previousBluetoothIdentifier previousIdentifier: UUID?
  ) {
    self.init(
      SoundingTarget(
        peer: BluetoothPeer(uuid: identifier), previous: previousIdentifier.map(BluetoothPeer.init(uuid:))))
  }

  init(_ sounding: SoundingTarget) {
    target = nil
    self.sounding = sounding
    token = NIDiscoveryToken(sounding.identity)
    super.init()
  }

  init(_ target: AccessoryTarget) {
    self.target = target
    sounding = nil
    token = NIDiscoveryToken(target.identity)
    super.init()
  }

  private static func target(_ data: Data, _ identifier: UUID?) throws -> AccessoryTarget {
    do {
      // Copied to an array because a slice of `Data` keeps its original indices.
      return try AccessoryTarget(
        octets: [UInt8](data), bluetoothPeer: identifier.map(BluetoothPeer.init(uuid:)))
    } catch {
      throw NIError(.invalidConfiguration)
    }
  }

  private enum Key {
    static let data = "accessoryData"
    static let identifier = "bluetoothPeerIdentifier"
    static let sounding = "bluetoothChannelSoundingIdentifier"
    static let previous = "previousBluetoothIdentifier"
    static let camera = "isCameraAssistanceEnabled"
  }

  /// Reads an archived configuration; returns `nil` if it names no accessory or its data cannot be parsed.
  public required init?(coder: NSCoder) {
    do {
      if let identifier = try Self.identifier(Key.sounding, in: coder) {
        let sounding = SoundingTarget(
          peer: BluetoothPeer(uuid: identifier),
          previous: try Self.identifier(Key.previous, in: coder).map(BluetoothPeer.init(uuid:)))
        self.sounding = sounding
        target = nil
        token = NIDiscoveryToken(sounding.identity)
      } else {
        guard let data = coder.decodeObject(of: NSData.self, forKey: Key.data) else { return nil }
        let target = try Self.target(Data(referencing: data), try Self.identifier(Key.identifier, in: coder))
        self.target = target
        sounding = nil
        token = NIDiscoveryToken(target.identity)
      }
    } catch {
      return nil
    }
    super.init(coder: coder)
    isCameraAssistanceEnabled = coder.decodeBool(forKey: Key.camera)
  }

  /// Returns `nil` if the archive lacks the key, and throws if its value is not a UUID.
  private static func identifier(_ key: String, in coder: NSCoder) throws -> UUID? {
    // On Linux, decoding a missing key fails the whole archive, so check first.
    guard coder.containsValue(forKey: key) else { return nil }
    guard let text = coder.decodeObject(of: NSString.self, forKey: key),
      let uuid = UUID(uuidString: String(text))
    else { throw NIError(.invalidConfiguration) }
    return uuid
  }

  /// Writes the configuration.
  public override func encode(with coder: NSCoder) {
    if let target { coder.encode(NSData(data: Data(target.octets)), forKey: Key.data) }
    let identifiers = [
      (Key.identifier, target?.bluetoothPeer?.uuid), (Key.sounding, sounding?.peer.uuid),
      (Key.previous, sounding?.previous?.uuid),
    ]
    for case (let key, let identifier?) in identifiers {
      coder.encode(identifier.uuidString as NSString, forKey: key)
    }
    coder.encode(isCameraAssistanceEnabled, forKey: Key.camera)
  }

  /// Returns a configuration with the same values.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy =
      target.map(NINearbyAccessoryConfiguration.init) ?? sounding.map(NINearbyAccessoryConfiguration.init)
    guard let copy else { return self }
    copy.isCameraAssistanceEnabled = isCameraAssistanceEnabled
    return copy
  }

  /// Whether both configurations have the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NINearbyAccessoryConfiguration else { return false }
    return other.target == target && other.sounding == sounding
      && other.isCameraAssistanceEnabled == isCameraAssistanceEnabled
  }

  /// Equal for equal configurations.
  public override var hash: Int { target?.hashValue ?? sounding.hashValue }

  /// The request to the device.
  var request: PeerConfiguration {
    if let target {
      return PeerConfiguration(accessory: target, usesCameraAssistance: isCameraAssistanceEnabled)
    }
    guard let sounding else { preconditionFailure("a configuration without target and identifier") }
    return PeerConfiguration(sounding: sounding, usesCameraAssistance: isCameraAssistanceEnabled)
  }
}
