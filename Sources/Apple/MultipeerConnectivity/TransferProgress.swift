import Synchronization

/// How far a resource is, and what cancels it.
///
/// Foundation calls a cancellation handler on a thread of its own, some time; this one stops the transfer before
/// `cancel` returns, and leaves the handler to the app.
final class TransferProgress: Progress, @unchecked Sendable {
  // What is added to `Progress` is behind this lock.
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// - Parameter size: Octets, if known.
  static func make(of size: UInt64?) -> TransferProgress {
    let progress = TransferProgress(parent: nil, userInfo: nil)
    progress.totalUnitCount = size.map { Int64(clamping: $0) } ?? -1
    progress.kind = .file
    return progress
  }

  /// Says what stops the transfer; at once, where it was cancelled before.
  func onCancel(_ body: @escaping @Sendable () -> Void) {
    handler.withLock { $0 = body }
    if isCancelled { stop() }
  }

  /// All of it is there. Nothing of nothing, which Foundation takes for an unknown share, becomes one of one.
  func finish() {
    totalUnitCount = max(completedUnitCount, totalUnitCount, 1)
    completedUnitCount = totalUnitCount
  }

  override func cancel() {
    super.cancel()
    stop()
  }

  private func stop() { handler.withLock { $0.take() }?() }
}
