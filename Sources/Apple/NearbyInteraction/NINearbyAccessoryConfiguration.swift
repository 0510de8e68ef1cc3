import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine

/// Ranges with an accessory that told what it is over a channel of the app's own.
///
/// ```swift
/// let configuration = try NINearbyAccessoryConfiguration(data: received)
/// session.run(configuration)
/// // session(_:didGenerateShareableConfigurationData:for:) has what goes back to the accessory.
/// ```
///
/// Source: `facts/nearbyinteraction.md`, section 2; `facts/accessory-protocol.md`, section 7.
public class NINearbyAccessoryConfiguration: NIConfiguration {
  /// `nil` for an accessory of Bluetooth Channel Sounding, which `sounding` names.
  private let target: AccessoryTarget?
  private let sounding: SoundingPeer?
  private let token: NIDiscoveryToken

  /// Names the accessory: objects of a session that runs with this configuration carry it. Equal data gives an
  /// equal token.
  public var accessoryDiscoveryToken: NIDiscoveryToken { token }

  /// Adds the camera's view to the ranges. Off unless set before `run`.
  public var isCameraAssistanceEnabled = false

  /// Makes a configuration of what an accessory says of itself.
  ///
  /// - Parameter data: Accessory configuration data, of ultra-wideband version 1.0, 1.1 or 2.0; a slice may
  ///   start anywhere.
  /// - Throws: `NIError.invalidConfiguration` for anything else.
  public convenience init(data: Data) throws {
    self.init(try Self.target(data, nil))
  }

  /// Makes a configuration for an accessory with which the phone is paired and connected over Bluetooth.
  ///
  /// A session that runs with it goes on while the app is in the background, where the accessory's Nearby
  /// Interaction service holds the same data and the app declares the background modes. Without that Bluetooth
  /// link `run` ends in `NIError.accessoryPeerDeviceUnavailable`.
  ///
  /// - Parameters:
  ///   - accessoryData: As above.
  ///   - identifier: `CBPeripheral.identifier` of the accessory.
  /// - Throws: `NIError.invalidConfiguration` for data that is none.
  public convenience init(accessoryData: Data, bluetoothPeerIdentifier identifier: UUID) throws {
    self.init(try Self.target(accessoryData, identifier))
  }

  /// Makes a configuration for an accessory that ranges by Bluetooth Channel Sounding, which no device here does:
  /// `run` ends in `NIError.unsupportedPlatform`, as on Apple's devices without it.
  ///
  /// - Parameters:
  ///   - identifier: `CBPeripheral.identifier` of the accessory.
  ///   - previousIdentifier: What it was before, where it has changed.
  public convenience init(
    bluetoothChannelSoundingIdentifier identifier: UUID, previousBluetoothIdentifier previousIdentifier: UUID?
  ) {
    self.init(SoundingPeer(identifier: identifier, previous: previousIdentifier))
  }

  private init(_ sounding: SoundingPeer) {
    target = nil
    self.sounding = sounding
    let octets = withUnsafeBytes(of: sounding.identifier.uuid, Array.init)
    token = NIDiscoveryToken(DiscoveryIdentity(capabilities: [.accessory], random: octets))
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
      // A slice of `Data` keeps the indices it was cut at; its octets begin at 0.
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

  /// Reads an archived configuration; `nil` without an accessory's data.
  public required init?(coder: NSCoder) {
    do {
      if let identifier = try Self.identifier(Key.sounding, in: coder) {
        sounding = SoundingPeer(
          identifier: identifier, previous: try Self.identifier(Key.previous, in: coder))
        target = nil
        let octets = withUnsafeBytes(of: identifier.uuid, Array.init)
        token = NIDiscoveryToken(DiscoveryIdentity(capabilities: [.accessory], random: octets))
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

  /// `nil` where the archive has none; an error for one that is no UUID.
  private static func identifier(_ key: String, in coder: NSCoder) throws -> UUID? {
    // Asked first: on Linux a key that is not there is an error of the whole archive.
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
      (Key.identifier, target?.bluetoothPeer?.uuid), (Key.sounding, sounding?.identifier),
      (Key.previous, sounding?.previous),
    ]
    for case (let key, let identifier?) in identifiers {
      coder.encode(identifier.uuidString as NSString, forKey: key)
    }
    coder.encode(isCameraAssistanceEnabled, forKey: Key.camera)
  }

  /// Returns a configuration of the same values.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy =
      target.map(NINearbyAccessoryConfiguration.init) ?? sounding.map(NINearbyAccessoryConfiguration.init)
    guard let copy else { return self }
    copy.isCameraAssistanceEnabled = isCameraAssistanceEnabled
    return copy
  }

  /// Whether both ask for the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NINearbyAccessoryConfiguration else { return false }
    return other.target == target && other.sounding == sounding
      && other.isCameraAssistanceEnabled == isCameraAssistanceEnabled
  }

  /// Equal for equal configurations.
  public override var hash: Int { target?.hashValue ?? sounding.hashValue }

  /// What the runtime is asked; `nil` for what no device here does.
  var request: PeerConfiguration? {
    target.map { PeerConfiguration(accessory: $0, usesCameraAssistance: isCameraAssistanceEnabled) }
  }
}

/// An accessory that ranges by Bluetooth Channel Sounding, as its phone's Bluetooth names it.
private struct SoundingPeer: Hashable, Sendable {
  var identifier: UUID
  var previous: UUID?
}
