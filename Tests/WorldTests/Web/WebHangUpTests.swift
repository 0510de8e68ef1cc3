import Foundation
import NearbyRadioLinks
import Testing

@testable import NearbyWorld

/// Runs in its own process, in which SIGPIPE has its default action and would end the process.
@Suite("Browsers that hang up")
struct WebHangUpTests {
  @Test("Browsers that reset the connection during an answer don't end the process")
  func survives() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let large = WebFile(type: "text/html", octets: [UInt8](repeating: 32, count: 4 << 20))
      let server = WebServer(files: WebFiles(files: ["/": large]), token: "") { _ in }
      let port = try server.start(host: "127.0.0.1", port: 0)
      for _ in 0..<30 {
        let descriptor = try TCPSockets.connect(host: "127.0.0.1", port: port, timeout: .seconds(5))
        // Closing resets the connection, whatever is in flight.
        var lingers = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingers, socklen_t(MemoryLayout<linger>.size))
        let request = Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
        _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        // Wait until the answer has begun.
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 5000)
        close(descriptor)
      }
      server.stop()
      exit(signal(SIGPIPE, SIG_DFL) == nil ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
