import CNearbyOpenSSL
import Foundation
import NearbyPeerNetwork

/// Plain TLS 1.3 over loopback: blocking calls, one thread per side.
enum TLSCeiling {
  struct Unavailable: Error {}

  /// - Returns: Gbit/s, the best of three runs.
  static func gigabits(messageSize: Int) throws -> Double {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("ceiling-\(getpid()).pem")
    try Data(try PeerKey.generate().pem()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try (0..<3).map { _ in try once(messageSize, file.path) }.max() ?? 0
  }

  private static func once(_ size: Int, _ path: String) throws -> Double {
    guard let context = SSL_CTX_new(TLS_method()) else { throw Unavailable() }
    defer { SSL_CTX_free(context) }
    SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256")
    SSL_CTX_use_certificate_file(context, path, SSL_FILETYPE_PEM)
    SSL_CTX_use_PrivateKey_file(context, path, SSL_FILETYPE_PEM)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
    SSL_CTX_set_default_read_buffer_len(context, 4 * (16 * 1024 + 256))
    let (near, far) = try connect()
    defer {
      close(near)
      close(far)
    }
    let total = 1 << 30
    // OpenSSL locks and reference-counts what threads share of a context.
    nonisolated(unsafe) let shared = context
    let reader = Thread {
      guard let connection = SSL_new(shared) else { return }
      SSL_set_fd(connection, far)
      SSL_accept(connection)
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      var left = total
      while left > 0 {
        let count = SSL_read(connection, &buffer, Int32(buffer.count))
        guard count > 0 else { break }
        left -= Int(count)
      }
      var one: UInt8 = 1
      SSL_write(connection, &one, 1)
      SSL_free(connection)
    }
    reader.start()
    guard let connection = SSL_new(context) else { throw Unavailable() }
    defer { SSL_free(connection) }
    SSL_set_fd(connection, near)
    guard SSL_connect(connection) == 1 else { throw Unavailable() }
    let message = [UInt8](repeating: 0x5A, count: size)
    let start = ContinuousClock.now
    for _ in 0..<(total / size) {
      guard SSL_write(connection, message, Int32(size)) > 0 else { throw Unavailable() }
    }
    var answer: UInt8 = 0
    SSL_read(connection, &answer, 1)
    return Double(total) * 8 / 1e9 / (ContinuousClock.now - start).seconds
  }

  private static func connect() throws -> (Int32, Int32) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let near = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(listener, place, size) == 0 && listen(listener, 1) == 0
          && getsockname(listener, place, &size) == 0 && Foundation.connect(near, place, size) == 0
      }
    }
    guard isConnected else { throw Unavailable() }
    return (near, accept(listener, nil, nil))
  }
}
