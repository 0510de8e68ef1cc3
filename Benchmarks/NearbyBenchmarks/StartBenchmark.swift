import Dispatch
import Foundation
import NearbyPeerNetwork
import Synchronization

/// The time from the start of two processes, each with its own Avahi, until they are connected.
///
/// It includes probing, discovery, resolution, dialling and the handshake of both sides.
enum StartBenchmark {
  /// The arguments that start the second process: `NearbyBenchmarks peer TYPE`.
  static let command = "peer"

  /// The median of five starts.
  static func figure() throws -> Figure {
    let times = try (0..<5).map { _ in try start() }.sorted()
    return Figure(
      name: "start to connected of two processes, median", value: times[2].seconds, unit: "s",
      target: .under(2.5))
  }

  /// Listens and registers until its input ends.
  static func serve(_ type: String) throws -> Bool {
    let endpoint = try PeerEndpoint(PeerEndpoint.Configuration(identity: try .generate())) { _ in }
    let port = try endpoint.listen()
    let discovery = try ServiceDiscovery(.only(.embedded)) { _ in }
    _ = try discovery.register(Service(name: "other", type: type), text: ServiceText(), port: port)
    while readLine() != nil {}
    endpoint.stop()
    discovery.stop()
    return true
  }

  private static func start() throws -> Duration {
    let type = "_b\(UInt32.random(in: .min ... .max))._tcp"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    process.arguments = [command, type]
    let input = Pipe()
    process.standardInput = input
    let start = ContinuousClock.now
    try process.run()
    let endpoint = try PeerEndpoint(PeerEndpoint.Configuration(identity: try .generate())) { _ in }
    let connected = DispatchSemaphore(value: 0)
    let outcome = Mutex<Result<ContinuousClock.Instant, NetworkError>?>(nil)
    let discovery = try ServiceDiscovery(.only(.embedded)) { event in
      guard case .found(let found) = event else { return }
      endpoint.connect(to: found.addresses) { result in
        outcome.withLock { $0 = result.map { _ in .now } }
        connected.signal()
      }
    }
    try discovery.browse(type)
    connected.wait()
    endpoint.stop()
    discovery.stop()
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard let result = outcome.withLock({ $0 }) else { throw NetworkError.noAddress }
    return try result.get() - start
  }
}
