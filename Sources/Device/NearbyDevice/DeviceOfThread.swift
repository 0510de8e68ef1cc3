import Synchronization

/// Finds the device whose code the calling thread runs where the task-local `NearbyDevice.current` is lost: after an
/// app has sent code to a queue, or created a detached task.
package enum DeviceOfThread {
  private static let finder = Mutex<(@Sendable () -> NearbyDevice?)?>(nil)

  /// Set once by a program whose worlds follow their apps' queues; others have no such device.
  package static func set(_ find: @escaping @Sendable () -> NearbyDevice?) { finder.withLock { $0 = find } }

  package static var device: NearbyDevice? { finder.withLock { $0 }?() }
}
