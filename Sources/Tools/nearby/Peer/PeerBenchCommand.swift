import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import Synchronization

/// `nearby peer bench`: measures a session between this process and one that runs with `--serve`.
struct PeerBenchCommand {
  private static let roleKey = "nearby-bench"
  /// Longer than three DNS-SD queries take (RFC 6762, 5.2).
  private static let searchTime = Duration.seconds(30)
  private static let answerTime = Duration.seconds(10)
  /// Maximum number of octets in transit.
  private static let window = 8 << 20
  /// Enough samples for the 99th percentile: twenty are larger.
  private static let roundTrips = 2000

  private let options: PeerOptions
  private let isServing: Bool
  private let name: String?
  private let sizes: [Int]
  private let step: Duration

  private enum Options {
    static let serve = CommandOption<Bool>.flag("serve", "Answer processes that measure")
    static let to = CommandOption<String?>.optional(
      "to", "NAME", "Peer to measure with (default: the first server found)", as: .text)
    static let size = CommandOption<[Int]>.list(
      "size", "OCTETS", "Message size; may be repeated (default: 64, 1024, 65536, 1048576)",
      as: .integer(1...(16 << 20)))
    static let each = CommandOption<Duration>.value(
      "each", "TIME", "How long to send messages of each size", as: .duration, default: "2")
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Serve, or search for a server, for at most this long", as: .duration)
  }

  static let spec = CommandSpec(
    name: "bench",
    summary: "Measure throughput and round-trip time between two processes",
    discussion: "Run one process with --serve and the other without.",
    options: [
      PeerOptions.type, PeerOptions.name, Options.serve, Options.to, Options.size, Options.each,
      PeerOptions.encryption, Options.seconds, CommonOptions.json,
    ],
    examples: ["nearby peer bench --type bench --serve", "nearby peer bench --type bench --size 1024"]
  ) { try PeerBenchCommand($0).run(in: $1) }

  init(_ arguments: CommandArguments) throws(UsageError) {
    options = try PeerOptions(arguments, seconds: Options.seconds)
    isServing = try arguments[Options.serve]
    name = try arguments[Options.to]
    let sizes = try arguments[Options.size]
    self.sizes = sizes.isEmpty ? [64, 1024, 65_536, 1 << 20] : sizes
    step = try arguments[Options.each]
    if isServing, name != nil || !sizes.isEmpty {
      throw .conflict("\(Options.to) and \(Options.size) can't be used with \(Options.serve)")
    }
  }

  func run(in context: CommandContext) throws(CommandError) {
    if isServing { return try serve(in: context) }
    let answers = BenchAnswers()
    let run = PeerRun(options, in: context, advertising: nil, browses: true) { data, _, _ in
      answers.received(data)
      return true
    }
    run.start(in: context)
    defer { run.stop() }
    let search = PeerSearch(run: run, name: name) { $0[Self.roleKey] == "serve" }
    let peer = try search.connect(until: .now + (options.duration ?? Self.searchTime))
    var printer = PeerPrinter(isJSON: options.isJSON, context)
    printer.show(.state(peer, .connected))
    context.flush()
    let client = BenchClient(session: run.session, peer: peer, answers: answers, interrupt: context.interrupt)
    let report = BenchReport(isJSON: options.isJSON, context)
    report.roundTrips(try client.roundTrips(Self.roundTrips, of: 64, patience: Self.answerTime))
    for size in sizes {
      report.throughput(
        try client.throughput(of: size, for: step, window: Self.window, patience: Self.answerTime))
      context.flush()
    }
  }

  private func serve(in context: CommandContext) throws(CommandError) {
    let echo = BenchEcho()
    let run = PeerRun(
      options, in: context, advertising: [Self.roleKey: "serve"], browses: false, accept: .all
    ) {
      echo.answer($0, to: $1, in: $2)
      return true
    }
    run.start(in: context)
    defer { run.stop() }
    var printer = PeerPrinter(isJSON: options.isJSON, context)
    printer.advertising(run.peer, type: options.type)
    context.flush()
    let end = options.duration.map { ContinuousClock.now + $0 }
    while let letter = run.mailbox.next(until: end), !context.isOutputClosed() {
      switch letter {
      case .interrupted: return
      case .notStarted: throw PeerRun.unavailable
      case .found, .lost, .invited, .state, .data, .arriving, .arrived, .delivered, .line:
        printer.show(letter)
      }
      context.flush()
    }
  }
}

/// The first octet of each message.
enum BenchKind {
  /// Is echoed.
  static let ping: UInt8 = 1
  /// Is counted.
  static let load: UInt8 = 2
  /// Requests the count of load octets at once.
  static let flush: UInt8 = 3
  /// The count of load octets so far: 8 octets, little-endian.
  static let count: UInt8 = 4
}

/// The side that serves. It answers on the session's queue, without a thread switch.
final class BenchEcho: Sendable {
  private struct Load {
    var octets: UInt64 = 0
    var reported: UInt64 = 0
  }
  /// Octets between two counts that are sent unasked.
  private static let step: UInt64 = 1 << 20
  private let loads = Mutex<[MCPeerID: Load]>([:])

  func answer(_ data: Data, to peer: MCPeerID, in session: MCSession) {
    switch data.first {
    case BenchKind.ping: try? session.send(data, toPeers: [peer], with: .reliable)
    case BenchKind.load, BenchKind.flush:
      let isAsked = data.first == BenchKind.flush
      let count = loads.withLock { loads -> UInt64? in
        var load = loads[peer] ?? Load()
        if !isAsked { load.octets &+= UInt64(data.count) }
        let isDue = isAsked || load.octets &- load.reported >= Self.step
        if isDue { load.reported = load.octets }
        loads[peer] = load
        return isDue ? load.octets : nil
      }
      guard let count else { return }
      let message = Data(
        [BenchKind.count] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * UInt64($0))) })
      try? session.send(message, toPeers: [peer], with: .reliable)
    default: break
    }
  }
}

/// The answers received by the side that measures.
final class BenchAnswers: Sendable {
  private let octets = Mutex<UInt64>(0)
  private let changes = DispatchSemaphore(value: 0)

  func received(_ data: Data) {
    if data.first == BenchKind.count, data.count == 9 {
      let count = data.dropFirst().reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      octets.withLock { $0 = count }
    }
    changes.signal()
  }

  var counted: UInt64 { octets.withLock { $0 } }

  /// Waits for an answer. Returns false if none arrived in time.
  func wait(_ patience: Duration) -> Bool {
    changes.wait(timeout: .now() + patience / .seconds(1)) == .success
  }
}
