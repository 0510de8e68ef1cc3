import Foundation
import NearbyRadioLinks
import Synchronization

/// A browser's socket on a world's page. It watches a device with its UCI packets and reads everything it
/// gets.
final class PageClient: Sendable {
  private let descriptor: Int32
  private let octets = Atomic(0)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - port: The port of the page.
  ///   - device: The device to watch.
  init(port: UInt16, device: Int) throws {
    descriptor = try TCPSockets.connect(host: "127.0.0.1", port: port, timeout: .seconds(5))
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    let lines = [
      "GET /socket?token= HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: nearby-world", "", "",
    ]
    try write(Array(lines.joined(separator: "\r\n").utf8))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0, String(decoding: buffer[..<count], as: UTF8.self).contains(" 101 ") else {
      close(descriptor)
      throw BenchmarkFailure(description: "the page's socket was refused")
    }
    let order = Array(#"{"do":"watch","device":\#(device),"uci":true}"#.utf8)
    // A final text frame, masked with zeros.
    try write([0x81, 0x80 | UInt8(order.count), 0, 0, 0, 0] + order)
    Thread.detachNewThread { [self] in read() }
  }

  private func write(_ octets: [UInt8]) throws {
    guard send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL)) == octets.count else {
      throw BenchmarkFailure(description: "the page's socket takes nothing")
    }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      octets.add(count, ordering: .relaxed)
    }
    close(descriptor)
    ended.signal()
  }

  /// Octets read so far.
  var heard: Int { octets.load(ordering: .relaxed) }

  func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    ended.wait()
  }
}
