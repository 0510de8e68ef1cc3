import Foundation
import NearbyTextForms
import Synchronization

/// Where a command's text goes.
///
/// Text may contain what strangers wrote (names of peers, keys of a file, refusals of a world), so all but pictures is
/// made printable here, where no command can forget it.
package protocol TextOutput: AnyObject, Sendable {
  /// Writes octets as they are: only for `draw(_:)` and the functions beside it.
  func writeUnchecked(_ text: String)
}

extension TextOutput {
  /// Writes one line; a line break inside the text is replaced.
  package func line(_ text: String) { writeUnchecked(PrintableText.line(text) + "\n") }

  /// Writes several lines.
  package func write(_ text: String) { writeUnchecked(PrintableText.lines(text)) }

  /// Draws a picture over the terminal's; the canvas made its characters printable.
  package func draw(_ canvas: TextCanvas, hasColour: Bool) {
    writeUnchecked(canvas.terminalText(hasColour: hasColour))
  }

  /// Replaces the line that the cursor is on; empty text clears it.
  package func redrawLine(_ text: String) { writeUnchecked("\r\u{1B}[K" + PrintableText.line(text)) }
}

/// Keeps what was written, for tests.
package final class TextRecorder: TextOutput {
  private let state = Mutex("")

  package init() {}
  package func writeUnchecked(_ text: String) { state.withLock { $0 += text } }
  package var text: String { state.withLock { $0 } }
}

/// Writes to a file descriptor in blocks, so that thirty thousand lines are not thirty thousand calls.
package final class DescriptorOutput: TextOutput {
  private struct State {
    var pending: [UInt8] = []
    /// Why nothing can be written any more.
    var failure: Int32?
  }
  private let state = Mutex(State())
  private let descriptor: Int32
  private let blockSize: Int

  /// - Parameter blockSize: Octets to gather before they are written; 1 writes at once.
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

  /// Whether the reader has gone away or the disk is full: more output is pointless.
  package var isClosed: Bool { failure != nil }

  /// The `errno` of the write that failed; EPIPE when the reader went away.
  package var failure: Int32? { state.withLock { $0.failure } }

  private func drain(_ state: inout State) {
    if state.failure == nil { state.failure = StandardStream.write(state.pending, to: descriptor) }
    state.pending.removeAll(keepingCapacity: true)
  }
}
