import Foundation
import NearbyRadioLinks
import Testing

@Suite("Links whose other side hangs up")
struct LinkHangUpTests {
  @Test("Writing to a closed peer ends the link but not the process, even with the default SIGPIPE action")
  func survives() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      var ends: [Int32] = [0, 0]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { exit(EXIT_FAILURE) }
      close(ends[1])
      let link = DescriptorLink(descriptor: ends[0])
      let closed = DispatchSemaphore(value: 0)
      // Queued before the link watches its descriptor, so that its first operation is a write.
      try link.send([1, 2, 3])
      link.start(onReceive: { _ in }, onClose: { _ in closed.signal() })
      closed.wait()
      guard signal(SIGPIPE, SIG_DFL) == nil else { exit(EXIT_FAILURE) }
      exit(EXIT_SUCCESS)
    }
  }
}
