import Foundation
import NearbyPeerNetwork
import TestSupport

/// Writes multicast DNS answers, valid or not, and sends them from a neighbour's address.
struct HostileRecords {
  private var records: [UInt8] = []
  private var count: UInt16 = 0

  static func name(_ labels: [[UInt8]]) -> [UInt8] {
    labels.flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0 } + [0]
  }

  static func labels(_ text: String) -> [[UInt8]] { text.split(separator: ".").map { Array($0.utf8) } }

  mutating func add(_ name: [UInt8], type: UInt16, flush: Bool = false, life: UInt32, _ data: [UInt8]) {
    count += 1
    records += name + [UInt8(type >> 8), UInt8(type & 0xFF), flush ? 0x80 : 0, 1]
    records += (0..<4).map { UInt8(truncatingIfNeeded: life >> (24 - 8 * $0)) }
    records += [UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
  }

  /// A whole service: its PTR, SRV and TXT records, and its host's address if given.
  mutating func addService(
    _ instance: [UInt8], type: String, port: UInt16, host: [UInt8], text: [UInt8], address: [UInt8]? = nil,
    life: UInt32 = 120
  ) {
    let kind = Self.labels(type + ".local")
    let whole = Self.name([instance] + kind)
    add(Self.name(kind), type: 12, life: life, whole)
    add(whole, type: 33, flush: true, life: life, [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] + host)
    add(whole, type: 16, flush: true, life: life, text)
    if let address { add(host, type: 1, flush: true, life: life, address) }
  }

  /// The message: an authoritative answer.
  var octets: [UInt8] { [0, 0, 0x84, 0, 0, 0, UInt8(count >> 8), UInt8(count & 0xFF), 0, 0, 0, 0] + records }

  /// Sends from the IPv4 interface with the given address.
  static func send(_ messages: [[UInt8]], from host: String) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var one: Int32 = 1
    var hops: Int32 = 255
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, size)
    // IP_MULTICAST_TTL, IP_MULTICAST_IF
    setsockopt(descriptor, Int32(IPPROTO_IP), 33, &hops, size)
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    own.sin_port = UInt16(5353).bigEndian
    var interface = in_addr()
    inet_pton(AF_INET, host, &interface)
    setsockopt(descriptor, Int32(IPPROTO_IP), 32, &interface, socklen_t(MemoryLayout<in_addr>.size))
    let bound = withUnsafePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0 else { throw NetworkError.system(call: "bind", errno: errno) }
    inet_pton(AF_INET, "224.0.0.251", &own.sin_addr)
    for message in messages {
      let sent = withUnsafePointer(to: &own) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, message, message.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard sent == message.count else { throw NetworkError.system(call: "sendto", errno: errno) }
    }
  }
}
