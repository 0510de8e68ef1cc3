import CNearbyLinux
import Glibc
import NearbyEventLoop

/// Listens to the events that a controller sends to the kernel. It does not start a scan itself.
///
/// Requires the capability `CAP_NET_RAW`. Source: the raw HCI channel in the Linux kernel's
/// `include/net/bluetooth/hci_sock.h`.
final class HCISocket {
  private static let family: Int32 = 31
  private static let hci: Int32 = 1
  private static let filterLevel: Int32 = 0
  private static let filterOption: Int32 = 2
  /// Code of LE meta events.
  private static let event: UInt32 = 0x3E

  private let descriptor: Int32
  private let loop: EventLoop

  /// - Parameter report: Called on the loop's thread with each report.
  init?(adapter: String, on loop: EventLoop, _ report: @escaping (AdvertisingReport) -> Void) {
    guard let name = adapter.split(separator: "/").last, name.hasPrefix("hci"),
      let number = UInt16(name.dropFirst(3))
    else { return nil }
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(Self.family, kind, Self.hci)
    self.loop = loop
    guard descriptor >= 0 else { return nil }
    guard Self.bind(descriptor, to: number) else {
      Glibc.close(descriptor)
      return nil
    }
    let readable: (EventLoop.Readiness) -> Void = { [descriptor, weak loop] _ in
      var packet = [UInt8](repeating: 0, count: 264)
      // Read all waiting packets, but at most 64 per turn, so that other descriptors get their turn.
      for _ in 0..<64 {
        let count = read(descriptor, &packet, packet.count)
        guard count > 0 else {
          // The controller is gone.
          if count == 0 || (errno != EAGAIN && errno != EINTR) { loop?.unwatch(descriptor) }
          return
        }
        AdvertisingReport.reports(in: Array(packet.prefix(count))).forEach(report)
      }
    }
    guard (try? loop.watch(descriptor, for: .readable, readable)) != nil else {
      Glibc.close(descriptor)
      return nil
    }
  }

  /// Selects the reports of a controller.
  ///
  /// - Returns: Whether that is permitted.
  private static func bind(_ descriptor: Int32, to controller: UInt16) -> Bool {
    // struct hci_filter: type mask, 64-bit event mask, opcode. Selects only events, and only this one.
    var filter: [UInt32] = [1 << 4, 0, 1 << (event - 32), 0]
    let size = socklen_t(filter.count * MemoryLayout<UInt32>.size)
    guard setsockopt(descriptor, filterLevel, filterOption, &filter, size) == 0 else { return false }
    // struct sockaddr_hci: family, device, channel 0.
    var address: [UInt16] = [UInt16(family), controller, 0]
    return address.withUnsafeMutableBytes { octets in
      guard let start = octets.baseAddress else { return false }
      let pointer = start.assumingMemoryBound(to: sockaddr.self)
      return Glibc.bind(descriptor, pointer, socklen_t(octets.count)) == 0
    }
  }

  func close() {
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
  }
}
