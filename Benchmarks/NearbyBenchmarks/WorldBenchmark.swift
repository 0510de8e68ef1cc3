import Dispatch
import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyInteraction
import NearbyLive
import Synchronization

/// A world server in another process, and its devices in this one.
func worldBenchmark() throws -> [Figure] {
  let pairs = try ServedPairs(count: 25, intervalMilliseconds: 100)
  let crowd = pairs.measure(seconds: 10)
  let pages = try [0, 2].map { try PageClient(port: pairs.page, device: $0) }
  let watched = pairs.measure(seconds: 10)
  // The pages also receive data while `measure` settles.
  let told = Double(pages.map(\.heard).min() ?? 0) / (10 + ServedPairs.settling)
  for page in pages { page.end() }
  pairs.end()
  let many = try ServedPairs(count: 250, intervalMilliseconds: 150)
  let rush = many.measure(seconds: 10)
  many.end()
  return worldFigures(crowd, watched, told, rush) + (try worldFaultFigures())
}

private func worldFigures(
  _ crowd: ServedFigures, _ watched: ServedFigures, _ told: Double, _ rush: ServedFigures
) -> [Figure] {
  [
    Figure(
      name: "round to delegate call, 25 pairs at 10 Hz, median", value: crowd.delays.part(0.5) * 1e3,
      unit: "ms", target: .under(5)),
    Figure(
      name: "round to delegate call, 25 pairs at 10 Hz, 99 %", value: crowd.delays.part(0.99) * 1e3,
      unit: "ms",
      target: .under(20)),
    Figure(
      name: "delegate calls per second, 25 pairs at 10 Hz", value: crowd.callsPerSecond, unit: "",
      target: .atLeast(475)),
    Figure(
      name: "server with 25 pairs at 10 Hz, of one core", value: crowd.serverLoad, unit: "",
      target: .under(0.2)),
    Figure(
      name: "server with 25 pairs at 10 Hz and two pages, of one core", value: watched.serverLoad, unit: "",
      target: .under(0.4)),
    Figure(name: "sent to each page per second", value: told / 1e3, unit: "kB", target: .atLeast(50)),
    Figure(
      name: "server with 500 devices, of one core", value: rush.serverLoad, unit: "", target: .under(1)),
    Figure(
      name: "delegate calls per second, 500 devices at 6.7 Hz", value: rush.callsPerSecond, unit: "",
      target: .atLeast(0.95 * 500 / 0.15)),
    Figure(
      name: "start of the server to its first answer", value: crowd.serverStart, unit: "s", target: .under(1)),
    Figure(
      name: "run to first distance, both sides, median", value: crowd.firsts.part(0.5), unit: "s",
      target: .under(1)),
  ]
}

/// The measurements of a served world.
struct ServedFigures {
  var delays: [Double] = []
  var firsts: [Double] = []
  var callsPerSecond = 0.0
  var serverLoad = 0.0
  var serverStart = 0.0
}

extension [Double] {
  /// The quantile at this share.
  fileprivate func part(_ share: Double) -> Double {
    if isEmpty { return .infinity }
    return sorted()[Swift.min(count - 1, Int(share * Double(count)))]
  }
}

struct BenchmarkFailure: Error, CustomStringConvertible { let description: String }

/// A server process, and pairs of devices that range in its world.
final class ServedPairs {
  private let server = Process()
  private var apps: [TimedApp] = []
  private let serverStart: Double
  let port: UInt16
  /// The port of its page.
  let page: UInt16

  init(count: Int, intervalMilliseconds: UInt32) throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("nearby")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw BenchmarkFailure(description: "\(program.path) is not built")
    }
    let said = Pipe()
    server.executableURL = program
    server.arguments = [
      "world", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--token", "", "--limit", "1000",
    ]
    server.standardError = said
    let start = ContinuousClock.now
    try server.run()
    (port, page) = try Self.ports(said.fileHandleForReading)
    // Drain the messages about clients that join, so that the pipe never fills.
    said.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    var settings = DeviceSettings()
    settings.rangingIntervalMilliseconds = intervalMilliseconds
    for index in 0..<2 * count {
      let joined = try JoinedWorld.join(
        named: "device-\(index)", host: "127.0.0.1", port: port, token: "", usageDescription: "a benchmark",
        cameraUsageDescription: nil, settings: settings)
      if index == 0 { first = ContinuousClock.now }
      apps.append(TimedApp(on: joined))
    }
    serverStart = (first - start) / .seconds(1)
    for index in stride(from: 0, to: apps.count, by: 2) {
      apps[index].run(with: apps[index + 1])
      apps[index + 1].run(with: apps[index])
    }
  }

  /// The ports that the server prints when it starts: one for programs, one for its page.
  private static func ports(_ said: FileHandle) throws -> (port: UInt16, page: UInt16) {
    var text = ""
    func port(behind words: String) -> UInt16? {
      guard let start = text.firstRange(of: words)?.upperBound else { return nil }
      let rest = text[start...]
      // Wait for the end of the line: a number that was cut off would parse as another number.
      return rest.contains("\n") ? UInt16(rest.prefix(while: \.isNumber)) : nil
    }
    while case let part = said.availableData, !part.isEmpty {
      text += String(decoding: part, as: UTF8.self)
      if let listening = port(behind: "listening on 127.0.0.1:"),
        let page = port(behind: "page: http://127.0.0.1:")
      {
        return (listening, page)
      }
    }
    throw BenchmarkFailure(description: "the server said '\(text)'")
  }

  private var first = ContinuousClock.now
  var serverID: Int32 { server.processIdentifier }
  /// Removals and invalidations that the apps received. 0 while everything works.
  var troubles: Int { apps.reduce(0) { $0 + $1.troubles } }
  var callCount: Int { apps.reduce(0) { $0 + $1.calls.count } }

  /// Seconds until all pairs range.
  static let settling = 3.0
  func waitUntilRanging() { Thread.sleep(forTimeInterval: Self.settling) }

  func measure(seconds: Int) -> ServedFigures {
    // After this, all pairs range.
    waitUntilRanging()
    var figures = ServedFigures()
    figures.serverStart = serverStart
    figures.firsts = apps.compactMap(\.firstDistance)
    for app in apps { app.forget() }
    let before = serverTime()
    let start = ContinuousClock.now
    Thread.sleep(forTimeInterval: Double(seconds))
    let passed = (ContinuousClock.now - start) / .seconds(1)
    figures.serverLoad = (serverTime() - before) / passed
    let calls = apps.flatMap { $0.calls }
    figures.callsPerSecond = Double(calls.count) / passed
    // The frame with the least delay gives the offset between the two clocks.
    let offset = calls.map { $0.heard - $0.made }.min() ?? 0
    figures.delays = calls.map { $0.heard - $0.made - offset }
    return figures
  }

  func end() {
    apps = []
    server.interrupt()
    server.waitUntilExit()
  }

  /// Seconds of processor time that the server has used.
  private func serverTime() -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(server.processIdentifier)/stat", encoding: .utf8)) ?? ""
    // Parse after the name's closing parenthesis, because the name may contain anything. State is field 3,
    // user and system time are 14 and 15.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return .nan
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// An app that records when it is called, and when the round took place.
private final class TimedApp: NSObject, NISessionDelegate, @unchecked Sendable {
  // The recorded calls are behind a lock; the rest is set before the session runs.
  private let session: NISession
  private let world: JoinedWorld
  private let start = ContinuousClock.now
  private let state = Mutex(
    (calls: [(made: Double, heard: Double)](), firstDistance: Double?.none, ran: 0.0, troubles: 0))

  init(on joined: (world: JoinedWorld, device: NearbyDevice)) {
    world = joined.world
    session = NearbyDevice.$current.withValue(joined.device) { NISession() }
    super.init()
    session.delegateQueue = DispatchQueue(label: "app")
    session.delegate = self
  }

  func run(with other: TimedApp) {
    guard let token = other.session.discoveryToken else { return }
    state.withLock { $0.ran = Self.now() }
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  var calls: [(made: Double, heard: Double)] { state.withLock { $0.calls } }
  var firstDistance: Double? { state.withLock { $0.firstDistance } }
  var troubles: Int { state.withLock { $0.troubles } }
  func forget() { state.withLock { $0.calls = [] } }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    let heard = Self.now()
    let made = world.lastFrameTime / .seconds(1)
    state.withLock { state in
      if state.firstDistance == nil { state.firstDistance = heard - state.ran }
      state.calls.append((made, heard))
    }
  }

  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    state.withLock { $0.troubles += 1 }
    if let configuration = session.configuration { session.run(configuration) }
  }

  func session(_ session: NISession, didInvalidateWith error: any Error) {
    state.withLock { $0.troubles += 1 }
  }
}
