import Foundation
import NearbyTextForms
import Synchronization

/// Where a command's text goes.
protocol TextOutput: AnyObject, Sendable {
  func write(_ text: String)
}

extension TextOutput {
  func line(_ text: String) { write(text + "\n") }
}

/// Keeps what was written, for tests.
final class TextRecorder: TextOutput {
  private let state = Mutex("")
  func write(_ text: String) { state.withLock { $0 += text } }
  var text: String { state.withLock { $0 } }
}

/// Writes to a file descriptor in blocks, so that thirty thousand lines are not thirty thousand calls.
final class DescriptorOutput: TextOutput {
  private struct State {
    var pending: [UInt8] = []
    /// Why nothing can be written any more.
    var failure: Int32?
  }
  private let state = Mutex(State())
  private let descriptor: Int32
  private let blockSize: Int

  /// - Parameter blockSize: Octets to gather before they are written; 1 writes at once.
  init(_ descriptor: Int32, blockSize: Int) {
    self.descriptor = descriptor
    self.blockSize = blockSize
  }

  func write(_ text: String) {
    state.withLock { state in
      state.pending.append(contentsOf: text.utf8)
      if state.pending.count >= blockSize { drain(&state) }
    }
  }

  func flush() { state.withLock { drain(&$0) } }

  /// Whether the reader has gone away or the disk is full: more output is pointless.
  var isClosed: Bool { failure != nil }

  /// The `errno` of the write that failed; EPIPE when the reader went away.
  var failure: Int32? { state.withLock { $0.failure } }

  private func drain(_ state: inout State) {
    if state.failure == nil { state.failure = StandardStream.write(state.pending, to: descriptor) }
    state.pending.removeAll(keepingCapacity: true)
  }
}
