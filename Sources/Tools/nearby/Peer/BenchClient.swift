import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyTextForms

/// The side that measures.
struct BenchClient {
  let session: MCSession
  let peer: MCPeerID
  let answers: BenchAnswers
  let interrupt: Interrupt

  struct RoundTrips {
    var count: Int
    /// Microseconds.
    var median: Double
    var late: Double
  }

  struct Throughput {
    var size: Int
    var messages: Int
    var seconds: Double
    var messagesPerSecond: Double { Double(messages) / seconds }
    var bitsPerSecond: Double { messagesPerSecond * Double(size) * 8 }
  }

  /// Sends one message at a time and waits for it to come back.
  ///
  /// - Parameter patience: The time limit for one answer.
  func roundTrips(_ count: Int, of size: Int, patience: Duration) throws(CommandError) -> RoundTrips {
    let ping = Data([BenchKind.ping] + [UInt8](repeating: 0x55, count: max(0, size - 1)))
    var times: [Double] = []
    for _ in 0..<count {
      let start = ContinuousClock.now
      try send(ping)
      try awaitAnswer(patience)
      times.append((ContinuousClock.now - start) / .microseconds(1))
    }
    times.sort()
    return RoundTrips(count: count, median: times[count / 2], late: times[count * 99 / 100])
  }

  /// Sends as many messages as possible, then waits until the other side has counted them all.
  func throughput(
    of size: Int, for step: Duration, window: Int, patience: Duration
  ) throws(CommandError) -> Throughput {
    let load = Data([BenchKind.load] + [UInt8](repeating: 0x55, count: max(0, size - 1)))
    let before = answers.counted
    let start = ContinuousClock.now
    var (sent, messages) = (UInt64(0), 0)
    while ContinuousClock.now - start < step {
      // Reading the clock costs as much as a small message, so read it every 64 KiB or 64 messages.
      for _ in 0..<max(1, min(64, 65_536 / size)) {
        try send(load)
        sent += UInt64(size)
        messages += 1
      }
      while sent > answers.counted &- before &+ UInt64(window) { try awaitAnswer(patience) }
    }
    try send(Data([BenchKind.flush]))
    while answers.counted &- before < sent { try awaitAnswer(patience) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return Throughput(size: size, messages: messages, seconds: seconds)
  }

  private func send(_ data: Data) throws(CommandError) {
    if interrupt.isRaised { throw .interrupted }
    do {
      try session.send(data, toPeers: [peer], with: .reliable)
    } catch {
      throw .unavailable("can't send to \(PeerText.name(peer)): \(PeerText.reason(error))")
    }
  }

  private func awaitAnswer(_ patience: Duration) throws(CommandError) {
    guard answers.wait(patience) else {
      if interrupt.isRaised { throw .interrupted }
      throw .unavailable("no answer from \(PeerText.name(peer)); check that it still runs")
    }
  }
}

/// Prints the figures.
struct BenchReport {
  private let isJSON: Bool
  private let context: CommandContext

  init(isJSON: Bool, _ context: CommandContext) {
    self.isJSON = isJSON
    self.context = context
  }

  func roundTrips(_ figures: BenchClient.RoundTrips) {
    guard isJSON else {
      return context.output.line(
        "round trip  \(NumberFormat.fixed(figures.median, 0)) µs at the median, "
          + "\(NumberFormat.fixed(figures.late, 0)) µs for 99 of 100  (\(figures.count) of 64 B)")
    }
    var line = JSONLine()
    line.add("event", text: "roundTrip")
    line.add("count", figures.count)
    line.add("medianMicroseconds", figures.median, decimals: 1)
    line.add("percentile99Microseconds", figures.late, decimals: 1)
    context.output.line(line.closed())
  }

  func throughput(_ figures: BenchClient.Throughput) {
    guard isJSON else {
      let rate = NumberFormat.padded(NumberFormat.fixed(figures.messagesPerSecond, 0), 9)
      let gigabits = NumberFormat.fixed(figures.bitsPerSecond / 1e9, 2)
      let size = NumberFormat.padded(PeerText.octets(Double(figures.size)), 9)
      return context.output.line("\(size)  \(rate) messages/s  \(gigabits) Gbit/s")
    }
    var line = JSONLine()
    line.add("event", text: "throughput")
    line.add("size", figures.size)
    line.add("messages", figures.messages)
    line.add("seconds", figures.seconds, decimals: 3)
    line.add("messagesPerSecond", figures.messagesPerSecond, decimals: 0)
    line.add("megabitsPerSecond", figures.bitsPerSecond / 1e6, decimals: 1)
    context.output.line(line.closed())
  }
}
