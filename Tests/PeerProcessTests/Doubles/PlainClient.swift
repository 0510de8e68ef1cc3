import Foundation

/// A stranger that sends plaintext.
enum PlainClient {
  /// Sends text to a port of this machine, and reads until the other side closes the connection.
  ///
  /// - Returns: Whether it was closed within a minute.
  static func talk(_ text: String, to port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return false }
    var octets = Array(text.utf8)
    _ = send(descriptor, &octets, octets.count, Int32(MSG_NOSIGNAL))
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { return true }
      if count < 0 { return errno != EAGAIN && errno != EINTR }
    }
  }
}

extension ProbeProcess {
  private var folder: String { "/proc/\(processIdentifier)" }

  /// How many descriptors the process has.
  var descriptorCount: Int { descriptors.count }

  private var descriptors: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")) ?? []
  }

  /// The lines of the kernel's tables of TCP sockets that belong to the process, by column. Columns as in
  /// Linux, Documentation/networking/proc_net_tcp.rst: 1 local address, 3 state, 9 inode.
  private var sockets: [[Substring]] {
    let own = Set(
      descriptors.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")
      })
    return ["tcp6", "tcp"].flatMap { table in
      let text = (try? String(contentsOfFile: "\(folder)/net/\(table)", encoding: .utf8)) ?? ""
      return text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        .filter { $0.count > 9 && own.contains("socket:[\($0[9])]") }
    }
  }

  /// The port on which the process accepts connections.
  var listeningPort: UInt16? {
    sockets.first { $0[3] == "0A" }?[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
  }
}
