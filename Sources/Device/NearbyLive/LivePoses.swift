import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation
import NearbyRadioLinks
import NearbyRecordings
import Synchronization

/// Poses in TUM form from another program or a file, on a thread of their own.
package final class LivePoses: PoseSource {
  private let address: PoseAddress
  private let notice: @Sendable (String) -> Void
  private let isClosed = Mutex(false)
  /// Delay before a connection that failed or ended is retried.
  private static let retryInterval = 1.0

  /// - Parameter notice: Called with messages for the person who started the program.
  package init(_ address: PoseAddress, notice: @escaping @Sendable (String) -> Void = Notice.write) {
    self.address = address
    self.notice = notice
  }

  package func start(onFrame: @escaping @Sendable (CameraFrame) -> Void) {
    let thread = Thread { [self] in run(onFrame) }
    thread.name = "swift-nearby.poses"
    thread.start()
  }

  package func close() { isClosed.withLock { $0 = true } }

  private var isOpen: Bool { isClosed.withLock { !$0 } }

  private func run(_ onFrame: @Sendable (CameraFrame) -> Void) {
    switch address.place {
    case .standardInput: read(STDIN_FILENO, named: "standard input", pacing: false, onFrame)
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        return notice("NEARBY_CAMERA: \(path): \(String(cString: strerror(errno)))")
      }
      read(descriptor, named: path, pacing: true, onFrame)
      _ = Foundation.close(descriptor)
    case .tcp(let host, let port):
      while isOpen {
        connect(host, port, onFrame)
        if isOpen { Thread.sleep(forTimeInterval: Self.retryInterval) }
      }
    }
  }

  private func connect(_ host: String, _ port: UInt16, _ onFrame: @Sendable (CameraFrame) -> Void) {
    do throws(LinkError) {
      let descriptor = try TCPSockets.connect(host: host, port: port, timeout: .seconds(5))
      let flags = fcntl(descriptor, F_GETFL)
      _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
      read(descriptor, named: "tcp:\(host):\(port)", pacing: false, onFrame)
      _ = Foundation.close(descriptor)
    } catch {
      notice("NEARBY_CAMERA: \(error); tried again")
    }
  }

  /// Reads until the end, an invalid line, or `close`.
  private func read(
    _ descriptor: Int32, named name: String, pacing: Bool, _ onFrame: @Sendable (CameraFrame) -> Void
  ) {
    var reader = TUMPoseReader(source: name)
    var pace = Pace()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while isOpen, waitForInput(descriptor) {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return
      }
      var poses: [RecordedPose] = []
      var trouble: RecordingError?
      do throws(RecordingError) {
        try reader.append(buffer[..<count], to: &poses)
      } catch {
        trouble = error
      }
      for pose in poses where isOpen {
        if pacing { pace.wait(for: pose.time) }
        onFrame(frame(pose))
      }
      if let trouble { return notice("NEARBY_CAMERA: \(trouble)") }
    }
  }

  /// Waits for input, checking regularly whether the source was closed.
  private func waitForInput(_ descriptor: Int32) -> Bool {
    while isOpen {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = Foundation.poll(&poll, 1, 500)
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return false }
    }
    return false
  }

  private func frame(_ pose: RecordedPose) -> CameraFrame {
    CameraFrame(
      time: pose.time, pose: address.devicePose(position: pose.position, turn: pose.orientation))
  }

  /// Delays a file's poses to the pace of their own times.
  private struct Pace {
    private var first: (time: Duration, at: ContinuousClock.Instant)?

    mutating func wait(for time: Duration) {
      guard let first else {
        first = (time, .now)
        return
      }
      let due = first.at + (time - first.time) - .now
      if due > .zero { Thread.sleep(forTimeInterval: min(due, .seconds(3600)) / .seconds(1)) }
    }
  }
}
