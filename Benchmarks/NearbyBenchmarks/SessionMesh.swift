import Foundation
import MultipeerConnectivity
import Synchronization

/// Eight sessions in a full mesh. Each sends 1000 messages per second while connections are cut at random. No
/// reliable message may be lost, duplicated or reordered.
enum SessionMesh {
  struct Outcome {
    var sent = 0
    var received = 0
    /// Messages that were not the next from their sender.
    var misplaced = 0
    /// How often a session reported that a peer is no longer connected.
    var losses = 0
    var cuts = 0
    /// Memory at the end minus memory after a quarter of the time, in octets.
    var growth = 0
  }

  private static let count = 8
  private static let perSecond = 1000

  /// - Parameter seconds: How long messages are sent.
  static func run(seconds: Int) async throws -> Outcome {
    let members = (0..<count).map { Member($0) }
    for (index, member) in members.enumerated() {
      for other in members[..<index] { try await SessionPair.connect(other.bench, member.bench) }
    }
    for member in members { member.listen() }
    var outcome = Outcome()
    var early = 0
    let start = ContinuousClock.now
    for tick in 0..<(seconds * 100) {
      for member in members { outcome.sent += member.send(perSecond / 100, to: members) }
      if tick % 40 == 39, cutOne() { outcome.cuts += 1 }
      if tick == seconds * 25 { early = Memory.now }
      try await Task.sleep(until: start + .milliseconds(10 * (tick + 1)))
    }
    // Wait for messages in flight. The connection that was cut last must first be restored.
    for _ in 0..<3000 where members.reduce(0, { $0 + $1.received }) < outcome.sent {
      try await Task.sleep(for: .milliseconds(10))
    }
    outcome.growth = Memory.now - early
    outcome.received = members.reduce(0) { $0 + $1.received }
    outcome.misplaced = members.reduce(0) { $0 + $1.misplaced }
    outcome.losses = members.reduce(0) { $0 + $1.losses }
    for member in members { member.bench.session.disconnect() }
    return outcome
  }

  /// Cuts one of this process's TCP connections, as a network failure would.
  private static func cutOne() -> Bool {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let connected = entries.compactMap { Int32($0) }.filter { descriptor in
      var kind: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else { return false }
      var remote = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let hasPeer = withUnsafeMutablePointer(to: &remote) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(descriptor, $0, &length) == 0
        }
      }
      let family = Int32(remote.ss_family)
      return kind == Int32(SOCK_STREAM.rawValue) && hasPeer && (family == AF_INET || family == AF_INET6)
    }
    return connected.randomElement().map { shutdown($0, Int32(SHUT_RDWR)) == 0 } ?? false
  }

  /// One of the eight sessions.
  private final class Member: Sendable {
    let bench: BenchedSession
    private let number: Int
    private let state = Mutex(State())

    private struct State {
      /// The expected number of the next message from each sender.
      var next = [Int](repeating: 0, count: SessionMesh.count)
      var sent = [Int](repeating: 0, count: SessionMesh.count)
      var received = 0
      var misplaced = 0
      var losses = 0
    }

    init(_ number: Int) {
      self.number = number
      bench = BenchedSession("\(number)")
    }

    var received: Int { state.withLock { $0.received } }
    var misplaced: Int { state.withLock { $0.misplaced } }
    var losses: Int { state.withLock { $0.losses } }

    func listen() {
      bench.set { [self] work in
        work.onMessage = { [self] in receive($0) }
        work.onState = { [self] _, change in if change == .notConnected { state.withLock { $0.losses += 1 } }
        }
      }
    }

    /// Parses sender and number, which are text so that the benchmark needs no codec.
    private func receive(_ data: Data) {
      let parts = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      guard parts.count == 2 else { return }
      state.withLock { state in
        state.received += 1
        if state.next[parts[0]] != parts[1] { state.misplaced += 1 }
        state.next[parts[0]] = parts[1] + 1
      }
    }

    /// - Returns: How many messages were sent, counted once per receiver.
    func send(_ count: Int, to members: [Member]) -> Int {
      var done = 0
      for _ in 0..<count {
        for other in members where other.number != number {
          let next = state.withLock { $0.sent[other.number] }
          let data = Data("\(number) \(next)".utf8)
          do {
            try bench.session.send(data, toPeers: [other.bench.session.myPeerID], with: .reliable)
            state.withLock { $0.sent[other.number] += 1 }
            done += 1
          } catch {
            // The session reports this as a loss.
          }
        }
      }
      return done
    }
  }
}

/// The mesh's figures. `NEARBY_BENCH_MESH_SECONDS` sets the duration: 5 by default, 600 for the full run.
func meshFigures() throws -> [Figure] {
  let seconds = ProcessInfo.processInfo.environment["NEARBY_BENCH_MESH_SECONDS"].flatMap { Int($0) } ?? 5
  let outcome = try blocking { try await SessionMesh.run(seconds: seconds) }
  return [
    Figure(
      name: "mesh of 8, \(seconds) s, \(outcome.cuts) cuts: messages sent",
      value: Double(outcome.sent) / 1000,
      unit: "k"),
    Figure(
      name: "the same, not received", value: Double(outcome.sent - outcome.received), unit: "",
      target: .under(1)),
    Figure(
      name: "the same, lost, duplicated or out of order on the way", value: Double(outcome.misplaced),
      unit: "",
      target: .under(1)),
    Figure(
      name: "the same, losses reported to apps", value: Double(outcome.losses), unit: "", target: .under(1)),
    Figure(
      name: "the same, memory since the first quarter", value: Double(outcome.growth) / 1_048_576,
      unit: "MiB",
      target: .under(16)),
  ]
}
