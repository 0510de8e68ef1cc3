import Foundation
import Glibc

/// Connects a byte stream, on which a controller speaks H4, to a new virtual controller of the kernel
/// (`/dev/vhci`).
///
/// The stream has no packet boundaries, while the device expects one whole packet per call. Source: Bluetooth
/// Core 5.4, volume 4, part A, 2 (H4's types) and part E, 5.4 (their headers).
struct HCIRelay {
  private static let vendor: UInt8 = 0xFF

  private let port: Int32
  private let controller: Int32

  init(_ path: String) throws {
    port = open(path, O_RDWR)
    controller = open("/dev/vhci", O_RDWR)
    try check(port >= 0 && controller >= 0, "open \(path), /dev/vhci: errno \(errno)")
  }

  func run() throws {
    try writeAll([Self.vendor, 0], to: controller)
    var waiting: [UInt8] = []
    var isPortOpen = true
    while true {
      var ready = [pollfd(fd: port, events: Int16(POLLIN), revents: 0)]
      ready.append(pollfd(fd: controller, events: Int16(POLLIN), revents: 0))
      // While the stream's other end is closed, the stream is always reported as hung up. Only the controller is
      // waited for then, and the stream is looked at every 10 ms.
      if !isPortOpen { _ = poll(&ready[1], 1, 10) }
      try check(poll(&ready, 2, isPortOpen ? -1 : 0) >= 0 || errno == EINTR, "poll: errno \(errno)")
      isPortOpen = ready[0].revents & ~Int16(POLLIN) == 0
      if ready[1].revents & Int16(POLLIN) != 0 {
        let packet = readSome(controller)
        // The driver's own answer names the new controller. It is not for the stream.
        if let kind = packet.first, kind != Self.vendor { try writeAll(packet, to: port) }
      }
      if ready[0].revents & Int16(POLLIN) != 0 {
        waiting += readSome(port)
        while let length = try packetLength(waiting), length <= waiting.count {
          try writeAll(Array(waiting.prefix(length)), to: controller)
          waiting.removeFirst(length)
        }
      }
    }
  }

  /// - Returns: `nil` if the header is incomplete.
  private func packetLength(_ octets: [UInt8]) throws -> Int? {
    guard let kind = octets.first else { return nil }
    switch kind {
    case 1, 3: return octets.count < 4 ? nil : 4 + Int(octets[3])
    case 2: return octets.count < 5 ? nil : 5 + Int(octets[3]) + Int(octets[4]) << 8
    case 4: return octets.count < 3 ? nil : 3 + Int(octets[2])
    case 5: return octets.count < 5 ? nil : 5 + Int(octets[3]) + Int(octets[4] & 0x3F) << 8
    default: throw Failed("no H4 packet begins with \(kind)")
    }
  }

  private func readSome(_ descriptor: Int32) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &octets, octets.count)
    return Array(octets.prefix(max(0, count)))
  }

  private func writeAll(_ octets: [UInt8], to descriptor: Int32) throws {
    var left = octets[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EAGAIN || errno == EINTR {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&room, 1, -1)
        continue
      }
      try check(count > 0, "write: errno \(errno)")
      left = left.dropFirst(count)
    }
  }
}
