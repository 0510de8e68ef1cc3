import Foundation
import Glibc
import Synchronization

/// An HTTP server on the loopback interface, in real time, that answers every request with its path.
final class LoopbackServer: Sendable {
  private let listener: Int32
  let port: UInt16

  init?() {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = listener
    let isOpen = withUnsafeMutableBytes(of: &address) { octets in
      guard let base = octets.baseAddress else { return false }
      let address = base.assumingMemoryBound(to: sockaddr.self)
      return bind(number, address, length) == 0 && listen(number, 16) == 0
        && getsockname(number, address, &length) == 0
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isOpen else { return nil }
    Thread.detachNewThread { Self.serve(number) }
  }

  /// Ends the thread, whose `accept` fails.
  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func serve(_ listener: Int32) {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      var request = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &request, request.count, 0)
      let text = String(decoding: request.prefix(max(0, count)), as: UTF8.self)
      let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
      let reply = "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\nConnection: close\r\n\r\n\(path)"
      _ = send(connection, reply, reply.utf8.count, Int32(MSG_NOSIGNAL))
      close(connection)
    }
  }
}
