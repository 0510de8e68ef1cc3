import Dispatch
import Foundation
import NearbyConcurrency
import NearbyRadioLinks
import NearbyUCI
import Synchronization

/// Runs one UCI host on a link in real time, for tools that talk to a chip themselves.
///
/// All work is done on one serial queue, and a lock protects the host. Events are reported on that queue,
/// never under the lock and never inside `perform`. The owner calls `consumed` when it has processed an
/// event. While too many events and octets are pending, the shell does not read from the link, so that the
/// chip has to wait.
package final class RadioShell: Sendable {
  /// An event for the owner.
  package enum Event: Equatable, Sendable {
    case host(UCIHost.Event, at: Duration)
    /// The link has closed. This is the last event.
    case closed(LinkError?)
  }

  /// The limit on memory for unconsumed events and unprocessed octets.
  private static let windowLimit = 256 * 1024
  /// What an unconsumed event counts as, in octets: more than it takes in memory.
  private static let eventSize = 512
  /// What a received octet counts as: the shortest packet has four octets and may become an event.
  private static let octetSize = eventSize / 4

  private let host: Mutex<UCIHost>
  private let link: any UCILink
  private let window: ReceiveWindow
  private let queue: DispatchQueue
  /// Dispatch allows the timer to be used from any thread. It is only set on the queue.
  private let timer: UncheckedSendable<any DispatchSourceTimer>
  private let report: @Sendable (Event) -> Void
  private let start = ContinuousClock.now

  /// Creates a shell for one link.
  ///
  /// - Parameters:
  ///   - link: A link that has not been started. The shell owns it from now on.
  ///   - dialect: A fixed dialect, for chips that mix the variants; with `nil` the chip's version decides.
  ///   - report: Called on the shell's queue with each event.
  package init(link: any UCILink, dialect: UCIDialect? = nil, report: @escaping @Sendable (Event) -> Void) {
    host = Mutex(UCIHost(dialect: dialect))
    self.link = link
    window = ReceiveWindow(link, limit: Self.windowLimit)
    self.report = report
    queue = DispatchQueue(label: "nearby.radio")
    timer = UncheckedSendable(DispatchSource.makeTimerSource(queue: queue))
    timer.value.setEventHandler { [weak self] in self?.feed { $0.timePassed(at: $1) } }
    timer.value.activate()
  }

  deinit { timer.value.cancel() }

  /// Starts the link and brings the chip up.
  package func begin() {
    link.start(
      onReceive: { [weak self] octets in self?.received(octets) },
      onClose: { [weak self] error in
        self?.enqueue { host, _ in host.linkClosed() }
        self?.queue.async { [weak self] in self?.report(.closed(error)) }
      })
    enqueue { $0.start(at: $1) }
  }

  /// Runs a request on the host. May be called from any thread.
  package func perform(_ body: @escaping @Sendable (inout UCIHost, Duration) -> [UCIHost.Action]) {
    enqueue(body)
  }

  /// Call this when one `.host` event has been processed. May be called from any thread.
  package func consumed() { window.remove(Self.eventSize) }

  /// The amount pending: an event counts as 512, a received octet as 128.
  package var backlog: Int { window.waiting }

  /// Ends the link.
  package func close() { link.close() }

  /// Calls `body` with the host, under the lock.
  package func withHost<Result: Sendable>(_ body: (borrowing UCIHost) -> Result) -> Result {
    host.withLock { body($0) }
  }

  /// The current time on the clock of the events.
  package var now: Duration { ContinuousClock.now - start }

  // MARK: The loop

  private func received(_ octets: [UInt8]) {
    let size = Self.eventSize + octets.count * Self.octetSize
    window.add(size)
    queue.async { [weak self, window] in
      self?.feed { $0.received(octets, at: $1) }
      window.remove(size)
    }
  }

  private func enqueue(_ body: @escaping @Sendable (inout UCIHost, Duration) -> [UCIHost.Action]) {
    queue.async { [weak self] in self?.feed(body) }
  }

  private func feed(_ body: (inout UCIHost, Duration) -> [UCIHost.Action]) {
    let now = ContinuousClock.now - start
    let actions = host.withLock { body(&$0, now) }
    for action in actions {
      switch action {
      case .send(let octets): transmit(octets)
      case .report(let event):
        window.add(Self.eventSize)
        report(.host(event, at: now))
      case .wake(let time): setTimer(time, now: now)
      }
    }
  }

  private func transmit(_ octets: [UInt8]) {
    do throws(LinkError) {
      try link.send(octets)
    } catch {
      // The link reports the reason itself when it closes. If its queue is merely full, the chip has
      // stopped reading.
      link.close()
    }
  }

  private func setTimer(_ wake: Duration, now: Duration) {
    let wait = max(0, (wake - now) / .nanoseconds(1))
    timer.value.schedule(deadline: .now() + .nanoseconds(Int(min(wait, 3.6e12))))
  }
}
