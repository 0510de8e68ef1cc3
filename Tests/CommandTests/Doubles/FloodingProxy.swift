import Foundation
import NearbyRadioLinks
import Synchronization

/// Forwards octets between a host and its chip, and floods the host with notifications once a session runs.
final class FloodingProxy: Sendable {
  private struct State {
    var host: Int32?
    var chip: Int32?
    var isClosed = false
    var flooded = 0
  }

  let radio: String
  private let listener: Int32
  private let state = Mutex(State())
  /// CORE_GENERIC_ERROR_NTF, a thousand at once.
  private static let flood = [[UInt8]](repeating: [0x60, 0x07, 0x00, 0x01, 0x01], count: 1000).flatMap(\.self)
  /// SESSION_START_RSP.
  private static let started: [UInt8] = [0x42, 0x00]

  init(to radio: String) throws {
    guard case .tcp(let host, let port) = try RadioAddress(radio) else { throw LinkError.unknownHost(radio) }
    let (listener, ownPort) = try TCPSockets.listen(host: "127.0.0.1", port: 0)
    self.listener = listener
    self.radio = "tcp:127.0.0.1:\(ownPort)"
    let chip = try TCPSockets.connect(host: host, port: port, timeout: .seconds(5))
    state.withLock { $0.chip = chip }
    Thread.detachNewThread { [self] in serve(chip) }
  }

  var flooded: Int { state.withLock { $0.flooded } }

  func close() { end { Foundation.close($0) } }

  func reset() {
    end { descriptor in
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      return Foundation.close(descriptor)
    }
  }

  private func end(_ close: (Int32) -> Int32) {
    state.withLock { state in
      state.isClosed = true
      for descriptor in [state.host, state.chip].compactMap(\.self) { _ = close(descriptor) }
      (state.host, state.chip) = (nil, nil)
    }
    Foundation.close(listener)
  }

  private func serve(_ chip: Int32) {
    wait(listener, Int16(POLLIN))
    guard let host = try? TCPSockets.accept(from: listener) else { return }
    state.withLock { $0.host = host }
    var isFlooding = false
    while true {
      if let octets = read(host) { write(octets, to: chip) }
      if let octets = read(chip) {
        write(octets, to: host)
        if octets.firstRange(of: Self.started) != nil { isFlooding = true }
      }
      let isClosed = state.withLock { $0.isClosed }
      if isClosed { return }
      if isFlooding { flood(host) } else { wait(chip, Int16(POLLIN), limit: 1) }
    }
  }

  private func read(_ descriptor: Int32) -> [UInt8]? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }

  /// Writes all octets, so that packets stay whole.
  private func write(_ octets: [UInt8], to descriptor: Int32) {
    var rest = octets[...]
    while !rest.isEmpty {
      let isDone = state.withLock { state in
        if state.isClosed { return true }
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { rest = rest.dropFirst(count) }
        return count < 0 && errno != EAGAIN
      }
      if isDone { return }
      if !rest.isEmpty { wait(descriptor, Int16(POLLOUT), limit: 1) }
    }
  }

  private func flood(_ host: Int32) {
    write(Self.flood, to: host)
    state.withLock { $0.flooded += 1000 }
  }

  private func wait(_ descriptor: Int32, _ events: Int16, limit: Int32 = 20_000) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    poll(&entry, 1, limit)
  }
}
