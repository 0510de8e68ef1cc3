import Foundation
import NearbyTextForms
import Synchronization

/// A destination for a command's text.
///
/// Text may come from untrusted sources (names of peers, keys of a file, messages from a world), so
/// everything except pictures is made printable here, where no command can forget it.
package protocol TextOutput: AnyObject, Sendable {
  /// Writes octets unchanged. Only for `draw(_:)` and the functions next to it.
  func writeUnchecked(_ text: String)
}

extension TextOutput {
  /// Writes one line. Line breaks inside the text are replaced.
  package func line(_ text: String) { writeUnchecked(PrintableText.line(text) + "\n") }

  package func write(_ text: String) { writeUnchecked(PrintableText.lines(text)) }

  /// Draws a picture over the previous one. The canvas contains only printable characters.
  package func draw(_ canvas: TextCanvas, hasColour: Bool) {
    writeUnchecked(canvas.terminalText(hasColour: hasColour))
  }

  /// Replaces the cursor's line; empty text clears it.
  package func redrawLine(_ text: String) { writeUnchecked("\r\u{1B}[K" + PrintableText.line(text)) }
}

/// Records output, for tests.
package final class TextRecorder: TextOutput {
  private let state = Mutex("")

  package init() {}
  package func writeUnchecked(_ text: String) { state.withLock { $0 += text } }
  package var text: String { state.withLock { $0 } }
}

/// Writes to a file descriptor in blocks, to save system calls.
package final class DescriptorOutput: TextOutput {
  private struct State {
    var pending: [UInt8] = []
    /// The `errno` after which nothing more is written.
    var failure: Int32?
  }
  private let state = Mutex(State())
  private let descriptor: Int32
  private let blockSize: Int

  /// - Parameter blockSize: Number of octets to buffer before writing; 1 writes immediately.
  package init(_ descriptor: Int32, blockSize: Int) {
    self.descriptor = descriptor
    self.blockSize = blockSize
  }

  package func writeUnchecked(_ text: String) {
    state.withLock { state in
      state.pending.append(contentsOf: text.utf8)
      if state.pending.count >= blockSize { drain(&state) }
    }
  }

  package func flush() { state.withLock { drain(&$0) } }

  /// Whether more output is pointless because the reader has gone away or the disk is full.
  package var isClosed: Bool { failure != nil }

  /// The `errno` of the failed write; EPIPE if the reader went away.
  package var failure: Int32? { state.withLock { $0.failure } }

  private func drain(_ state: inout State) {
    if state.failure == nil { state.failure = StandardStream.write(state.pending, to: descriptor) }
    state.pending.removeAll(keepingCapacity: true)
  }
}
