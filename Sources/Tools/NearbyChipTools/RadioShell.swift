import Dispatch
import Foundation
import NearbyConcurrency
import NearbyRadioLinks
import NearbySchedule
import NearbyUCI
import Synchronization

/// Runs one UCI host on a link in real time, for tools that talk to a chip themselves.
///
/// Everything happens on one serial queue; the host is behind a lock. Events are reported on that queue, never
/// under the lock and never inside `perform`. The owner says by `consumed` that it is done with an event: while too
/// many events and octets wait, the link does not read, and the chip has to wait.
package final class RadioShell: Sendable {
  /// What the owner is notified of.
  package enum Event: Equatable, Sendable {
    case host(UCIHost.Event, at: Duration)
    /// The link's end; nothing comes after it.
    case closed(LinkError?)
  }

  /// Octets of memory that events and received octets may take while they wait.
  private static let windowLimit = 256 * 1024
  /// What an event counts as that its owner has not consumed: more than it takes in memory.
  private static let eventSize = 512
  /// What a received octet counts as, for the shortest packet has four and may become an event.
  private static let octetSize = eventSize / 4

  private let host: Mutex<UCIHost>
  private let link: any UCILink
  private let window: ReceiveWindow
  private let queue: DispatchQueue
  /// Dispatch allows its use from any thread; it is set on the queue only.
  private let timer: UncheckedSendable<any DispatchSourceTimer>
  private let report: @Sendable (Event) -> Void
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - link: Not started yet; owned from now on.
  ///   - dialect: For chips that mix the forms; `nil` lets the chip's version decide.
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

  /// Asks something of the host; from any thread.
  package func perform(_ body: @escaping @Sendable (inout UCIHost, Duration) -> [UCIHost.Action]) {
    enqueue(body)
  }

  /// The owner is done with one `.host` event; from any thread.
  package func consumed() { window.remove(Self.eventSize) }

  /// What waits: an event counts as 512, a received octet as 128.
  package var backlog: Int { window.waiting }

  /// Ends the link.
  package func close() { link.close() }

  /// Reads the host.
  package func withHost<Result: Sendable>(_ body: (borrowing UCIHost) -> Result) -> Result {
    host.withLock { body($0) }
  }

  /// The time on the clock that events have.
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
      // The link's own end says why; a link that is merely full is a chip that does not read.
      link.close()
    }
  }

  private func setTimer(_ wake: Duration, now: Duration) {
    let wait = min(max(wake - now, .zero), .seconds(3600))
    timer.value.schedule(deadline: .now() + .nanoseconds(Int(clamping: wait.inNanoseconds)))
  }
}
