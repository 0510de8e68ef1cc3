import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulated
import NearbySimulator
import simd

/// The user's answer to an app's request for permission.
public enum PermissionAnswer: Sendable, Hashable, CaseIterable {
  /// Allow permanently.
  case allow
  /// Allow until the next launch of the app.
  case allowOnce
  /// Deny.
  case deny

  var permission: Permission {
    switch self {
    case .allow: .allowed
    case .allowOnce: .allowedOnce
    case .deny: .denied
    }
  }
}

/// The true position of another phone, which no app can know.
public struct Truth: Sendable, Hashable {
  /// Metres between the antennas.
  public let distance: Double
  /// Unit vector in the phone's own frame: +x right, +y up, −z out of the back, in portrait.
  public let direction: SIMD3<Double>
  /// Whether the direct path between the antennas is unobstructed.
  public let isLineOfSight: Bool
}

/// A phone in a world: a position, a user, and an app with its sessions.
///
/// Its methods may be called from any thread and take effect once time advances.
public final class Phone: Sendable {
  /// The name under which the phone was added.
  public let name: String
  let world: World
  let device: NearbyDevice
  package let shell: SimulatedShell
  let body: BodyID
  package let radio: Int

  init(name: String, world: World, shell: SimulatedShell, body: BodyID, radio: Int) {
    self.name = name
    self.world = world
    device = shell.handle
    self.shell = shell
    self.body = body
    self.radio = radio
  }

  // MARK: The app

  /// Runs code as this phone's app, so that sessions created in it belong to this phone.
  ///
  /// What the code sends to queues, timers and tasks belongs to this phone too, and runs when time advances.
  public func launch<App>(_ make: () throws -> App) rethrows -> App { try run(make) }

  /// Runs code as this phone's app: a test's call of an app's method, for example, so that timers which the method
  /// starts are in the world's time and objects which it creates belong to this phone.
  ///
  /// - Parameter body: Runs at once on this thread. If it waits, for example for a semaphore, time passes until the wait
  ///   is over.
  @discardableResult
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let runner = world.pump.runner else {
      return try NearbyDevice.$current.withValue(device, operation: body)
    }
    return try runner.run(as: shell.device) { try NearbyDevice.$current.withValue(device, operation: body) }
  }

  /// Sends the app to the background, which suspends its sessions.
  public func suspend() { device.app.post(.enterBackground) }

  /// Brings the app back to the foreground; its sessions are notified that they may run again.
  public func resume() { device.app.post(.enterForeground) }

  /// Ends the app's process without notice and starts it again: "allow once" expires and sessions are gone.
  public func relaunch() { shell.relaunch() }

  /// Sets the app's `UIBackgroundModes`; initially Bluetooth's two modes. With `nearby-interaction` and
  /// `bluetooth-central`, sessions with accessories identified on Bluetooth continue in the background.
  public func setBackgroundModes(_ modes: [String]) {
    shell.withMachine { $0.backgroundModes = Set(modes) }
    setBluetoothBackgroundModes(
      central: modes.contains("bluetooth-central"), peripheral: modes.contains("bluetooth-peripheral"))
  }

  /// The number of sessions on this device's chip, of all its programs; zero once everything has ended.
  public var chipSessionCount: Int { shell.sessionCountOfChip }

  // MARK: Permission

  /// Sets how the user answers requests for nearby interaction from now on; with `nil` a request stays open
  /// until `answer`.
  public func setAnswer(_ answer: PermissionAnswer?) {
    shell.setAnswer(answer?.permission)
  }

  /// Answers the open request.
  public func answer(_ answer: PermissionAnswer) { device.app.post(.answerPermission(answer.permission)) }

  /// Changes the permission as the user would in Settings.
  public func changePermission(to answer: PermissionAnswer) {
    device.app.post(.setPermission(answer.permission))
  }

  /// Sets the app's `NSNearbyInteractionUsageDescription`; without one its sessions end with
  /// `userDidNotAllow`.
  public func setUsageDescription(_ text: String?) {
    shell.withMachine { $0.usageDescription = text }
  }
}
