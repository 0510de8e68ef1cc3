import Foundation
import NearbyNATS
import NearbyPeerLink
import NearbyPeerNetwork
import NearbyPeerRelay

/// The same messages as in `networkBenchmark`, straight and through a NATS server on this machine, which shares the cores.
func relayBenchmark() throws -> [Figure] {
  let server = try BenchedServer()
  defer { server.stop() }
  let straight = try NetworkPair()
  let relayed = try NetworkPair(through: server.url)
  defer {
    straight.stop()
    relayed.stop()
  }
  var figures: [Figure] = []
  // In turns, so that both meet the same other work of this machine. Small messages are limited by what each of them
  // costs; large ones by the octets, which the server copies on the same cores, so they have no target.
  for (size, target) in [(64, Figure.Target.atLeast(0.6)), (1024, .none), (65_536, .none)] {
    var best = (straight: 0.0, relayed: 0.0)
    for _ in 0..<3 {
      best.straight = max(best.straight, straight.messagesPerSecond(size: size))
      best.relayed = max(best.relayed, relayed.messagesPerSecond(size: size))
    }
    figures.append(
      Figure(
        name: "messages of \(size) octets through NATS", value: best.relayed / 1e3, unit: "k/s"))
    figures.append(
      Figure(
        name: "messages of \(size) octets through NATS against the LAN's",
        value: best.relayed / best.straight, unit: "x", target: target))
  }
  figures.append(
    Figure(
      name: "round trip of 64 octets through NATS, median", value: relayed.roundTrip().microseconds,
      unit: "µs"))
  return figures
}

/// A NATS server in a process of its own.
private final class BenchedServer {
  struct NotStarted: Error {}

  private let process = Process()
  private let folder: URL
  let url: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-nats-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "nats-server", "--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir", folder.path,
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = (environment["PATH"] ?? "/usr/bin") + ":/usr/sbin"
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The server writes the file when it is ready.
    for _ in 0..<1000 {
      if let url = Self.url(in: folder) {
        self.url = url
        return
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    process.terminate()
    throw NotStarted()
  }

  private static func url(in folder: URL) -> String? {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    guard let file = files.first(where: { $0.pathExtension == "ports" }),
      let data = try? Data(contentsOf: file),
      let ports = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return nil }
    return (ports["nats"] as? [String])?.first
  }

  func stop() {
    process.interrupt()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
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
