import CoreBluetooth
import Foundation
import NearbyAccessorySetup
import NearbyBluetooth

/// A company identifier assigned by the Bluetooth SIG.
public struct ASBluetoothCompanyIdentifier: RawRepresentable, Hashable, Sendable {
  /// The identifier.
  public let rawValue: UInt16
  /// Creates an identifier.
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }
  /// Creates an identifier.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A text to compare a property of a Wi-Fi Aware device with.
open class ASPropertyCompareString: NSObject {
  /// The text.
  public let string: String
  /// How it is compared.
  public let compareOptions: NSString.CompareOptions

  /// Creates a comparison.
  public init(string: String, compareOptions: NSString.CompareOptions) {
    self.string = string
    self.compareOptions = compareOptions
    super.init()
  }
}

/// What an accessory must advertise so that a picker offers it.
///
/// A descriptor needs a service or a company; everything that is set must match. Wi-Fi and Wi-Fi Aware are not here.
///
/// Source: Apple's documentation of `ASDiscoveryDescriptor`.
open class ASDiscoveryDescriptor: NSObject, NSCopying {
  /// How near an accessory must be.
  public enum Range: Int, Sendable {
    /// Anywhere within reach.
    case `default`
    /// Beside the device: received with −55 dBm or more, which is our choice.
    case immediate
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// What an accessory does in a Wi-Fi Aware service.
  public enum WiFiAwareServiceRole: Int, Sendable {
    /// Looks for the service.
    case subscriber
    /// Offers the service.
    case publisher
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  // There is no Wi-Fi here: none of these has an effect.
  /// The accessory's Wi-Fi network; has no effect.
  open var ssid: String?
  /// The beginning of the name of the accessory's Wi-Fi network; has no effect.
  open var ssidPrefix: String?
  /// A service of Wi-Fi Aware; has no effect.
  open var wifiAwareServiceName: String?
  /// The role in that service; has no effect.
  open var wifiAwareServiceRole = WiFiAwareServiceRole.subscriber
  /// A model; has no effect.
  open var wifiAwareModelNameMatch: ASPropertyCompareString?
  /// A vendor; has no effect.
  open var wifiAwareVendorNameMatch: ASPropertyCompareString?

  /// The service that the accessory advertises, or for which it advertises data.
  open var bluetoothServiceUUID: CBUUID?
  /// The company of the accessory's manufacturer data; 0 means any, and none is needed.
  open var bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0)
  /// The first octets after the company identifier; needs `bluetoothCompanyIdentifier`.
  open var bluetoothManufacturerDataBlob: Data?
  /// The bits of `bluetoothManufacturerDataBlob` that are compared; of the same length. `nil` compares all.
  open var bluetoothManufacturerDataMask: Data?
  /// The first octets of the data of `bluetoothServiceUUID`.
  open var bluetoothServiceDataBlob: Data?
  /// The bits of `bluetoothServiceDataBlob` that are compared; of the same length. `nil` compares all.
  open var bluetoothServiceDataMask: Data?
  /// A part of the advertised name; needs a service or company beside it.
  open var bluetoothNameSubstring: String?
  /// How the name is compared; only `caseInsensitive` has an effect here.
  open var bluetoothNameSubstringCompareOptions: NSString.CompareOptions = []
  /// How near the accessory must be.
  open var bluetoothRange = Range.default
  /// What the accessory supports. With `bluetoothPairingLE` the picker pairs with it; the others have no effect here.
  open var supportedOptions: ASAccessory.SupportOptions = []

  /// Creates a descriptor that matches nothing yet.
  public override init() { super.init() }

  /// Returns a copy of this object.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = ASDiscoveryDescriptor(value)
    copy.supportedOptions = supportedOptions
    (copy.ssid, copy.ssidPrefix) = (ssid, ssidPrefix)
    (copy.wifiAwareServiceName, copy.wifiAwareServiceRole) = (wifiAwareServiceName, wifiAwareServiceRole)
    (copy.wifiAwareModelNameMatch, copy.wifiAwareVendorNameMatch) = (
      wifiAwareModelNameMatch, wifiAwareVendorNameMatch
    )
    return copy
  }

  init(_ value: SetupDescriptor) {
    super.init()
    bluetoothServiceUUID = value.service.map { CBUUID(data: Data($0.shortestOctets)) }
    bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(value.company ?? 0)
    bluetoothManufacturerDataBlob = value.manufacturerData.map { Data($0.octets) }
    bluetoothManufacturerDataMask = value.manufacturerData?.mask.map { Data($0) }
    bluetoothServiceDataBlob = value.serviceData.map { Data($0.octets) }
    bluetoothServiceDataMask = value.serviceData?.mask.map { Data($0) }
    bluetoothNameSubstring = value.nameSubstring
    bluetoothNameSubstringCompareOptions = value.ignoresCase ? .caseInsensitive : []
    bluetoothRange = value.isImmediate ? .immediate : .default
    supportedOptions = value.pairs ? .bluetoothPairingLE : []
  }

  var value: SetupDescriptor {
    func pattern(_ blob: Data?, _ mask: Data?) -> SetupDescriptor.Pattern? {
      blob.map { SetupDescriptor.Pattern([UInt8]($0), mask: mask.map { [UInt8]($0) }) }
    }
    var value = SetupDescriptor()
    value.service = bluetoothServiceUUID.flatMap { BluetoothUUID(bigEndian: [UInt8]($0.data)) }
    value.company = bluetoothCompanyIdentifier.rawValue == 0 ? nil : bluetoothCompanyIdentifier.rawValue
    value.manufacturerData = pattern(bluetoothManufacturerDataBlob, bluetoothManufacturerDataMask)
    value.serviceData = pattern(bluetoothServiceDataBlob, bluetoothServiceDataMask)
    value.nameSubstring = bluetoothNameSubstring
    value.ignoresCase = bluetoothNameSubstringCompareOptions.contains(.caseInsensitive)
    value.isImmediate = bluetoothRange == .immediate
    value.pairs = supportedOptions.contains(.bluetoothPairingLE)
    return value
  }
}
