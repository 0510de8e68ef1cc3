// Declarations of the C library come from whichever of these modules the compiler imports first.
import CNearbyAvahi
import CNearbyLinux
import Foundation
import NearbyEventLoop

/// Datagrams to one peer beside a channel: DTLS 1.2 with a key exported from the channel's TLS, or plain
/// text.
///
/// Both sockets are connected to each other, so a stranger's datagrams do not reach the library. Used on its
/// loop's thread only.
final class DatagramAssociation {
  /// Label for exporting the key.
  static let keyLabel = "EXPORTER-nearby-datagrams"
  static let keyCount = 32
  /// Largest payload of one record.
  private static let recordLimit = 16 * 1024
  /// Datagrams read in one turn, so that a flood does not keep the loop from its channels.
  private static let turnLimit = 64

  private let loop: EventLoop
  private let descriptor: Int32
  private let isIPv6: Bool
  private let isClient: Bool
  private let key: [UInt8]?
  private let opened: (Int) -> Void
  private let receive: (Span<UInt8>) -> Void
  /// Exists from `open` on, if there is a key.
  private var session: DatagramSession?
  private let start = ContinuousClock.now
  private var alarm: (id: UInt64, due: Duration)?
  private var isOpen = false
  private var isClosed = false
  private var hasReportedOpened = false
  /// Why the system did not accept the last datagram; 0 if it did.
  private var sendingFault: Int32 = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private(set) var limit = 0

  let port: UInt16

  /// Opens a socket beside a channel's.
  ///
  /// - Parameters:
  ///   - local: This side's address of the channel, so that datagrams use the same path.
  ///   - key: Exported from the channel; `nil` sends plain text.
  ///   - opened: Called once, when datagrams can be exchanged, with the size of the largest.
  init(
    loop: EventLoop, local: SocketAddress, isClient: Bool, key: [UInt8]?, opened: @escaping (Int) -> Void,
    receive: @escaping (Span<UInt8>) -> Void
  ) throws(NetworkError) {
    self.loop = loop
    self.isClient = isClient
    self.key = key
    self.opened = opened
    self.receive = receive
    isIPv6 = local.isIPv6
    var place = local
    place.port = 0
    descriptor = try Sockets.datagrams(at: place)
    port = Sockets.localAddress(of: descriptor)?.port ?? 0
  }

  deinit {
    // An association that was not closed still has its socket.
    if !isClosed { Foundation.close(descriptor) }
  }

  private var now: Duration { ContinuousClock.now - start }
  /// Whether datagrams can be exchanged.
  var isReady: Bool { isOpen && !isClosed && (session?.isReady ?? true) }

  /// Starts, once the other side's port is known.
  func open(to remote: SocketAddress) throws(NetworkError) {
    try Sockets.join(descriptor, to: remote)
    findLimit()
    if let key {
      session = try DatagramSession(
        isClient: isClient, key: key, mtu: Sockets.pathMTU(of: descriptor, isIPv6: isIPv6) - headers,
        send: { [weak self] in self?.transmit($0) }, receive: { [weak self] in self?.receive($0) })
    }
    isOpen = true
    try loop.watchSocket(descriptor, for: .readable) { [weak self] _ in self?.readable() }
    session?.begin(at: now)
    reportAndSetAlarm()
  }

  func close() {
    guard !isClosed else { return }
    session?.close()
    isClosed = true
    loop.cancel(alarm?.id)
    loop.unwatch(descriptor)
    Foundation.close(descriptor)
  }

  /// Sends one datagram at once; it may be lost.
  ///
  /// - Throws: `.noDatagrams` or `.tooLarge`.
  func send(_ octets: [UInt8]) throws(NetworkError) {
    guard isReady else { throw .noDatagrams }
    guard octets.count <= limit, !octets.isEmpty else { throw .tooLarge(limit: limit) }
    sendingFault = 0
    if let session { session.send(octets) } else { transmit(octets.span) }
    // If the socket is full or the peer is away for a moment, the datagram is lost, as any may be.
    guard sendingFault == EMSGSIZE else { return }
    findLimit()
    throw .tooLarge(limit: limit)
  }

  private var headers: Int { isIPv6 ? 48 : 28 }

  private func findLimit() {
    let cost = headers + (key == nil ? 0 : DatagramSession.recordCost)
    limit = min(Self.recordLimit, Sockets.pathMTU(of: descriptor, isIPv6: isIPv6) - cost)
  }

  private func transmit(_ octets: Span<UInt8>) {
    guard !isClosed else { return }
    let result = octets.withUnsafeBufferPointer {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    sendingFault = result < 0 ? errno : 0
  }

  private func readable() {
    for _ in 0..<Self.turnLimit where !isClosed {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else {
        // An error from an earlier datagram that was refused says nothing about the next ones.
        if errno == ECONNREFUSED { continue }
        break
      }
      guard count > 0 else { continue }
      let octets = buffer.span.extracting(first: count)
      if let session { session.received(octets, at: now) } else { receive(octets) }
    }
    reportAndSetAlarm()
  }

  /// Reports when the association becomes ready, and sets the alarm for the next wake.
  private func reportAndSetAlarm() {
    guard !isClosed else { return }
    let due = session?.wakesAt
    if due != alarm?.due {
      loop.cancel(alarm?.id)
      alarm = due.map { due in (loop.schedule(after: due - now) { [weak self] in self?.wake() }, due) }
    }
    guard isReady, !hasReportedOpened else { return }
    hasReportedOpened = true
    opened(limit)
  }

  private func wake() {
    alarm = nil
    session?.wake(at: now)
    reportAndSetAlarm()
  }
}
