import Dispatch
import NearbySchedule
import Synchronization

/// A device and its sides.
///
/// Objects with Apple's names belong to the device that is current when they are created.
package final class NearbyDevice: Sendable {
  package let name: String
  private let shell: any DeviceShell
  /// The number of managers that last reported `poweredOn`.
  private let poweredManagers = Atomic<Int>(0)

  package init(name: String, shell: any DeviceShell) {
    self.name = name
    self.shell = shell
  }

  /// The device whose app's code is running; set by a simulated world.
  @TaskLocal package static var current: NearbyDevice?

  /// UWB sessions.
  package var sessions: any SessionSide { shell.sessions }
  /// The accessory role of this device.
  package var accessory: any AccessorySide { shell.accessory }
  /// Camera tracking.
  package var camera: any CameraSide { shell.camera }
  package var bluetooth: any BluetoothSide { shell.bluetooth }
  /// The peer network.
  package var peers: any PeerSide { shell.peers }
  /// Regions, beacon ranging and the permission for them.
  package var location: any LocationSide { shell.location }
  /// The accessories that the device's user set up for the app; `nil` where this is not possible.
  package var accessorySetup: (any AccessorySetupSide)? { shell.accessorySetup }
  package var app: any AppSide { shell.app }

  /// Whether a Bluetooth manager of an app has reported that Bluetooth is on.
  package var hasPoweredManager: Bool { poweredManagers.load(ordering: .relaxed) > 0 }

  package func countPoweredManager(_ change: Int) {
    poweredManagers.wrappingAdd(change, ordering: .relaxed)
  }

  /// A number from 1 to 0xFFFE derived from the device's name, the same in every run.
  package var stableNumber: UInt16 { UInt16(truncatingIfNeeded: StableHash.of(name) % 0xFFFE) + 1 }

  /// Runs an app's code on its queue as code of this device; `nil` means the main queue.
  package func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    shell.app.perform(on: queue) { Self.$current.withValue(self, operation: body) }
  }

  /// Runs code of this device on a queue that the library created.
  package func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void) {
    shell.app.perform(on: queue) { Self.$current.withValue(self, operation: body) }
  }
}
