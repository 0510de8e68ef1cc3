import CNearbyVirtualTime
import Dispatch
import Foundation

/// Objects of which each app on a device has its own, and a process with many apps only one.
final class OwnObjects: Sendable {
  /// `NotificationCenter.default`.
  let centre = NotificationCenter()
  /// `OperationQueue.main`.
  let operations: OperationQueue

  init() {
    // Without a context, because these calls are no app's.
    let before = nvt_exchange(nil)
    defer { nvt_exchange(before) }
    operations = OperationQueue()
    operations.underlyingQueue = .main
    operations.maxConcurrentOperationCount = 1
    operations.name = "NSOperationQueue Main Queue"
  }
}
