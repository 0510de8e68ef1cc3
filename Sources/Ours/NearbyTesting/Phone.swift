import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulated
import NearbySimulator
import simd

/// How the user of a phone answers when an app asks.
public enum PermissionAnswer: Sendable, Hashable, CaseIterable {
  /// For good.
  case allow
  /// Until the app is launched again.
  case allowOnce
  /// No.
  case deny

  var permission: Permission {
    switch self {
    case .allow: .allowed
    case .allowOnce: .allowedOnce
    case .deny: .denied
    }
  }
}

/// Where another phone really is, which no app can know.
public struct Truth: Sendable, Hashable {
  /// Metres between the antennas.
  public let distance: Double
  /// Unit vector in the phone's own frame: +x right, +y up, −z out of the back, in portrait.
  public let direction: SIMD3<Double>
  /// Whether nothing stands between.
  public let isLineOfSight: Bool
}

/// A phone in a world: a place, a user, and an app with its sessions.
///
/// Its methods may be called from any thread and take effect as soon as time moves.
public final class Phone: Sendable {
  /// What it was added as.
  public let name: String
  let world: World
  let device: NearbyDevice
  let shell: SimulatedShell
  let body: BodyID
  let radio: Int

  init(name: String, world: World, shell: SimulatedShell, body: BodyID, radio: Int) {
    self.name = name
    self.world = world
    device = shell.handle
    self.shell = shell
    self.body = body
    self.radio = radio
  }

  // MARK: The app

  /// Runs code as this phone's app: the sessions it makes are this phone's.
  public func launch<App>(_ make: () throws -> App) rethrows -> App {
    try NearbyDevice.$current.withValue(device, operation: make)
  }

  /// The app leaves the foreground: its sessions are suspended.
  public func suspend() { device.app.post(.enterBackground) }

  /// The app comes back: its sessions hear that they may run again.
  public func resume() { device.app.post(.enterForeground) }

  /// The app's process ends without a word, and starts anew: "allow once" is over, sessions are gone.
  public func relaunch() { shell.relaunch() }

  /// What the app's property list has under `UIBackgroundModes`: with `nearby-interaction` and
  /// `bluetooth-central` sessions with accessories that are named on Bluetooth go on in the background. At
  /// first Bluetooth's two.
  public func setBackgroundModes(_ modes: [String]) {
    shell.withMachine { $0.backgroundModes = Set(modes) }
    setBluetoothBackgroundModes(
      central: modes.contains("bluetooth-central"), peripheral: modes.contains("bluetooth-peripheral"))
  }

  /// Sessions that this device's chip has, whoever set them up: none is left where everything has ended.
  public var chipSessionCount: Int { shell.sessionCountOfChip }

  // MARK: Permission

  /// How the user answers when asked from now on; with `nil` the question stays open until `answer`.
  public func setAnswer(_ answer: PermissionAnswer?) {
    shell.setAnswer(answer?.permission)
  }

  /// Answers the question that is open.
  public func answer(_ answer: PermissionAnswer) { device.app.post(.answerPermission(answer.permission)) }

  /// The user changes the answer in Settings.
  public func changePermission(to answer: PermissionAnswer) {
    device.app.post(.setPermission(answer.permission))
  }

  /// The app's `NSNearbyInteractionUsageDescription`; without one its sessions are refused.
  public func setUsageDescription(_ text: String?) {
    shell.withMachine { $0.usageDescription = text }
  }
}
