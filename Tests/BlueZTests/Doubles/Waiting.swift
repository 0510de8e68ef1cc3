import Foundation
import NearbyBluetooth

@testable import NearbyDevice

/// Values from other threads, for which a test waits in order.
///
/// `@unchecked Sendable`: the list is touched only with the condition's lock held.
final class Inbox<Value: Sendable>: @unchecked Sendable {
  struct Missing: Error { var what: String }

  private let condition = NSCondition()
  private var values: [Value] = []

  func put(_ value: Value) {
    condition.lock()
    values.append(value)
    condition.broadcast()
    condition.unlock()
  }

  /// Returns the first value that `pick` accepts, and drops those before it.
  func next<Picked>(_ what: String, _ pick: (Value) -> Picked?) throws -> Picked {
    let end = Date(timeIntervalSinceNow: 60)
    condition.lock()
    defer { condition.unlock() }
    while true {
      while !values.isEmpty {
        if let picked = pick(values.removeFirst()) { return picked }
      }
      guard condition.wait(until: end) else { throw Missing(what: what) }
    }
  }

  /// The next value of any kind.
  func next() throws -> Value { try next("anything") { $0 } }
}

/// A user of Bluetooth that records its events.
final class Listener: BluetoothSink {
  let events = Inbox<BluetoothEvent>()
  func received(_ event: BluetoothEvent) { events.put(event) }

  func state(_ wanted: BluetoothState) throws {
    try events.next("\(wanted)") { event in
      if case .state(wanted) = event { () } else { nil }
    }
  }

  /// The next state of any kind.
  func nextState() throws -> BluetoothState {
    try events.next("a state") { event in
      if case .state(let state) = event { state } else { nil }
    }
  }

  func sighting() throws -> BluetoothSighting {
    try events.next("a sighting") { event in
      if case .sighted(let sighting) = event { sighting } else { nil }
    }
  }
}
