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
final class SiteProcess: ShownSite {
  private struct State {
    var engine: SiteEngine
    /// Lines of history that were not taken yet, at most `mostLines`.
    var lines: [String] = []
    var reports: [Int: SiteReport] = [:]
    var lostLines = 0
    /// Messages that could not be published because there was no connection.
    var unpublished = 0
  }

  /// Lines that wait for the command's thread: several seconds of a large site.
  private static let mostLines = 50_000

  let plan: SitePlan
  private let state: Mutex<State>
  private let connection = Mutex<MQTTConnection?>(nil)
  private let history = Mutex<Int32>(-1)
  private let hub: OmloxHub?
  private let errors: any TextOutput
  private let trouble: BrokerTrouble

  init(_ plan: SitePlan, file: String, errors: any TextOutput) throws(CommandError) {
    self.plan = plan
    self.errors = errors
    trouble = BrokerTrouble("\(plan.broker.host):\(plan.broker.port)", errors)
    do throws(PositionError) {
      state = Mutex(
        State(engine: try SiteEngine(plan, version: NearbyVersion.version, seed: .random(in: 0 ... .max))))
    } catch {
      throw .badData("\(file): the receivers can't be anchors: \(error)")
    }
    hub = plan.publishers.omlox.map { OmloxHub(plan, address: $0) { errors.line("nearby: \($0)") } }
  }

  deinit { history.withLock { if $0 >= 0 { close($0) } } }

  private static var now: Double { Date().timeIntervalSince1970 }

  // MARK: Broker

  func connect() throws(CommandError) {
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
        Self.keep(output, &state)
        return output
      }
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
    hub?.end()
  }

  // MARK: Time

  private static func keep(_ output: SiteEngine.Output, _ state: inout State) {
    for line in output.lines {
      guard state.lines.count < mostLines else {
        state.lostLines += 1
        continue
      }
      state.lines.append(line)
    }
    for report in output.reports { state.reports[report.tag] = report }
  }

  /// Lets time pass.
  ///
  /// - Returns: The lines of history since the last call.
  func advance() -> [String] {
    trouble.advance()
    let now = Self.now
    let (lines, messages, reports) = state.withLock { state in
      var output = SiteEngine.Output()
      state.engine.advance(now: now, &output)
      Self.keep(output, &state)
      defer { (state.lines, state.reports) = ([], [:]) }
      return (state.lines, output.messages, state.reports)
    }
    publish(messages)
    write(lines)
    hub?.send(reports.values.sorted { $0.tag < $1.tag })
    return lines
  }

  // MARK: History

  func openHistory() throws(CommandError) {
    guard let path = plan.publishers.history else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .inputOutput("\(path): \(String(cString: strerror(errno)))") }
    history.withLock { $0 = descriptor }
  }

  private func write(_ lines: [String]) {
    let descriptor = history.withLock { $0 }
    guard descriptor >= 0, !lines.isEmpty else { return }
    let octets = Array((lines.joined(separator: "\n") + "\n").utf8)
    var start = 0
    while start < octets.count {
      let written = octets[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        state.withLock { $0.lostLines += lines.count }
        return trouble.tell("the history can't be written: \(String(cString: strerror(errno)))")
      }
      start += written
    }
  }

  // MARK: For the page

  var metrics: String {
    state.withLock { state in
      PrometheusText.of(state.engine.fusion)
        + PrometheusText.counter(
          "nearby_messages_unpublished_total", "Messages that had no connection.", state.unpublished)
        + PrometheusText.counter(
          "nearby_history_lost_total", "Lines of history that were lost.", state.lostLines)
    }
  }

  var reports: [SiteReport] { state.withLock { $0.engine.fusion.reports } }
  var occupants: [[Int]] { state.withLock { $0.engine.fusion.occupants } }
}
