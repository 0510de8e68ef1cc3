@_exported import CoreGraphics
import Foundation
import NearbyDevice
import NearbyHome
import NearbySchedule

/// What the app runs on: a simulated phone, or this machine.
@preconcurrency @MainActor
public final class UIDevice: NSObject {
  private let device: String
  private let isSimulated: Bool

  private init(_ device: NearbyDevice) {
    self.device = device.name
    isSimulated = device.app.isVirtual
    super.init()
  }

  /// The one whose app is asking.
  public static var current: UIDevice { UIDevice(NearbyDevice.bound) }

  /// The phone's name in its world; elsewhere `NEARBY_DEVICE_NAME`, `NEARBY_DEVICE` or the machine's name.
  ///
  /// At most 63 octets of UTF-8, so that `MCPeerID(displayName:)` accepts it whatever the machine is called.
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
  /// "iPhone", as code that looks at it expects.
  public var model: String { "iPhone" }
  /// The same.
  public var localizedModel: String { model }
  /// "Linux".
  public var systemName: String { "Linux" }
  /// The kernel's version.
  public var systemVersion: String {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }

  /// The same for a device of this name each time.
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

  /// A phone.
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
  /// Kept by nobody: there is no battery.
  public var isBatteryMonitoringEnabled = false
  /// -1: not known.
  public var batteryLevel: Float { -1 }
  /// Not known: there is no battery.
  public var batteryState: BatteryState { .unknown }
  /// Not known: nothing feels how the device is held.
  public var orientation: UIDeviceOrientation { .unknown }
  /// Never.
  public var isGeneratingDeviceOrientationNotifications: Bool { false }
  /// Nothing feels how the device is held.
  public func beginGeneratingDeviceOrientationNotifications() {}
  /// Nothing feels how the device is held.
  public func endGeneratingDeviceOrientationNotifications() {}
  /// Kept by nobody: nothing feels what is close to the screen.
  public var isProximityMonitoringEnabled = false
  /// Never: nothing feels what is close to the screen.
  public var proximityState: Bool { false }

  /// The battery's charge. Posted by nobody.
  public nonisolated static let batteryLevelDidChangeNotification =
    Notification.Name("UIDeviceBatteryLevelDidChangeNotification")
  /// Whether the battery is charged. Posted by nobody.
  public nonisolated static let batteryStateDidChangeNotification =
    Notification.Name("UIDeviceBatteryStateDidChangeNotification")
  /// How the device is held. Posted by nobody.
  public nonisolated static let orientationDidChangeNotification =
    Notification.Name("UIDeviceOrientationDidChangeNotification")
  /// What is close to the screen. Posted by nobody.
  public nonisolated static let proximityStateDidChangeNotification =
    Notification.Name("UIDeviceProximityStateDidChangeNotification")

  /// Whether the battery is charged.
  public enum BatteryState: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// It is used up.
    case unplugged = 1
    /// It is charged.
    case charging = 2
    /// It is full.
    case full = 3
  }

  /// Apps hear of suspension, and may run no code then.
  public var isMultitaskingSupported: Bool { true }
}

/// What kind of device.
public enum UIUserInterfaceIdiom: Int, Sendable {
  /// Not said.
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
}

/// How a device is held.
public enum UIDeviceOrientation: Int, Sendable {
  /// Not known.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Head down.
  case portraitUpsideDown = 2
  /// On its right side.
  case landscapeLeft = 3
  /// On its left side.
  case landscapeRight = 4
  /// On its back.
  case faceUp = 5
  /// On its face.
  case faceDown = 6

  /// On a side.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  /// Upright or head down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  /// On its back or its face.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }
  /// Not flat, and known.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
