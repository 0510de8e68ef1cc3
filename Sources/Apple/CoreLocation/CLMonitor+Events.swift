import Foundation
import NearbyDeviceMachine
import Synchronization

extension CLMonitor {
  /// A monitor's events. Who looks at the same time as others hears the same.
  public struct Events: AsyncSequence, Sendable {
    /// What happens.
    public typealias Element = Event
    let hub: MonitorHub

    /// Waits for events, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var stream: AsyncStream<Event>.AsyncIterator

      /// The next event; `nil` when the monitor is gone.
      public mutating func next() async throws -> Event? { await stream.next() }
    }

    /// Looks from now on.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(stream: hub.makeStream().makeAsyncIterator())
    }
  }
}

/// Hands a monitor's events to whoever looks.
final class MonitorHub: LocationSink {
  private struct Contents: Sendable {
    var backlog: [CLMonitor.Event] = []
    var lookers: [Int: AsyncStream<CLMonitor.Event>.Continuation] = [:]
    var last = 0
    var hasEnded = false
  }

  /// Events that wait for the first look; the oldest go where there are more.
  private static let patience = 1000
  private let contents = Mutex(Contents())

  func received(_ event: LocationEvent) {
    guard case .condition(let happened) = event else { return }
    let event = CLMonitor.Event(happened)
    let lookers = contents.withLock { contents in
      if contents.lookers.isEmpty {
        contents.backlog.append(event)
        if contents.backlog.count > Self.patience { contents.backlog.removeFirst() }
      }
      return contents.lookers.sorted { $0.key < $1.key }.map(\.value)
    }
    for looker in lookers { looker.yield(event) }
  }

  func makeStream() -> AsyncStream<CLMonitor.Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: CLMonitor.Event.self)
    let (number, backlog, hasEnded) = contents.withLock { contents in
      contents.last += 1
      contents.lookers[contents.last] = continuation
      defer { contents.backlog = [] }
      return (contents.last, contents.backlog, contents.hasEnded)
    }
    continuation.onTermination = { [weak self] _ in
      self?.contents.withLock { _ = $0.lookers.removeValue(forKey: number) }
    }
    for event in backlog { continuation.yield(event) }
    if hasEnded { continuation.finish() }
    return stream
  }

  func end() {
    let lookers = contents.withLock { contents in
      contents.hasEnded = true
      return contents.lookers.values.map(\.self)
    }
    for looker in lookers { looker.finish() }
  }
}
