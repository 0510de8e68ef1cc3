import Foundation

/// Writes to standard output and standard error without ever ending the process.
///
/// `FileHandle.write` and `print` end the process if the reader of a pipe has closed it.
package enum StandardStream {
  /// How long library output waits for a reader that does not read; what has not been written by then is
  /// dropped.
  private static let patience = Duration.milliseconds(500)

  /// Writes a line of library output to standard error, from any thread. A line that cannot be written is
  /// dropped.
  package static func writeError(line: String) {
    write(Array((line + "\n").utf8), to: STDERR_FILENO, patience: patience)
  }

  /// Writes octets to a blocking or non-blocking descriptor, from any thread.
  ///
  /// - Parameter patience: How long to wait for a full descriptor; `nil` waits without limit.
  /// - Returns: The `errno` of the failure, such as EPIPE if the reader has closed the pipe or EAGAIN if the
  ///   time ran out; `nil` if everything was written.
  @discardableResult
  package static func write(_ octets: [UInt8], to descriptor: Int32, patience: Duration? = nil) -> Int32? {
    withoutPipeSignal {
      let end = patience.map { ContinuousClock.now + $0 }
      var sent = 0
      while sent < octets.count {
        let count = octets.withUnsafeBytes { raw in
          Foundation.write(descriptor, raw.baseAddress.map { $0 + sent }, raw.count - sent)
        }
        if count >= 0 {
          sent += count
          continue
        }
        switch errno {
        case EINTR: continue
        case EAGAIN: guard awaitRoom(descriptor, until: end) else { return EAGAIN }
        case let number: return number
        }
      }
      return nil
    }
  }

  /// Opens /dev/null in place of each standard descriptor that is closed. Call it first in a program.
  ///
  /// Otherwise the first socket opened would become standard error, and its peer would receive our messages.
  package static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) returns the lowest free number, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }

  private static func awaitRoom(_ descriptor: Int32, until end: ContinuousClock.Instant?) -> Bool {
    var wait: Int32 = -1
    if let end {
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { return false }
      wait = Int32(clamping: Int(min(left.rounded(.up), 1e9)))
    }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, wait) != 0
  }

  /// Runs a closure with SIGPIPE blocked on this thread and discards the signal if the closure raised it, so
  /// that programs that do not ignore SIGPIPE survive.
  private static func withoutPipeSignal(_ body: () -> Int32?) -> Int32? {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let failure = body()
    if failure == EPIPE, !wasPending {
      var none = timespec()
      while sigtimedwait(&pipe, nil, &none) < 0, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return failure
  }
}
