import Foundation
import NearbyCommandLine
import NearbyNATS
import NearbyReadings
import NearbySchedule
import NearbySite
import Synchronization

/// A gateway's connection to a NATS server, whose stream keeps the readings for the processes of its site.
///
/// A message counts as delivered when the server answers that the stream has it.
final class GatewayStreamLink: GatewayRoute, Sendable {
  private enum News {
    case connection(NATSBus.Event)
    /// The stream has the message with this number.
    case stored(Int32)
    /// Nobody keeps the message, with the reason.
    case refused(String)
  }

  /// A message that is not answered yet.
  private struct Open {
    var sent: ContinuousClock.Instant
    var subject: String
    var octets: [UInt8]
  }

  private struct State {
    var news: [News] = []
    var last: Int32 = 0
    var open: [Int32: Open] = [:]
    /// Nothing is sent before.
    var pause = ContinuousClock.now
    var subscription: NATSSubscription?
  }

  /// Answers of the server that wait for the command's thread; there are at most as many as messages under way.
  private static let mostNews = 10_000
  /// Longer than an election of the stream's leader, up to 9 s. The site's processes receive the readings meanwhile.
  private static let patience = Duration.seconds(12)
  /// Age at which an unanswered message is sent again once a later one was answered: it was lost in an election.
  private static let overtaken = Duration.seconds(1)
  private static let pause = 1.0..<3.0

  private let bus: NATSBus
  private let site: String
  private let device: String
  private let inbox: String
  private let trouble: BrokerTrouble
  private let state = Mutex(State())

  /// - Throws: If the settings are invalid; a server that does not answer is tried again.
  init(_ options: NATSConnection.Options, site: String, device: String, errors: any TextOutput)
    throws(CommandError)
  {
    self.site = site
    self.device = device
    inbox = "_INBOX.\(String(UInt64.random(in: 0 ... .max), radix: 36))."
    trouble = BrokerTrouble(options.printableURL, errors, kind: "NATS server")
    let link = WeakLink()
    do throws(NATSFailure) {
      bus = try NATSBus(options) { event in link.value.withLock { $0.link }?.note(.connection(event)) }
    } catch {
      throw error.cause == .refused ? .unavailable("\(error)") : .noInput("\(error)")
    }
    link.value.withLock { $0.link = self }
    if bus.isConnected { note(.connection(.connected)) }
  }

  private final class WeakLink: Sendable {
    struct Box { weak var link: GatewayStreamLink? }
    let value = Mutex(Box())
  }

  private func note(_ news: News) {
    state.withLock { if $0.news.count < Self.mostNews { $0.news.append(news) } }
  }

  func begin() {
    let made = try? bus.subscribe(inbox + "*", waiting: (messages: 4096, octets: 1 << 20)) {
      [weak self] message in
      guard let self else { return }
      note(Self.news(message, inbox: inbox))
    }
    state.withLock { $0.subscription = made }
  }

  /// The server's answer: JSON with the stream and the sequence, or with an error.
  private static func news(_ message: borrowing NATSBus.Message, inbox: String) -> News {
    if message.hasNoResponders { return .refused("no stream keeps the readings yet; start 'nearby site'") }
    let answer = try? JSONSerialization.jsonObject(with: Data(message.octets)) as? [String: Any]
    if let error = answer?["error"] as? [String: Any] {
      return .refused(error["description"] as? String ?? "the server refuses the readings")
    }
    guard answer?["stream"] is String, let number = Int32(message.subject.dropFirst(inbox.count)) else {
      return .refused("the server's answer is none of a stream")
    }
    return .stored(number)
  }

  var isConnected: Bool { bus.isConnected }
  /// Enough for `patience`.
  var mostInFlight: Int { 1024 }

  func move(_ inbox: GatewayInbox?, _ queue: GatewayQueue) {
    trouble.advance()
    let news = state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
    for item in news { handle(item, queue) }
    let isLate = state.withLock { state in
      let now = ContinuousClock.now
      return state.open.values.contains { now - $0.sent > Self.patience }
    }
    if isLate { interrupt(queue, "the server does not answer") }
    for reading in inbox?.take() ?? [] { queue.add(reading) }
    queue.flush { send($0) }
  }

  private func handle(_ news: News, _ queue: GatewayQueue) {
    switch news {
    case .connection(.connected):
      trouble.connected()
      try? bus.publish(Array("online".utf8), to: "nearby.\(site).\(device).status")
    case .connection(.disconnected(let reason)), .connection(.closed(let reason)):
      interrupt(queue, reason)
    case .connection(.dropped): break
    case .stored(let number):
      state.withLock { $0.open[number] = nil }
      queue.acknowledged(number)
      repeatOvertaken(by: number)
    case .refused(let reason): interrupt(queue, reason)
    }
  }

  /// Stores what was not acknowledged, and sends it again later.
  private func interrupt(_ queue: GatewayQueue, _ reason: String) {
    queue.disconnected()
    state.withLock { state in
      state.open = [:]
      state.pause = .now + .seconds(Double.random(in: Self.pause))
    }
    trouble.tell("\(reason); readings are stored")
  }

  /// Sends older messages again, which the server drops if it has them.
  private func repeatOvertaken(by number: Int32) {
    let late = state.withLock { state in
      let now = ContinuousClock.now
      let late = state.open.filter { $0.key < number && now - $0.value.sent > Self.overtaken }
      for key in late.keys { state.open[key]?.sent = now }
      return late.sorted { $0.key < $1.key }
    }
    for (number, message) in late { try? publish(message, number) }
  }

  private func publish(_ message: Open, _ number: Int32) throws(NATSFailure) {
    let id = "\(device)-\(String(StableHash.of(message.octets), radix: 16))-\(message.octets.count)"
    try bus.publish(message.octets, to: message.subject, id: id, reply: "\(inbox)\(number)")
  }

  private func send(_ message: GatewayQueue.Message) -> Int32? {
    let open = Open(
      sent: .now, subject: NATSTopics.subject(message.topic), octets: Array(message.payload.utf8))
    let number = state.withLock { state -> Int32? in
      guard open.sent >= state.pause, bus.isConnected else { return nil }
      state.last = state.last == .max ? 1 : state.last + 1
      state.open[state.last] = open
      return state.last
    }
    guard let number else { return nil }
    guard (try? publish(open, number)) != nil else {
      state.withLock { $0.open[number] = nil }
      return nil
    }
    return number
  }

  func end() {
    try? bus.publish(Array("offline".utf8), to: "nearby.\(site).\(device).status")
    bus.flush()
  }
}
