import Dispatch
import NearbySchedule

/// One device and its sides. Objects under Apple's names belong to the device that is current when they are made.
package final class NearbyDevice: Sendable {
  package let name: String
  private let shell: any DeviceShell

  package init(name: String, shell: any DeviceShell) {
    self.name = name
    self.shell = shell
  }

  /// Set around an app's code that a simulated world runs.
  @TaskLocal package static var current: NearbyDevice?

  /// UWB sessions.
  package var sessions: any SessionSide { shell.sessions }
  /// The accessory that this device is.
  package var accessory: any AccessorySide { shell.accessory }
  /// Camera tracking.
  package var camera: any CameraSide { shell.camera }
  package var bluetooth: any BluetoothSide { shell.bluetooth }
  /// The peer network.
  package var peers: any PeerSide { shell.peers }
  /// Regions, beacon ranging and the permission for them.
  package var location: any LocationSide { shell.location }
  package var app: any AppSide { shell.app }

  /// Derived from the device's name: 1 to 0xFFFE, the same in every run.
  package var stableNumber: UInt16 { UInt16(truncatingIfNeeded: StableHash.of(name) % 0xFFFE) + 1 }

  /// Runs an app's code on its queue, `nil` meaning the main queue, as code of this device.
  package func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    shell.app.perform(on: queue) { Self.$current.withValue(self, operation: body) }
  }

  /// Runs code of this device on a queue of the library's own.
  package func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void) {
    shell.app.perform(on: queue) { Self.$current.withValue(self, operation: body) }
  }
}
