import Foundation
import NearbyDeviceMachine
import Synchronization

extension CLMonitor {
  /// A monitor's events. Concurrent iterations each receive every event.
  public struct Events: AsyncSequence, Sendable {
    /// The type of the sequence's elements.
    public typealias Element = Event
    let hub: MonitorHub

    /// Iterates over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
      var stream: AsyncStream<Event>.AsyncIterator

      /// The next event, or `nil` once the monitor was released.
      public mutating func next() async throws -> Event? { await stream.next() }
    }

    /// Starts an iteration at the current event.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(stream: hub.makeStream().makeAsyncIterator())
    }
  }
}

/// Distributes a monitor's events to all iterations in progress.
final class MonitorHub: LocationSink {
  private struct Contents: Sendable {
    var backlog: [CLMonitor.Event] = []
    var lookers: [Int: AsyncStream<CLMonitor.Event>.Continuation] = [:]
    var last = 0
    var hasEnded = false
  }

  /// Maximum number of events kept while there is no iteration; beyond it the oldest are dropped.
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
