import Dispatch
import Foundation
import Synchronization

/// Runs an app's code on its queue before virtual time moves on, whatever queue the pump itself is on.
enum QueueTurns {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  static func run(on queue: DispatchQueue?, _ body: () -> Void) {
    let target = queue ?? .main
    if isOn(target) { return body() }
    target.sync(execute: body)
  }

  /// Whether the calling code already has the queue, so that waiting for it would be for ever.
  static func isOn(_ queue: DispatchQueue) -> Bool {
    if queue === DispatchQueue.main, Thread.isMainThread { return true }
    let identity = ObjectIdentifier(queue)
    if queue.getSpecific(key: key) == nil { queue.setSpecific(key: key, value: identity) }
    return DispatchQueue.getSpecific(key: key) == identity
  }
}

/// Lets blocks that an app sent to the main queue run before virtual time moves, one world at a time.
///
/// Code that hops to the main queue leaves the task-local device behind. While a turn lasts, whatever runs on
/// the main queue was sent there by the app of one device, so that device is the one that is current.
enum MainQueueTurn {
  private static let oneWorld = NSRecursiveLock()
  private static let deviceInTurn = Mutex<NearbyDevice?>(nil)

  static var device: NearbyDevice? { deviceInTurn.withLock { $0 } }

  /// Runs `body`, then what it sent to the main queue.
  static func take(for device: NearbyDevice?, _ body: () -> Void) {
    oneWorld.lock()
    defer { oneWorld.unlock() }
    deviceInTurn.withLock { $0 = device }
    defer { deviceInTurn.withLock { $0 = nil } }
    body()
    drain()
  }

  private static func drain() {
    if Thread.isMainThread {
      _ = RunLoop.main.run(mode: .default, before: .distantPast)
    } else if !QueueTurns.isOn(.main) {
      // Twice: a block that hopped may hop once more.
      DispatchQueue.main.sync {}
      DispatchQueue.main.sync {}
    }
  }
}
