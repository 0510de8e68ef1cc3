import NearbyCommandLine
import NearbyMQTT
import Synchronization

/// Tells the user of a broker that is not there, refuses, or is lost: each trouble once, and its end. Any thread may call.
final class BrokerTrouble: Sendable {
  private struct State {
    var isConnected = false
    var last: String?
    var patienceEnd = ContinuousClock.now + patience
  }

  /// Time after which a connection that was not made is told.
  private static let patience = Duration.seconds(3)

  private let place: String
  private let kind: String
  private let errors: any TextOutput
  private let state = Mutex(State())

  /// - Parameters:
  ///   - place: Of the broker: host and port.
  ///   - kind: What it is, as users call it.
  init(_ place: String, _ errors: any TextOutput, kind: String = "MQTT broker") {
    self.place = place
    self.kind = kind
    self.errors = errors
  }

  func connected() {
    state.withLock { state in
      state.isConnected = true
      state.last = nil
    }
    errors.line("nearby: connected to \(place)")
  }

  /// What was told is over.
  func recovered() {
    let wasTrouble = state.withLock { state in
      defer { state.last = nil }
      return state.last != nil
    }
    if wasTrouble { errors.line("nearby: \(place) answers again") }
  }

  /// - Parameter consequence: What happens now.
  func disconnected(_ failure: MQTTFailure?, _ consequence: String) {
    let wasConnected = state.withLock { state in
      defer { state.isConnected = false }
      return state.isConnected
    }
    // A connection that was refused also ends, which is no news.
    if wasConnected, let failure { tell("\(failure); \(consequence)") }
  }

  func tell(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.last = text }
      return state.last != text
    }
    if isNew { errors.line("nearby: \(text)") }
  }

  /// Call now and then: tells of a broker that does not answer at all.
  func advance() {
    let isSilent = state.withLock { state in
      guard !state.isConnected, state.last == nil, ContinuousClock.now > state.patienceEnd else {
        return false
      }
      return true
    }
    if isSilent { tell("no \(kind) answers at \(place); trying again") }
  }
}
