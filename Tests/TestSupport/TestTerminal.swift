import Foundation

/// A terminal at which the test plays the user.
package final class TestTerminal: Sendable {
  /// The end that the program reads and writes.
  package let program: Int32
  package let person: Int32

  /// `nil` if the system has no descriptors left.
  package init?() {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    (program, person) = (ends[0], ends[1])
  }

  deinit {
    close(program)
    close(person)
  }

  package func write(_ text: String) {
    let octets = Array(text.utf8)
    _ = octets.withUnsafeBytes { Foundation.write(person, $0.baseAddress, $0.count) }
  }

  /// The terminal's output up to a text. Waits for it on another thread.
  package func read(until end: String) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [person] in
        var text: [UInt8] = []
        var octet: UInt8 = 0
        while Foundation.read(person, &octet, 1) == 1 {
          text.append(octet)
          if text.suffix(end.utf8.count).elementsEqual(end.utf8) { break }
        }
        continuation.resume(returning: String(decoding: text, as: UTF8.self))
      }
    }
  }
}
