@_exported import CoreGraphics
import Foundation
import NearbyDevice
import NearbyHome
import NearbySchedule

/// The device the app runs on: a simulated phone, or this machine.
@preconcurrency @MainActor
public final class UIDevice: NSObject {
  private let device: String
  private let isSimulated: Bool

  private init(_ device: NearbyDevice) {
    self.device = device.name
    isSimulated = device.app.isVirtual
    super.init()
  }

  /// The current device.
  public static var current: UIDevice { UIDevice(NearbyDevice.bound) }

  /// The phone's name in its world; on a real machine `NEARBY_DEVICE_NAME`, `NEARBY_DEVICE` or the host name.
  ///
  /// A machine's name is cut to 63 octets of UTF-8, the limit of `MCPeerID(displayName:)`.
  public var name: String {
    if isSimulated { return device }
    let environment = ProcessInfo.processInfo.environment
    let name =
      environment["NEARBY_DEVICE_NAME"] ?? environment["NEARBY_DEVICE"] ?? ProcessInfo.processInfo.hostName
    return Self.shortened(name)
  }

  nonisolated static func shortened(_ name: String) -> String {
    var short = ""
    for character in name {
      guard short.utf8.count + character.utf8.count <= 63 else { break }
      short.append(character)
    }
    return short
  }
  /// "iPhone", because existing code compares it.
  public var model: String { "iPhone" }
  /// "iPhone".
  public var localizedModel: String { model }
  /// "Linux".
  public var systemName: String { "Linux" }
  /// The kernel's version.
  public var systemVersion: String {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }

  /// An identifier that is always the same for the same device name (on a real machine, the same machine and
  /// process name).
  public var identifierForVendor: UUID? {
    let seed = isSimulated ? device : Self.machine + ":" + ProcessInfo.processInfo.processName
    var octets = [UInt8](repeating: 0, count: 16)
    for half in 0..<2 {
      let hash = StableHash.of("\(half)" + seed)
      for index in 0..<8 { octets[half * 8 + index] = UInt8(truncatingIfNeeded: hash >> (8 * index)) }
    }
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    let o = octets
    return UUID(
      uuid: (
        o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8], o[9], o[10], o[11], o[12], o[13], o[14], o[15]
      ))
  }

  private static let machine: String =
    (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ProcessInfo.processInfo.hostName

  /// Always a phone.
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  /// Stored without effect: there is no battery.
  public var isBatteryMonitoringEnabled = false
  /// Always -1, unknown.
  public var batteryLevel: Float { -1 }
  /// Always unknown.
  public var batteryState: BatteryState { .unknown }
  /// Always unknown: there is no orientation sensor.
  public var orientation: UIDeviceOrientation { .unknown }
  /// Always false.
  public var isGeneratingDeviceOrientationNotifications: Bool { false }
  /// Has no effect.
  public func beginGeneratingDeviceOrientationNotifications() {}
  /// Has no effect.
  public func endGeneratingDeviceOrientationNotifications() {}
  /// Stored without effect: there is no proximity sensor.
  public var isProximityMonitoringEnabled = false
  /// Always false.
  public var proximityState: Bool { false }

  /// Declared for source compatibility; never posted.
  public nonisolated static let batteryLevelDidChangeNotification =
    Notification.Name("UIDeviceBatteryLevelDidChangeNotification")
  /// Declared for source compatibility; never posted.
  public nonisolated static let batteryStateDidChangeNotification =
    Notification.Name("UIDeviceBatteryStateDidChangeNotification")
  /// Declared for source compatibility; never posted.
  public nonisolated static let orientationDidChangeNotification =
    Notification.Name("UIDeviceOrientationDidChangeNotification")
  /// Declared for source compatibility; never posted.
  public nonisolated static let proximityStateDidChangeNotification =
    Notification.Name("UIDeviceProximityStateDidChangeNotification")

  /// The state of the battery.
  public enum BatteryState: Int, Sendable {
    /// The state is unknown.
    case unknown = 0
    /// The device runs on battery.
    case unplugged = 1
    /// The battery is charging.
    case charging = 2
    /// The battery is full.
    case full = 3
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Always true: apps can be suspended.
  public var isMultitaskingSupported: Bool { true }
}

/// The kind of device.
public enum UIUserInterfaceIdiom: Int, Sendable {
  /// The kind is unknown.
  case unspecified = -1
  /// A phone.
  case phone = 0
  /// A tablet.
  case pad = 1
  /// A television.
  case tv = 2
  /// A car's display.
  case carPlay = 3
  /// A computer.
  case mac = 5
  /// A headset.
  case vision = 6
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// The physical orientation of a device.
public enum UIDeviceOrientation: Int, Sendable {
  /// The orientation is unknown.
  case unknown = 0
  /// Upright, with the top edge up.
  case portrait = 1
  /// Upright, with the top edge down.
  case portraitUpsideDown = 2
  /// Upright, with the right side up.
  case landscapeLeft = 3
  /// Upright, with the left side up.
  case landscapeRight = 4
  /// Flat, with the display up.
  case faceUp = 5
  /// Flat, with the display down.
  case faceDown = 6
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted

  /// Whether the device is on its left or right side.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  /// Whether the device is upright, with either edge up.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  /// Whether the device is flat.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }
  /// Whether the device is in portrait or landscape orientation.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
