import Foundation
import NearbyBluetooth

@testable import NearbyDevice

/// Values that come from other threads, to be waited for in order.
///
/// `@unchecked Sendable`: the list is touched with the condition's lock held.
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

  /// Takes the first that `pick` wants; what came before it is dropped.
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

  /// The next, whatever it is.
  func next() throws -> Value { try next("anything") { $0 } }
}

/// A user of Bluetooth, who notes what it hears.
final class Listener: BluetoothSink {
  let events = Inbox<BluetoothEvent>()
  func received(_ event: BluetoothEvent) { events.put(event) }

  func state(_ wanted: BluetoothState) throws {
    try events.next("\(wanted)") { event in
      if case .state(wanted) = event { () } else { nil }
    }
  }

  /// The next state, whatever it is.
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
