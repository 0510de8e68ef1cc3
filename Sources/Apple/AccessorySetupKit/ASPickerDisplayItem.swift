import Foundation
import NearbyDeviceMachine
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
    /// The user may rename the accessory; has no effect here.
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
      needsConfirmation: setupOptions.contains(.confirmAuthorization))
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

  /// `nil` is without limit.
  var discoveryTime: Duration? {
    let seconds = discoveryTimeout.rawValue
    // No run lasts longer; NaN has no limit either.
    guard seconds <= 1e9 else { return nil }
    return .seconds(max(0, seconds))
  }
}
