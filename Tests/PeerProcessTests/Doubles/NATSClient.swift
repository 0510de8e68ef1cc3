import Foundation
import TestSupport

/// A client that speaks the NATS protocol's lines itself (docs.nats.io, "Client protocol"), to listen to what others say.
final class NATSClient {
  private let socket: Int32

  init(port: UInt16) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // A server that says less than expected fails the test.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    try write(Data("CONNECT {\"verbose\":false,\"headers\":true}\r\n".utf8))
  }

  deinit { close(socket) }

  func subscribe(_ subject: String) throws { try write(Data("SUB \(subject) 1\r\nPING\r\n".utf8)) }

  func publish(_ octets: [UInt8], to subject: String, reply: String?) throws {
    let head = ["PUB", subject, reply, "\(octets.count)"].compactMap(\.self).joined(separator: " ")
    try write(Data("\(head)\r\n".utf8) + Data(octets) + Data("\r\n".utf8))
  }

  /// Reads until there are so many octets.
  func read(until count: Int) throws -> Data {
    var all = Data()
    var part = [UInt8](repeating: 0, count: 65_536)
    while all.count < count {
      let size = Foundation.read(socket, &part, part.count)
      guard size > 0 else { throw POSIXError(.ECONNRESET) }
      all += part[..<size]
    }
    return all
  }

  private func write(_ data: Data) throws {
    let octets = [UInt8](data)
    var sent = 0
    while sent < octets.count {
      let count = octets.withUnsafeBytes {
        let rest = UnsafeRawBufferPointer(rebasing: $0[sent...])
        return send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw POSIXError(.ECONNRESET) }
      sent += count
    }
  }
}
