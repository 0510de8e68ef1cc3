import Foundation

/// The octet stream under a channel: TLS, or the bare socket.
enum ChannelStream {
  case secure(TLSStream)
  case plain(Int32)

  /// Reads what is available.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, TLSStream.Progress) {
    switch self {
    case .secure(let stream): return stream.read(into: buffer)
    case .plain(let descriptor):
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return (count, .done) }
      return (0, count == 0 ? .ended(isClean: true) : Self.progress(errno, .wantsRead))
    }
  }

  func write(_ octets: UnsafeRawBufferPointer) -> (count: Int, TLSStream.Progress) {
    switch self {
    case .secure(let stream): return stream.write(octets)
    case .plain(let descriptor):
      let count = Foundation.send(descriptor, octets.baseAddress, octets.count, Int32(MSG_NOSIGNAL))
      return count > 0 ? (count, .done) : (0, Self.progress(errno, .wantsWrite))
    }
  }

  /// Whether `read` would return octets for which the socket is no longer readable.
  var hasUnread: Bool {
    switch self {
    case .secure(let stream): stream.hasUnread
    case .plain: false
    }
  }

  /// Signals the end of this direction.
  func shutDown(_ descriptor: Int32) {
    switch self {
    case .secure(let stream): stream.shutDown()
    case .plain: break
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  private static func progress(_ number: Int32, _ again: TLSStream.Progress) -> TLSStream.Progress {
    switch number {
    case EAGAIN, EINTR: again
    case ECONNRESET, EPIPE: .ended(isClean: false)
    default: .failed(.system(call: "socket", errno: number))
    }
  }
}
