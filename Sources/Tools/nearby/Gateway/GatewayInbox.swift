import Foundation
import NearbyReadings
import Synchronization

/// Readings from the radios' threads on their way to the command's thread.
final class GatewayInbox: Sendable {
  private struct State {
    var readings: [GatewayReading] = []
    var lost = 0
  }

  private let state = Mutex(State())

  func add(_ reading: GatewayReading) {
    state.withLock { state in
      // The command's thread takes them 20 times a second.
      guard state.readings.count < GatewayQueue.mostPending else {
        state.lost += 1
        return
      }
      state.readings.append(reading)
    }
  }

  func take() -> [GatewayReading] {
    state.withLock { state in
      defer { state.readings = [] }
      return state.readings
    }
  }
}

/// The time of this machine.
enum GatewayClock {
  /// Unix seconds.
  static var now: Double { Date().timeIntervalSince1970 }

  /// Time between a packet and its event: some milliseconds of the adapter and its daemon.
  static let delay = 0.005
}
