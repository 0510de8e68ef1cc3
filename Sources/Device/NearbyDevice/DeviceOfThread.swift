import Synchronization

/// Finds the device whose code the calling thread runs where the task-local `NearbyDevice.current` is lost: after an
/// app has sent code to a queue, or created a detached task.
package enum DeviceOfThread {
  private struct Functions: Sendable {
    let find: @Sendable () -> NearbyDevice?
    let runOutside: @Sendable (() -> Void) -> Void
  }
  private static let functions = Mutex<Functions?>(nil)

  /// Set once by a program whose worlds follow their apps' queues; others have no such device.
  ///
  /// - Parameters:
  ///   - find: Returns the device.
  ///   - runOutside: Calls a function as code of no device.
  package static func set(
    _ find: @escaping @Sendable () -> NearbyDevice?,
    outside runOutside: @escaping @Sendable (() -> Void) -> Void
  ) { functions.withLock { $0 = Functions(find: find, runOutside: runOutside) } }

  package static var device: NearbyDevice? { functions.withLock { $0 }?.find() }

  /// Calls a function as code of no device.
  package static func outside(_ body: () -> Void) {
    if let functions = functions.withLock({ $0 }) { functions.runOutside(body) } else { body() }
  }
}
