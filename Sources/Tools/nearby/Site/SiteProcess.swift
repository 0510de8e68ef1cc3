import Foundation
import NearbyCommandLine
import NearbyMQTT
import NearbyPosition
import NearbySite
import Synchronization

/// A site's engine with its connection to the broker, its history and its outputs.
///
/// Messages arrive on the MQTT client's thread, which waits while the engine works: a broker that sends faster than the
/// site fuses is slowed down. `advance` runs on the command's thread.
final class SiteProcess: RunningSite {
  private struct State {
    var engine: SiteEngine
    /// Messages that could not be published because there was no connection.
    var unpublished = 0
  }

  let plan: SitePlan
  private let state: Mutex<State>
  private let connection = Mutex<MQTTConnection?>(nil)
  private let record: SiteRecord
  private let trouble: BrokerTrouble

  init(_ plan: SitePlan, file: String, errors: any TextOutput) throws(CommandError) {
    self.plan = plan
    let trouble = BrokerTrouble("\(plan.broker.host):\(plan.broker.port)", errors)
    self.trouble = trouble
    record = SiteRecord(plan, errors: errors) { trouble.tell($0) }
    do throws(PositionError) {
      state = Mutex(
        State(engine: try SiteEngine(plan, version: NearbyVersion.version, seed: .random(in: 0 ... .max))))
    } catch {
      throw .badData("\(file): the receivers can't be anchors: \(error)")
    }
  }

  private static var now: Double { Date().timeIntervalSince1970 }

  // MARK: Broker

  func begin() throws(CommandError) {
    let will = state.withLock { $0.engine.will }
    // The process's number: two processes of one site must not end each other's connection.
    let options = try BrokerOptions.connection(
      plan.broker, client: "nearby-site-\(plan.name)-\(getpid())", will: will)
    do throws(MQTTFailure) {
      let made = try MQTTConnection(options) { [weak self] event in self?.received(event) }
      connection.withLock { $0 = made }
      made.begin()
    } catch {
      throw BrokerOptions.commandError(error)
    }
  }

  private func received(_ event: MQTTEvent) {
    switch event {
    case .connected:
      trouble.connected()
      introduce()
    case .refused(let failure): trouble.tell("\(failure); trying again")
    case .disconnected(let failure): trouble.disconnected(failure, "trying again")
    case .message(let message):
      let now = Self.now
      let output = state.withLock { state in
        var output = SiteEngine.Output()
        state.engine.received(topic: message.topic, payload: message.payload, now: now, &output)
        return output
      }
      record.keep(output)
      publish(output.messages)
    case .acknowledged: break
    }
  }

  private func introduce() {
    let (patterns, messages) = state.withLock { ($0.engine.patterns, $0.engine.connected()) }
    guard let connection = connection.withLock({ $0 }) else { return }
    do throws(MQTTFailure) {
      for pattern in patterns { try connection.subscribe(pattern, quality: 1) }
    } catch {
      trouble.tell("\(error)")
    }
    publish(messages)
  }

  private func publish(_ messages: [SiteMessage]) {
    guard !messages.isEmpty, let connection = connection.withLock({ $0 }) else { return }
    var failed = 0
    for message in messages {
      do throws(MQTTFailure) {
        try connection.publish(BrokerOptions.message(message))
      } catch {
        failed += 1
        if error.cause != .unreachable { trouble.tell("\(error)") }
      }
    }
    if failed > 0 { state.withLock { $0.unpublished += failed } }
  }

  /// Says goodbye and disconnects.
  func end() {
    publish(state.withLock { $0.engine.farewell() })
    connection.withLock { $0 }?.end()
    record.end()
  }

  // MARK: Time

  /// Lets time pass.
  ///
  /// - Returns: What came since the last call.
  func advance() -> SiteNews {
    trouble.advance()
    let now = Self.now
    let output = state.withLock { state in
      var output = SiteEngine.Output()
      state.engine.advance(now: now, &output)
      return output
    }
    record.keep(output)
    publish(output.messages)
    return record.drain()
  }

  func openHistory() throws(CommandError) { try record.open() }

  // MARK: For the page

  var metrics: String {
    state.withLock { state in
      PrometheusText.of(state.engine.fusion)
        + PrometheusText.counter(
          "nearby_messages_unpublished_total", "Messages that had no connection.", state.unpublished)
        + PrometheusText.counter(
          "nearby_history_lost_total", "Lines of history that were lost.", record.lostLines)
    }
  }

  var reports: [SiteReport] { state.withLock { $0.engine.fusion.reports } }
  var occupants: [[Int]] { state.withLock { $0.engine.fusion.occupants } }
}
