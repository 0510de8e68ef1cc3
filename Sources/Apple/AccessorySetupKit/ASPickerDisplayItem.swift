import Foundation
import NearbyAccessorySetup
import NearbyBluetooth
import NearbyDevice
import UIKit

/// A kind of accessory that a picker offers.
///
/// Source: Apple's documentation of `ASPickerDisplayItem`.
open class ASPickerDisplayItem: NSObject {
  /// What the set-up does besides pairing.
  public struct SetupOptions: OptionSet, Sendable {
    /// The bit mask.
    public let rawValue: UInt
    /// Creates a set from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The user may rename the accessory.
    public static let rename = Self(rawValue: 1 << 0)
    /// The accessory awaits `ASAccessorySession.finishAuthorization(for:settings:completionHandler:)`.
    public static let confirmAuthorization = Self(rawValue: 1 << 1)
    /// The app completes the set-up itself; has no effect here.
    public static let finishInApp = Self(rawValue: 1 << 2)
  }

  /// The name that the picker shows, and that the accessory gets.
  public let name: String
  /// The picture that the picker shows.
  public let productImage: UIImage
  /// Which accessories are offered.
  public let descriptor: ASDiscoveryDescriptor
  /// What the set-up does besides pairing.
  open var setupOptions: SetupOptions = []
  /// What can be renamed; has no effect here.
  open var renameOptions: ASAccessory.RenameOptions = []

  /// Creates an item.
  public init(name: String, productImage: UIImage, descriptor: ASDiscoveryDescriptor) {
    self.name = name
    self.productImage = productImage
    self.descriptor = descriptor
    super.init()
  }

  var value: SetupItem {
    SetupItem(
      name: name, descriptor: descriptor.value,
      needsConfirmation: setupOptions.contains(.confirmAuthorization),
      allowsRename: setupOptions.contains(.rename),
      migrates: (self as? ASMigrationDisplayItem)?.peripheralIdentifier.map(BluetoothPeer.init(uuid:)))
  }
}

/// An accessory that the app used before it set accessories up, and that becomes set up without being found.
///
/// A picker whose items are all of this kind asks the user once; `migrationComplete` follows. Beside other items they are
/// migrated when the user chooses one of those. Only Bluetooth peripherals are migrated here.
///
/// Source: Apple's documentation of `ASMigrationDisplayItem`.
open class ASMigrationDisplayItem: ASPickerDisplayItem {
  /// The `CBPeripheral.identifier` of the accessory.
  open var peripheralIdentifier: UUID?
  /// Has no effect: there is no Wi-Fi here.
  open var hotspotSSID: String?
  /// Has no effect: there is no Wi-Fi here.
  open var wifiAwarePairedDeviceID: ASAccessory.WiFiAwarePairedDeviceID = 0
}

/// An accessory that an open picker found, for an app that decides what the picker shows.
///
/// Source: Apple's documentation of `ASDiscoveredAccessory`.
open class ASDiscoveredAccessory: ASAccessory, @unchecked Sendable {
  // All stored properties are immutable.
  let sighting: BluetoothSighting

  init(_ sighting: BluetoothSighting) {
    self.sighting = sighting
    super.init(
      SetUpAccessory(
        peer: sighting.peer, name: sighting.advertisement.name ?? "", descriptor: SetupDescriptor(),
        state: .unauthorized))
  }

  /// What the accessory advertised: the entries of `CBAdvertisementData…Key`, without those of services.
  open var bluetoothAdvertisementData: [AnyHashable: Any]? {
    let advertisement = sighting.advertisement
    var data: [AnyHashable: Any] = [CBAdvertisementDataIsConnectable: advertisement.isConnectable]
    if let name = advertisement.name { data[CBAdvertisementDataLocalNameKey] = name }
    if let power = advertisement.transmitPower { data[CBAdvertisementDataTxPowerLevelKey] = Int(power) }
    if !advertisement.services.isEmpty {
      data[CBAdvertisementDataServiceUUIDsKey] = advertisement.services.map {
        CBUUID(data: Data($0.shortestOctets))
      }
    }
    if let first = advertisement.manufacturerData.first {
      data[CBAdvertisementDataManufacturerDataKey] =
        Data([UInt8(first.company & 0xFF), UInt8(first.company >> 8)] + first.octets)
    }
    return data
  }

  /// The power with which it was received, dBm.
  open var bluetoothRSSI: Int? { sighting.rssi }
}

/// An accessory that the app has the picker show.
///
/// Source: Apple's documentation of `ASDiscoveredDisplayItem`.
open class ASDiscoveredDisplayItem: ASPickerDisplayItem {
  let accessory: ASDiscoveredAccessory

  /// Creates an item for an accessory of the event `accessoryDiscovered`.
  public init(name: String, productImage: UIImage, accessory: ASDiscoveredAccessory) {
    self.accessory = accessory
    super.init(name: name, productImage: productImage, descriptor: accessory.descriptor)
  }
}

/// How a picker looks for accessories.
///
/// Source: Apple's documentation of `ASPickerDisplaySettings`.
open class ASPickerDisplaySettings: NSObject {
  /// How long a picker looks until something is found.
  public struct DiscoveryTimeout: RawRepresentable, Hashable, Sendable {
    /// Seconds.
    public let rawValue: TimeInterval
    /// Creates a timeout of this many seconds.
    public init(rawValue: TimeInterval) { self.rawValue = rawValue }
    /// 60 seconds.
    public static let short = Self(rawValue: 60)
    /// 2 minutes.
    public static let medium = Self(rawValue: 120)
    /// 5 minutes.
    public static let long = Self(rawValue: 300)
    /// No timeout.
    public static let unbounded = Self(rawValue: .infinity)
  }

  /// New settings with the usual values.
  open class var `default`: ASPickerDisplaySettings { ASPickerDisplaySettings() }

  /// How long the picker looks until something is found; initially 30 seconds.
  open var discoveryTimeout = DiscoveryTimeout(rawValue: 30)

  /// How the picker presents what it finds.
  public struct Options: OptionSet, Sendable {
    /// The bit mask.
    public let rawValue: UInt
    /// Creates a set from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The app gets `accessoryDiscovered` for what is found, and decides with `updatePicker` what is shown.
    public static let filterDiscoveryResults = Self(rawValue: 1 << 0)
  }

  /// How the picker presents what it finds; initially everything at once.
  open var options: Options = []

  /// `nil` is without limit.
  var discoveryTime: Duration? {
    let seconds = discoveryTimeout.rawValue
    // No run lasts longer; NaN has no limit either.
    guard seconds <= 1e9 else { return nil }
    return .seconds(max(0, seconds))
  }
}
