import Foundation

/// Writes to the process's standard output and standard error, whatever has become of them.
///
/// `FileHandle.write` and `print` end the process when the reader of a pipe has gone; nothing here does.
package enum StandardStream {
  /// How long text of the library waits for a reader that does not read; what is left is dropped.
  private static let patience = Duration.milliseconds(500)

  /// Writes a line of the library's own on standard error; from any thread. A line that can't be written is dropped.
  package static func writeError(line: String) {
    write(Array((line + "\n").utf8), to: STDERR_FILENO, patience: patience)
  }

  /// Writes octets to a descriptor, blocking or not, from any thread.
  ///
  /// - Parameter patience: How long a descriptor that is full is waited for; `nil` waits until it has room.
  /// - Returns: The `errno` of the write that failed, such as EPIPE when the reader has gone and EAGAIN when the
  ///   patience was over; `nil` when everything was written.
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

  /// Opens /dev/null in place of each standard descriptor that is closed; to be called first in a program.
  ///
  /// Otherwise the first socket that is opened becomes standard error, and its peer receives our messages.
  package static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The system gives the lowest number that is free: this one.
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

  /// Keeps SIGPIPE from a program that does not ignore it: it is blocked on this thread, and taken back if it came.
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
