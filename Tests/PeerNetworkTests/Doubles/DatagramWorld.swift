import TestSupport

@testable import NearbyPeerNetwork

/// Two sessions and the network between them in one thread, with virtual time.
///
/// The seed determines what happens to each datagram and when. It does not determine the random numbers that
/// OpenSSL puts into its hellos.
final class DatagramWorld {
  enum Side: Int, CaseIterable { case client, server }

  /// What the network does to datagrams, in percent.
  struct Disturbance {
    var lost = 0
    var doubled = 0
    var forged = 0
    /// Milliseconds. A range of delays reorders datagrams.
    var delay: ClosedRange<Int> = 0...0
    static let none = Disturbance()
  }

  private struct Arrival {
    var at: Duration
    var number: Int
    var to: Side
    var octets: [UInt8]
  }

  private(set) var now = Duration.zero
  var disturbance: Disturbance
  private(set) var received: [[[UInt8]]] = [[], []]
  private var sessions: [DatagramSession] = []
  private var random: SeededGenerator
  private var arrivals: [Arrival] = []
  private var number = 0
  /// All datagrams so far, for an attacker that replays them.
  var onTheWay: [(Side, [UInt8])] { heard }
  private var heard: [(Side, [UInt8])] = []

  init(seed: UInt64, _ disturbance: Disturbance = .none) throws {
    self.disturbance = disturbance
    random = SeededGenerator(seed: seed)
    for side in Side.allCases {
      sessions.append(
        try DatagramSession(
          isClient: side == .client, key: (0..<32).map { UInt8($0) }, mtu: 1400,
          send: { [unowned self] octets in pass(octets.array, from: side) },
          receive: { [unowned self] octets in received[side.rawValue].append(octets.array) }))
    }
    self[.server].begin(at: now)
    self[.client].begin(at: now)
  }

  subscript(side: Side) -> DatagramSession { sessions[side.rawValue] }

  func inject(_ octets: [UInt8], to side: Side) { put(octets, to: side, after: .zero) }

  /// Advances time and delivers what is due.
  func run(for time: Duration) {
    let end = now + time
    while true {
      let arrival = arrivals.enumerated().min {
        ($0.element.at, $0.element.number) < ($1.element.at, $1.element.number)
      }
      let wake = self[.client].wakesAt
      guard let next = [arrival?.element.at, wake].compactMap({ $0 }).min(), next <= end else { break }
      now = max(now, next)
      if let arrival, arrival.element.at <= now {
        arrivals.remove(at: arrival.offset)
        self[arrival.element.to].received(arrival.element.octets.span, at: now)
      } else {
        self[.client].wake(at: now)
      }
    }
    now = end
  }

  /// How long until a datagram of each side has reached the other, or `nil` if that takes longer than
  /// `limit`.
  func timeToPassage(_ mark: [UInt8], within limit: Duration) -> Duration? {
    let start = now
    while now - start <= limit {
      for side in Side.allCases { self[side].send(mark) }
      run(for: .milliseconds(10))
      if received.allSatisfy({ $0.contains(mark) }) { return now - start }
    }
    return nil
  }

  private func pass(_ octets: [UInt8], from side: Side) {
    let to: Side = side == .client ? .server : .client
    if heard.count < 200 { heard.append((to, octets)) }
    if happens(disturbance.forged) { forge(octets, to) }
    if !happens(disturbance.lost) { put(octets, to: to, after: delay()) }
    if happens(disturbance.doubled) { put(octets, to: to, after: delay()) }
    if happens(disturbance.forged) { forge(octets, to) }
  }

  private func forge(_ octets: [UInt8], _ to: Side) {
    if UInt8.random(in: 0..<6, using: &random) == 0, let (to, octets) = heard.randomElement(using: &random) {
      return put(octets, to: to, after: delay())
    }
    put(DatagramForgery.of(octets, &random), to: to, after: delay())
  }

  private func happens(_ hundredths: Int) -> Bool { Int.random(in: 0..<100, using: &random) < hundredths }
  private func delay() -> Duration { .milliseconds(Int.random(in: disturbance.delay, using: &random)) }

  private func put(_ octets: [UInt8], to side: Side, after delay: Duration) {
    number += 1
    arrivals.append(Arrival(at: now + delay, number: number, to: side, octets: octets))
  }
}

/// Datagrams of an attacker that knows addresses and ports and sees all traffic, but has no key.
enum DatagramForgery {
  static func of(_ octets: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    switch UInt8.random(in: 0..<7, using: &random) {
    case 0:
      return (0..<Int.random(in: 1..<200, using: &random)).map { _ in
        .random(in: .min ... .max, using: &random)
      }
    // A fatal alert in plaintext: handshake_failure.
    case 1: return [21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 2, 40]
    // An alert in plaintext: close_notify.
    case 2: return [21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 8, 0, 2, 1, 0]
    // The original with one octet changed.
    case 3:
      var changed = octets
      changed[Int.random(in: 0..<changed.count, using: &random)] ^= UInt8.random(
        in: 1 ... .max, using: &random)
      return changed
    // Marked as encrypted, of any length, even too short for an authentication tag.
    case 4:
      let count = Int.random(in: 0..<40, using: &random)
      let type = UInt8.random(in: 20...23, using: &random)
      return [type, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, .random(in: 0...99, using: &random), 0, UInt8(count)]
        + (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
    // The original with another epoch or sequence number.
    case 5:
      var changed = octets
      changed[Int.random(in: 3...10, using: &random)] = .random(in: 0...3, using: &random)
      return changed
    // Application data in plaintext.
    default: return [23, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 7, 0, 3, 1, 2, 3]
    }
  }
}
