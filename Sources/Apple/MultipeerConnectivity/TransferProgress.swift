import Synchronization

/// The progress of a resource, which can also cancel it.
///
/// Foundation calls a cancellation handler asynchronously on its own thread. This class stops the transfer
/// before `cancel` returns, and leaves the cancellation handler to the app.
final class TransferProgress: Progress, @unchecked Sendable {
  // `@unchecked Sendable`: this lock guards what the subclass adds to `Progress`.
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// - Parameter size: The size in octets, if known.
  static func make(of size: UInt64?) -> TransferProgress {
    let progress = TransferProgress(parent: nil, userInfo: nil)
    progress.totalUnitCount = size.map { Int64(clamping: $0) } ?? -1
    progress.kind = .file
    return progress
  }

  /// Sets the handler that stops the transfer. It is called at once if the progress was already cancelled.
  func onCancel(_ body: @escaping @Sendable () -> Void) {
    handler.withLock { $0 = body }
    if isCancelled { stop() }
  }

  /// Marks the transfer as complete; an empty file as 1 of 1, because Foundation shows 0 of 0 as
  /// indeterminate.
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
