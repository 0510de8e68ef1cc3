import Dispatch
import Foundation
import NearbyBluetooth
import NearbyDevice

/// The events of a Bluetooth user, for which a probe can wait.
///
/// `@unchecked Sendable`: the list is touched only with the condition's lock held.
final class Heard: BluetoothSink, @unchecked Sendable {
  struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  private let condition = NSCondition()
  private var events: [BluetoothEvent] = []
  private let isLoud: Bool

  init(isLoud: Bool = true) { self.isLoud = isLoud }

  func received(_ event: BluetoothEvent) {
    if isLoud { Probe.say("\(event)") }
    condition.lock()
    events.append(event)
    condition.signal()
    condition.unlock()
  }

  /// Returns the first event that `pick` accepts, and drops those before it.
  ///
  /// - Parameters:
  ///   - what: What is expected, for the error message.
  ///   - seconds: The time-out. It is long because the machine may be emulated and busy.
  func wait<Value>(
    for what: String, seconds: Double = 150, _ pick: (BluetoothEvent) -> Value?
  ) throws -> Value {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while true {
      while !events.isEmpty {
        if let value = pick(events.removeFirst()) { return value }
      }
      guard condition.wait(until: end) else { throw Missing(description: "waited for \(what)") }
    }
  }
}
