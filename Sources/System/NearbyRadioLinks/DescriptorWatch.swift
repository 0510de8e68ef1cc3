import CNearbyLinux
import Foundation
import Synchronization

/// Notifies the owners of descriptors that octets arrived, that there is room to write, or that the other
/// side hung up.
///
/// The process has one epoll instance and one thread for this. Events are edge-triggered: a handler is called
/// once per change, and its owner must read and write until the system reports EAGAIN. A Dispatch source
/// would not work: it drops a hang-up that arrives together with unread octets, and reports no hang-up while
/// it is suspended.
final class DescriptorWatch: Sendable {
  /// Called on the watch's thread; must not block.
  typealias Handler = @Sendable (_ hasHungUp: Bool) -> Void
  /// A registration. Numbers are never reused, so that a late event of a closed descriptor is dropped.
  struct Token: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct State {
    /// The epoll instance, created on first use.
    var poll: Int32?
    var handlers: [UInt64: Handler] = [:]
    var last: UInt64 = 0
  }

  static let shared = DescriptorWatch()
  private static let eventCount = 64
  private static let hangUps = EPOLLHUP.rawValue | EPOLLERR.rawValue
  private static let watched =
    EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

  private let state = Mutex(State())

  private init() {}

  /// Starts watching; the first event follows immediately.
  ///
  /// - Parameter handler: Retained until `remove`.
  func add(_ descriptor: Int32, _ handler: @escaping Handler) throws(LinkError) -> Token {
    try state.withLock { (state) throws(LinkError) -> Token in
      let poll: Int32
      if let known = state.poll { poll = known } else { poll = try begin() }
      state.poll = poll
      state.last += 1
      var event = epoll_event()
      event.events = Self.watched
      event.data.u64 = state.last
      guard epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
        throw .system(call: "epoll_ctl", errno: errno)
      }
      state.handlers[state.last] = handler
      return Token(number: state.last)
    }
  }

  /// Ends a registration. Call it before closing the descriptor. A call of the handler may still be in
  /// progress.
  func remove(_ descriptor: Int32, _ token: Token) {
    state.withLock { state in
      guard state.handlers.removeValue(forKey: token.number) != nil, let poll = state.poll else { return }
      epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
    }
  }

  private func begin() throws(LinkError) -> Int32 {
    let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poll >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
    let thread = Thread { [self] in run(poll) }
    thread.name = "nearby.links"
    thread.start()
    return poll
  }

  private func run(_ poll: Int32) {
    var events = [epoll_event](repeating: epoll_event(), count: Self.eventCount)
    while true {
      let count = epoll_wait(poll, &events, Int32(events.count), -1)
      guard count >= 0 else {
        precondition(errno == EINTR, "epoll_wait: \(String(cString: strerror(errno)))")
        continue
      }
      for event in events.prefix(Int(count)) {
        let handler = state.withLock { $0.handlers[event.data.u64] }
        handler?(event.events & Self.hangUps != 0)
      }
    }
  }
}
