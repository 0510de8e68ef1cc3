import Dispatch
import Foundation
import Synchronization

/// Runs an app's code on its queue before virtual time moves on, whatever queue the pump itself is on.
package enum QueueTurns {
  private static let key = DispatchSpecificKey<Int>()
  private static let marks = Mutex(0)

  package static func run(on queue: DispatchQueue?, _ body: () -> Void) {
    let target = queue ?? .main
    if isOn(target) { return body() }
    target.sync(execute: body)
  }

  /// Whether the calling code already has the queue, so that waiting for it would be for ever.
  package static func isOn(_ queue: DispatchQueue) -> Bool {
    let mark = mark(of: queue)
    if DispatchQueue.getSpecific(key: key) == mark { return true }
    return Thread.isMainThread && mark == self.mark(of: .main)
  }

  /// A number of the queue's own: on Linux one queue comes as many Swift objects.
  private static func mark(of queue: DispatchQueue) -> Int {
    if let mark = queue.getSpecific(key: key) { return mark }
    return marks.withLock { last in
      if let mark = queue.getSpecific(key: key) { return mark }
      last += 1
      queue.setSpecific(key: key, value: last)
      return last
    }
  }
}

/// Lets blocks that an app sent to the main queue run before virtual time moves, one world at a time.
///
/// Code that hops to the main queue leaves the task-local device behind. While a turn lasts, whatever runs on
/// the main queue was sent there by the app of one device, so that device is the one that is current.
package enum MainQueueTurn {
  private static let oneWorld = NSRecursiveLock()
  private static let deviceInTurn = Mutex<NearbyDevice?>(nil)

  /// Whose turn the calling code has: off the main queue nobody's, whatever another thread's world does there.
  package static var deviceHere: NearbyDevice? {
    guard let device = deviceInTurn.withLock({ $0 }), QueueTurns.isOn(.main) else { return nil }
    return device
  }

  /// Runs `body`, then what it sent to the main queue.
  ///
  /// Who has the main queue already cannot wait for another world's turn, since that one waits for the main
  /// queue: where the turn is taken, `body` runs without one, and what it sends to the main queue comes later.
  package static func take(for device: NearbyDevice?, _ body: () -> Void) {
    let isOnMain = QueueTurns.isOn(.main)
    guard isOnMain ? oneWorld.try() : lock() else { return body() }
    defer { oneWorld.unlock() }
    let before = deviceInTurn.withLock { turn in
      defer { turn = device }
      return turn
    }
    defer { deviceInTurn.withLock { $0 = before } }
    body()
    drain(isOnMain: isOnMain)
  }

  private static func lock() -> Bool {
    oneWorld.lock()
    return true
  }

  private static func drain(isOnMain: Bool) {
    if Thread.isMainThread {
      _ = RunLoop.main.run(mode: .default, before: .distantPast)
    } else if !isOnMain {
      // Twice: a block that hopped may hop once more.
      DispatchQueue.main.sync {}
      DispatchQueue.main.sync {}
    }
  }
}
