import Foundation
import NearbyRadioLinks

/// A browser's socket at the level of octets. Reading blocks for at most 10 s.
final class WebVisitor {
  private let descriptor: Int32
  private(set) var heard: [UInt8] = []
  private(set) var isEnded = false

  init(host: String = "127.0.0.1", port: UInt16) throws {
    descriptor = try TCPSockets.connect(host: host, port: port, timeout: .seconds(5))
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// - Returns: Whether all octets were sent.
  @discardableResult
  func send(_ octets: [UInt8]) -> Bool {
    var sent = 0
    while sent < octets.count {
      let count = octets[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, 0x4000)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func get(_ path: String, host: String = "here", headers: [String] = []) {
    send(
      Array(
        (["GET \(path) HTTP/1.1", "Host: \(host)"] + headers + ["", ""]).joined(separator: "\r\n").utf8))
  }

  /// Requests an upgrade to the page's socket.
  ///
  /// - Returns: The answer's status line.
  func upgrade(
    _ path: String = "/socket?token=secret", host: String = "here", origin: String? = nil,
    headers: [String] = []
  ) -> String {
    get(
      path, host: host,
      headers: [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: nearby-world",
      ] + (origin.map { ["Origin: \($0)"] } ?? []) + headers)
    return status()
  }

  /// The first line of the answer.
  func status() -> String {
    _ = read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
    return String(text.prefix { !$0.isNewline })
  }

  var text: String { String(decoding: heard, as: UTF8.self) }

  /// Closes the sending side.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads until `isEnough` returns `true`, or to the end.
  ///
  /// - Parameters:
  ///   - limit: Milliseconds to wait for each part.
  ///   - isEnough: Whether the octets so far are enough.
  func read(within limit: Int32 = 10_000, _ isEnough: ([UInt8]) -> Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(heard) {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard !isEnded, poll(&waiting, 1, limit) > 0 else { return false }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else {
        isEnded = true
        return false
      }
      heard += buffer[..<count]
    }
    return true
  }

  /// Reads to the end.
  ///
  /// - Returns: Whether the connection ended.
  func readsEnd(within limit: Int32 = 10_000) -> Bool {
    _ = read(within: limit) { _ in false }
    return isEnded
  }

  /// A message as one masked frame.
  static func frame(_ payload: [UInt8], opcode: UInt8 = 1) -> [UInt8] {
    var frame: [UInt8] = [0x80 | opcode]
    if payload.count < 126 {
      frame.append(0x80 | UInt8(payload.count))
    } else {
      frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    }
    let mask: [UInt8] = [1, 2, 3, 4]
    frame += mask
    for (index, octet) in payload.enumerated() { frame.append(octet ^ mask[index % 4]) }
    return frame
  }
}
