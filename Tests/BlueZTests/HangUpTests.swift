import Foundation
import Glibc
import NearbyBlueZ
import NearbyEventLoop
import Testing

/// Runs in its own process, in which SIGPIPE has its default action and would end the process.
@Suite("A bus that closes the connection")
struct HangUpTests {
  @Test("Writing to a closed bus closes the connection without ending the process")
  func survives() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(getpid())").path
      let listener = try #require(HangUpTests.listen(at: path))
      let loop = try EventLoop(label: "hung up")
      let closed = DispatchSemaphore(value: 0)
      let kept = DispatchSemaphore(value: 0)
      loop.perform {
        guard let connection = try? BusConnection(address: "unix:path=\(path)", on: loop) else {
          exit(EXIT_FAILURE)
        }
        // Nothing has accepted the connection yet, so the next write to it fails with EPIPE.
        close(listener)
        unlink(path)
        connection.onClose = { closed.signal() }
        loop.schedule(after: .seconds(60)) { withExtendedLifetime(connection) { _ = kept.signal() } }
      }
      closed.wait()
      exit(signal(SIGPIPE, SIG_DFL) == nil ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  fileprivate static func listen(at path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    return isBound && Glibc.listen(descriptor, 1) == 0 ? descriptor : nil
  }
}
