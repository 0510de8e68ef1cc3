import Dispatch
import NearbyCommandLine

/// Blocks writers until it is resumed.
final class StoppedOutput: TextOutput {
  private let recorder = TextRecorder()
  private let gate = DispatchSemaphore(value: 0)

  func writeUnchecked(_ text: String) {
    gate.wait()
    gate.signal()
    recorder.writeUnchecked(text)
  }

  func resume() { gate.signal() }
  var text: String { recorder.text }
}
