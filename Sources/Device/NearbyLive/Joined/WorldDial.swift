import Foundation
import NearbyRadioLinks
import NearbyWorldProtocol

/// Joins a world: connects and exchanges the first two messages, blocking.
package struct WorldDial {
  /// Why joining failed.
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case link(LinkError)
    case refused(String)
    /// Another attempt would end the same way.
    case ended(WorldEnd)
    case frame(WorldProtocolError)
    case silent

    package var description: String {
      switch self {
      case .link(let error): "\(error)"
      case .refused(let reason): "refused: \(reason)"
      case .ended(let end): end.reason
      case .frame(let error): "no world: \(error)"
      case .silent: "no world: no answer"
      }
    }
  }

  /// A joined world; the caller owns the descriptor.
  struct Joined {
    var descriptor: Int32
    var welcome: WorldWelcome
    var time: Duration
    /// Has the octets that arrived with the welcome.
    var reader: WorldFrameReader
  }

  package let host: String
  package let port: UInt16
  package let hello: DeviceHello

  package init(host: String, port: UInt16, hello: DeviceHello) {
    self.host = host
    self.port = port
    self.hello = hello
  }

  static let timeout = Duration.seconds(5)

  /// How long another program may hold the device before this one gives up. A program that was just killed
  /// holds it until the world notices.
  static let heldPatience = Duration.seconds(2)
  private static let heldInterval = 0.4

  /// Joins as `join` does, and waits up to `heldPatience` for another program to release the device. Blocks.
  func joinPatiently() throws(Failure) -> Joined {
    let end = ContinuousClock.now + Self.heldPatience
    while true {
      do throws(Failure) {
        return try join()
      } catch {
        guard case .ended(let why) = error, why.cause == .held, ContinuousClock.now < end else { throw error }
        Thread.sleep(forTimeInterval: Self.heldInterval)
      }
    }
  }

  /// Blocks for at most twice `timeout`.
  func join() throws(Failure) -> Joined {
    let descriptor: Int32
    do throws(LinkError) {
      descriptor = try TCPSockets.connect(host: host, port: port, timeout: Self.timeout)
    } catch {
      throw .link(error)
    }
    do throws(Failure) {
      return try greet(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private func greet(_ descriptor: Int32) throws(Failure) -> Joined {
    var octets: [UInt8] = []
    DeviceMessage.hello(hello).frame(at: .zero).write(to: &octets)
    // A new connection's send buffer has room for a few hundred octets.
    guard send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL)) == octets.count else {
      throw .link(.system(call: "send", errno: errno))
    }
    var reader = WorldFrameReader()
    let end = ContinuousClock.now + Self.timeout
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let frame = try next(&reader) { return try joined(frame, descriptor, reader) }
      try waitForInput(descriptor, until: end)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { throw .link(.closedByPeer) }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { continue }
        throw .link(.system(call: "recv", errno: errno))
      }
      reader.append(Array(buffer[..<count]))
    }
  }

  private func next(_ reader: inout WorldFrameReader) throws(Failure) -> WorldFrame? {
    do throws(WorldProtocolError) {
      return try reader.next()
    } catch {
      throw .frame(error)
    }
  }

  private func joined(
    _ frame: WorldFrame, _ descriptor: Int32, _ reader: WorldFrameReader
  ) throws(Failure) -> Joined {
    let message: WorldMessage
    do throws(WorldProtocolError) {
      message = try WorldMessage(frame)
    } catch {
      throw .frame(error)
    }
    switch message {
    case .welcome(let welcome):
      return Joined(descriptor: descriptor, welcome: welcome, time: frame.time, reader: reader)
    case .refused(let reason): throw .refused(reason)
    case .ended(let end): throw .ended(end)
    case .clock, .uci, .pose, .foreground, .answer, .setting, .picked, .observed, .bluetooth:
      throw .frame(WorldProtocolError(field: "kind", offset: 5, problem: "a welcome expected"))
    }
  }

  private func waitForInput(_ descriptor: Int32, until end: ContinuousClock.Instant) throws(Failure) {
    let left = max(.zero, end - ContinuousClock.now)
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, Int32(left / .milliseconds(1))) == 0 { throw .silent }
  }
}
