import Foundation
import NearbyAccessorySetup
import NearbyDevice
import Synchronization

/// An accessory that the user has set up for the app.
///
/// A session has one object for each accessory, whose properties change with it.
///
/// Source: Apple's documentation of `ASAccessory`.
open class ASAccessory: NSObject, @unchecked Sendable {
  /// Whether the app may use an accessory. The raw values are our own.
  public enum AccessoryState: Int, Sendable {
    /// The accessory was removed.
    case unauthorized = 0
    /// The app must finish or fail the authorization.
    case awaitingAuthorization = 1
    /// The app may use the accessory.
    case authorized = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// What can be renamed.
  public struct RenameOptions: OptionSet, Sendable {
    /// The bit mask.
    public let rawValue: UInt
    /// Creates a set from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The accessory's Wi-Fi network; there are none here.
    public static let ssid = Self(rawValue: 1 << 0)
  }

  /// What an accessory supports. The bits are our own.
  public struct SupportOptions: OptionSet, Sendable {
    /// The bit mask.
    public let rawValue: UInt
    /// Creates a set from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Pairing over Bluetooth Low Energy.
    public static let bluetoothPairingLE = Self(rawValue: 1 << 1)
    /// Pairing with Bluetooth Classic through Low Energy.
    public static let bluetoothTransportBridging = Self(rawValue: 1 << 2)
    /// An input device.
    public static let bluetoothHID = Self(rawValue: 1 << 3)
  }

  /// Identifies a device paired for Wi-Fi Aware, which is not here.
  public typealias WiFiAwarePairedDeviceID = UInt64

  // The only mutable state is behind this lock.
  private let contents: Mutex<SetUpAccessory>

  init(_ value: SetUpAccessory) {
    contents = Mutex(value)
    super.init()
  }

  func set(_ value: SetUpAccessory) { contents.withLock { $0 = value } }
  var value: SetUpAccessory { contents.withLock { $0 } }

  /// The accessory's name.
  open var displayName: String { value.name }
  /// Whether the app may use it.
  open var state: AccessoryState {
    switch value.state {
    case .unauthorized: .unauthorized
    case .awaitingAuthorization: .awaitingAuthorization
    case .authorized: .authorized
    }
  }
  /// A copy of the descriptor with which it was found.
  open var descriptor: ASDiscoveryDescriptor { ASDiscoveryDescriptor(value.descriptor) }
  /// Its `CBPeripheral.identifier`.
  open var bluetoothIdentifier: UUID? { value.peer.uuid }
  /// Always `nil`: there is no Bluetooth Classic here.
  open var bluetoothTransportBridgingIdentifier: Data? { nil }
  /// Always `nil`: there is no Wi-Fi here.
  open var ssid: String? { nil }
  /// Always 0: there is no Wi-Fi here.
  open var wifiAwarePairedDeviceID: WiFiAwarePairedDeviceID { 0 }
}

/// Settings with which the app finishes an authorization; they have no effect here.
open class ASAccessorySettings: NSObject {
  /// New settings without values.
  open class var `default`: ASAccessorySettings { ASAccessorySettings() }
  /// The accessory's Wi-Fi network.
  open var ssid: String?
  /// Six octets that identify the accessory for Bluetooth Classic.
  open var bluetoothTransportBridgingIdentifier: Data?
}

/// What happened to an accessory session. The raw values are our own, except that `unknown` is 0.
public enum ASAccessoryEventType: Int, Sendable {
  /// Unknown.
  case unknown
  /// The session is active, and its accessories are known.
  case activated
  /// The session has ended.
  case invalidated
  /// A migration is complete.
  case migrationComplete
  /// An accessory was set up.
  case accessoryAdded
  /// An accessory was removed.
  case accessoryRemoved
  /// An accessory has changed.
  case accessoryChanged
  /// The picker found an accessory; reported with `ASPickerDisplaySettings.Options.filterDiscoveryResults`.
  case accessoryDiscovered
  /// The picker is shown.
  case pickerDidPresent
  /// The picker was closed.
  case pickerDidDismiss
  /// The picker pairs for Bluetooth Classic; never reported here.
  case pickerSetupBridging
  /// The picker could not pair with the chosen accessory. It closes, and its completion has `ASError.connectionFailed`.
  case pickerSetupFailed
  /// The picker pairs with the chosen accessory.
  case pickerSetupPairing
  /// The user renames the accessory.
  case pickerSetupRename
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// An event of an accessory session.
open class ASAccessoryEvent: NSObject, @unchecked Sendable {
  // All stored properties are immutable.
  /// What happened.
  public let eventType: ASAccessoryEventType
  /// The accessory concerned, if any.
  public let accessory: ASAccessory?
  /// Why a session was invalidated, if something failed.
  public let error: (any Error)?

  init(_ eventType: ASAccessoryEventType, _ accessory: ASAccessory? = nil, error: (any Error)? = nil) {
    self.eventType = eventType
    self.accessory = accessory
    self.error = error
    super.init()
  }
}
