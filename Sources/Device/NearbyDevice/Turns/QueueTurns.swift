import Dispatch
import Foundation
import Synchronization

/// Runs an app's code on its queue and waits for it, so that virtual time does not advance meanwhile. May be
/// called on any queue, including the target itself.
package enum QueueTurns {
  private static let key = DispatchSpecificKey<Int>()
  private static let marks = Mutex(0)

  package static func run(on queue: DispatchQueue?, _ body: () -> Void) {
    let target = queue ?? .main
    if isOn(target) { return body() }
    target.sync(execute: body)
  }

  /// Whether the caller is running on the queue, so that waiting for it would deadlock.
  package static func isOn(_ queue: DispatchQueue) -> Bool {
    let mark = mark(of: queue)
    if DispatchQueue.getSpecific(key: key) == mark { return true }
    return Thread.isMainThread && mark == self.mark(of: .main)
  }

  /// A number that identifies the queue. On Linux several Swift objects can stand for the same queue, so
  /// object identity does not.
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

/// Runs the blocks that an app sent to the main queue before virtual time advances, for one world at a time.
///
/// Code that hops to the main queue loses the task-local device. During a turn everything that runs on the
/// main queue was sent there by one device's app, so that device counts as the current one.
package enum MainQueueTurn {
  private static let oneWorld = NSRecursiveLock()
  private static let deviceInTurn = Mutex<NearbyDevice?>(nil)

  /// The device whose turn the caller runs in; `nil` off the main queue, even during another thread's turn.
  package static var deviceHere: NearbyDevice? {
    guard let device = deviceInTurn.withLock({ $0 }), QueueTurns.isOn(.main) else { return nil }
    return device
  }

  /// Runs `body`, then the blocks that it sent to the main queue.
  ///
  /// A caller on the main queue cannot wait for another world's turn, because that turn itself waits for the
  /// main queue. If there is one, `body` runs without a turn, and the blocks that it sends to the main queue
  /// run later.
  package static func run(for device: NearbyDevice?, _ body: () -> Void) {
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
      // Twice, because a block that ran may have sent another one.
      DispatchQueue.main.sync {}
      DispatchQueue.main.sync {}
    }
  }
}
