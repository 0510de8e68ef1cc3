import Foundation
import NearbyNATS
import NearbyPeerLink
import NearbyPeerNetwork
import NearbyPeerRelay

/// The same messages between two sessions, and between two channels, straight and through a NATS server on this machine,
/// which shares the cores.
func relayBenchmark() throws -> [Figure] {
  let server = try BenchedServer()
  defer { server.stop() }
  return try sessionFigures(server.url) + channelFigures(server.url)
}

/// Messages between two sessions of an app. Small ones are limited by what each of them costs; large ones by the octets,
/// which the server copies on the same cores, so they have no target.
private func sessionFigures(_ server: String) throws -> [Figure] {
  try [(64, Figure.Target.atLeast(0.6)), (1024, .none)].flatMap { size, target in
    var best = (straight: 0.0, relayed: 0.0)
    // In turns, so that both meet the same other work of this machine.
    for _ in 0..<3 {
      best.straight = max(best.straight, try SessionRate.measure(size, through: nil))
      best.relayed = max(best.relayed, try SessionRate.measure(size, through: server))
    }
    return [
      Figure(
        name: "MCSession, messages of \(size) octets through NATS", value: best.relayed / 1e3, unit: "k/s"),
      Figure(
        name: "the same against the LAN's", value: best.relayed / best.straight, unit: "x", target: target),
    ]
  }
}

private func channelFigures(_ server: String) throws -> [Figure] {
  let straight = try NetworkPair()
  let relayed = try NetworkPair(through: server)
  defer {
    straight.stop()
    relayed.stop()
  }
  var best = (straight: 0.0, relayed: 0.0)
  for _ in 0..<3 {
    best.straight = max(best.straight, straight.messagesPerSecond(size: 65_536))
    best.relayed = max(best.relayed, relayed.messagesPerSecond(size: 65_536))
  }
  return [
    Figure(
      name: "channel, messages of 64 KiB through NATS against the LAN's",
      value: best.relayed / best.straight, unit: "x"),
    Figure(
      name: "round trip of 64 octets through NATS, median", value: relayed.roundTrip().microseconds,
      unit: "µs"),
  ]
}

/// The rate of messages between two sessions in a process of its own, because a process has one way to its peers.
enum SessionRate {
  /// The arguments that start the process: `NearbyBenchmarks rate SIZE`.
  static let command = "rate"

  struct NotMeasured: Error {}

  /// Prints messages a second.
  static func serve(_ size: String) throws -> Bool {
    guard let size = Int(size), size > 0 else { return false }
    let pair = try blocking { try await SessionPair() }
    print(pair.messagesPerSecond(size: size))
    return true
  }

  static func measure(_ size: Int, through server: String?) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [command, "\(size)"]
    var environment = ProcessInfo.processInfo.environment
    environment["NEARBY_PEERS"] = server
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let rate = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NotMeasured() }
    return rate
  }
}

/// Endpoints that begin and receive channels through a server.
final class RelayRoute: Sendable {
  private let stations: [RelayStation]
  private let peer: PeerIdentity

  /// - Parameter right: The endpoint whose key is `rightKey`, at which channels arrive.
  init(
    _ url: String, from left: PeerEndpoint, _ leftKey: PeerKey, to right: PeerEndpoint, _ rightKey: PeerKey
  ) throws {
    peer = try PeerIdentity(octets: rightKey.fingerprint)
    let peers = [try PeerIdentity(octets: leftKey.fingerprint), peer]
    stations = try zip([left, right], peers).map { endpoint, peer in
      let bus = try NATSBus(NATSConnection.Options(url: url, name: "bench")) { _ in }
      let station = RelayStation(peer, loop: endpoint.loop) { descriptor, peer in
        endpoint.admit(descriptor, from: .relayed(peer.octets))
      }
      station.start(on: bus)
      bus.flush()
      return station
    }
  }

  func connect(
    _ left: PeerEndpoint, _ completion: @escaping @Sendable (Result<PeerChannel, NetworkError>) -> Void
  ) {
    let peer = peer
    stations[0].connect(to: peer) { result in
      guard case .success(let descriptor) = result else { return completion(.failure(.notOpen)) }
      _ = left.connect(over: descriptor, to: .relayed(peer.octets), completion: completion)
    }
  }

  func stop() { for station in stations { station.stop() } }
}
