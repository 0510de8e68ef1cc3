// Declarations of the C library come from whichever of these modules the compiler imports first.
import CNearbyAvahi
import CNearbyLinux
import CNearbyOpenSSL
import Foundation

/// The addresses of this machine's interfaces.
package enum LocalAddresses {
  /// Addresses by index of the interface, each list in a fixed order; interfaces that are down are left out.
  package static func byInterface() -> [Int32: [SocketAddress]] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [:] }
    defer { freeifaddrs(list) }
    var result: [Int32: [SocketAddress]] = [:]
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_UP.rawValue) != 0, let address = SocketAddress(entry.ifa_addr) else {
        continue
      }
      let interface = Int32(clamping: if_nametoindex(entry.ifa_name))
      if interface > 0 { result[interface, default: []].append(address) }
    }
    return result.mapValues { $0.sorted(by: SocketAddress.preferred) }
  }
}

/// Reports when interfaces or their addresses change. Used under its poll's lock.
final class InterfaceWatch {
  private let poll: UnsafePointer<AvahiPoll>?
  private let changed: () -> Void
  private var descriptor: Int32
  private var watch: OpaquePointer?

  /// - Returns: `nil` if the system does not report changes; addresses then stay as they were at the start.
  init?(poll: UnsafePointer<AvahiPoll>?, changed: @escaping () -> Void) {
    self.poll = poll
    self.changed = changed
    descriptor = socket(
      AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), NETLINK_ROUTE)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
      }
    }
    guard result == 0 else {
      Foundation.close(descriptor)
      return nil
    }
    watch = poll?.pointee.watch_new?(
      poll, descriptor, AVAHI_WATCH_IN,
      { _, _, _, context in
        guard let context else { return }
        Unmanaged<InterfaceWatch>.fromOpaque(context).takeUnretainedValue().drainSocket()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func close() {
    if let watch { poll?.pointee.watch_free?(watch) }
    watch = nil
    Foundation.close(descriptor)
    descriptor = -1
  }

  private func drainSocket() {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    // The messages need not be parsed or complete, because `changed` reads the current addresses.
    while recv(descriptor, &buffer, buffer.count, 0) > 0 || errno == ENOBUFS {}
    changed()
  }
}
