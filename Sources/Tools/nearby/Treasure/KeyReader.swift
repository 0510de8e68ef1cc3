import Foundation
import Synchronization

/// A key that a walker presses.
enum WalkKey: Equatable, Sendable {
  case north, south, east, west, quit

  /// Parses a terminal's input: arrows, WASD, vi's keys, and q.
  static func keys(in octets: [UInt8]) -> [WalkKey] {
    var keys: [WalkKey] = []
    var rest = octets[...]
    while let first = rest.popFirst() {
      if first == 0x1B, rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O") {
        rest.removeFirst()
        guard let last = rest.popFirst() else { break }
        switch last {
        case UInt8(ascii: "A"): keys.append(.north)
        case UInt8(ascii: "B"): keys.append(.south)
        case UInt8(ascii: "C"): keys.append(.east)
        case UInt8(ascii: "D"): keys.append(.west)
        case _: break
        }
        continue
      }
      switch Character(UnicodeScalar(first)) {
      case "w", "k": keys.append(.north)
      case "s", "j": keys.append(.south)
      case "d", "l": keys.append(.east)
      case "a", "h": keys.append(.west)
      case "q": keys.append(.quit)
      default: break
      }
    }
    return keys
  }
}

/// Reads single keys from the terminal behind the standard input; has no effect without a terminal.
final class KeyReader: Sendable {
  private let before: termios?
  private let hasEnded = Mutex(false)

  /// - Parameter post: Called on another thread.
  init(post: @escaping @Sendable (WalkKey) -> Void) {
    var modes = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &modes) == 0 else {
      before = nil
      return
    }
    before = modes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    Thread.detachNewThread { [weak self] in
      var buffer = [UInt8](repeating: 0, count: 64)
      while self?.isEnded == false {
        var poller = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Checks ten times per second whether it has ended.
        guard poll(&poller, 1, 100) > 0 else { continue }
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return }
        WalkKey.keys(in: Array(buffer[..<count])).forEach(post)
      }
    }
  }

  private var isEnded: Bool { hasEnded.withLock { $0 } }

  /// Restores the terminal.
  func end() {
    hasEnded.withLock { $0 = true }
    if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }
}
