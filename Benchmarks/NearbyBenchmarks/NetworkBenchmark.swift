import Dispatch
import Foundation
import NearbyPeerNetwork
import Synchronization

/// Encrypted channels between two endpoints in this process with a thread each, compared with plain TLS on
/// the same machine.
func networkBenchmark() throws -> [Figure] {
  let ceilings = try [65_536, 1 << 20].map { try TLSCeiling.gigabits(messageSize: $0) }
  var figures = [
    Figure(name: "AES-128-GCM of openssl speed, 16 KiB", value: opensslSpeed(), unit: "Gbit/s"),
    Figure(name: "bare TLS 1.3, one thread per side, 64 KiB writes", value: ceilings[0], unit: "Gbit/s"),
    Figure(name: "bare TLS 1.3, one thread per side, 1 MiB writes", value: ceilings[1], unit: "Gbit/s"),
  ]
  let pair = try NetworkPair()
  for (size, target) in [(64, 1.4), (1024, 0.6)] {
    let rate = (0..<3).map { _ in pair.messagesPerSecond(size: size) }.max() ?? 0
    figures.append(
      Figure(
        name: "reliable messages of \(size) octets, encrypted", value: rate / 1e6, unit: "M/s",
        target: .atLeast(target)))
  }
  for (size, target, ceiling) in [(65_536, 8.0, ceilings[0]), (1 << 20, 10.0, ceilings[1])] {
    let rate = (0..<3).map { _ in pair.messagesPerSecond(size: size) }.max() ?? 0
    figures.append(
      Figure(
        name: "reliable messages of \(size / 1024) KiB, encrypted", value: rate * Double(size) * 8 / 1e9,
        unit: "Gbit/s", target: .atLeast(min(target, 0.7 * ceiling))))
  }
  figures.append(
    Figure(
      name: "round trip of 64 octets, median", value: pair.roundTrip().microseconds, unit: "µs",
      target: .under(40)))
  figures.append(
    Figure(
      name: "connected after the address is known, median", value: try pair.connecting().microseconds / 1000,
      unit: "ms", target: .under(50)))
  pair.stop()
  figures.append(try StartBenchmark.figure())
  return figures
}

/// Two endpoints and one channel between them.
final class NetworkPair: Sendable {
  private let left: PeerEndpoint
  private let right: PeerEndpoint
  private let address: SocketAddress
  private let initiator: PeerChannel
  private let counter = FrameCounter()
  private let drained = Hook()
  private let echoed = Hook()
  private let relay: RelayRoute?

  /// - Parameter server: The NATS server through which the channel goes; `nil` for a connection.
  init(through server: String? = nil) throws {
    let keys: [PeerKey] = [try .generate(), try .generate()]
    left = try PeerEndpoint(PeerEndpoint.Configuration(identity: keys[0])) { _ in }
    let counter = counter
    let arrived = DispatchSemaphore(value: 0)
    right = try PeerEndpoint(PeerEndpoint.Configuration(identity: keys[1])) { event in
      guard case .arrived(let channel) = event else { return }
      channel.start(
        PeerChannel.Handlers(
          onReceive: { octets in
            if counter.echoes {
              let reply = octets.withUnsafeBufferPointer { Array($0) }
              _ = try? channel.send(reply)
            } else {
              counter.receive(octets)
            }
          }, onClose: { _ in }))
      arrived.signal()
    }
    address = .loopback(port: try right.listen())
    let (left, right) = (left, right)
    relay = try server.map { try RelayRoute($0, from: left, keys[0], to: right, keys[1]) }
    initiator = try Self.open(left, address, relay)
    arrived.wait()
    initiator.start(
      PeerChannel.Handlers(
        onReceive: { [echoed] _ in echoed.call() },
        onDrained: { [drained] in drained.call() }, onClose: { _ in }))
  }

  func stop() {
    relay?.stop()
    left.stop()
    right.stop()
  }

  private static func open(
    _ endpoint: PeerEndpoint, _ address: SocketAddress, _ relay: RelayRoute? = nil
  ) throws -> PeerChannel {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<PeerChannel, NetworkError>?>(nil)
    let completion: @Sendable (Result<PeerChannel, NetworkError>) -> Void = { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    if let relay {
      relay.connect(endpoint, completion)
    } else {
      endpoint.connect(to: [address], completion: completion)
    }
    done.wait()
    guard let outcome = result.withLock({ $0 }) else { throw NetworkError.notOpen }
    return try outcome.get()
  }

  func connecting() throws -> Duration {
    var times: [Duration] = []
    for _ in 0..<40 {
      let start = ContinuousClock.now
      let channel = try Self.open(left, address)
      times.append(ContinuousClock.now - start)
      channel.abort()
      // Connecting faster than this would exceed the limit per address.
      Thread.sleep(forTimeInterval: 0.05)
    }
    return times.sorted()[times.count / 2]
  }

  /// Sends messages with a length prefix from the channel's thread, as fast as they leave.
  func messagesPerSecond(size: Int) -> Double {
    let total = min(4_000_000, (2 << 30) / size)
    let payload = [UInt8](repeating: 0x5A, count: size)
    let header = [
      UInt8(truncatingIfNeeded: size >> 24), UInt8(truncatingIfNeeded: size >> 16),
      UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size),
    ]
    let left = Times.Countdown(total)
    let initiator = initiator
    let fill: @Sendable () -> Void = {
      do {
        while left.takeOne() {
          var waiting = 0
          if size < 32 * 1024 {
            waiting =
              (try? initiator.write {
                $0 += header; $0 += payload
              }) ?? .max
          } else {
            _ = try? initiator.send(header)
            waiting = (try? initiator.send(payload)) ?? .max
          }
          if waiting > 1 << 20 { return }
        }
      }
    }
    drained.set(fill)
    let done = counter.expect(total)
    let start = ContinuousClock.now
    initiator.perform(fill)
    done.wait()
    let time = ContinuousClock.now - start
    drained.set(nil)
    return Double(total) / time.seconds
  }

  func roundTrip() -> Duration {
    counter.setEchoes(true)
    let count = 20_000
    let times = Times()
    let done = DispatchSemaphore(value: 0)
    let message = [UInt8](repeating: 1, count: 64)
    let initiator = initiator
    let ping: @Sendable () -> Void = {
      times.begin()
      _ = try? initiator.send(message)
    }
    echoed.set {
      if times.end() >= count { done.signal() } else { ping() }
    }
    initiator.perform(ping)
    done.wait()
    counter.setEchoes(false)
    return times.median
  }
}

/// The current behaviour of a channel's handler, which the benchmark can replace.
private final class Hook: Sendable {
  /// A box, because a bare closure in a generic context would be wrapped once more on each read.
  private struct Box: Sendable { var work: (@Sendable () -> Void)? }
  private let box = Mutex(Box())
  func set(_ work: (@Sendable () -> Void)?) { box.withLock { $0.work = work } }
  func call() { box.withLock { $0 }.work?() }
}

/// Round trips, timed one after the other.
private final class Times: Sendable {
  private let state = Mutex<(start: ContinuousClock.Instant, times: [Duration])>((.now, []))
  func begin() { state.withLock { $0.start = .now } }
  func end() -> Int {
    state.withLock { state in
      state.times.append(ContinuousClock.now - state.start)
      return state.times.count
    }
  }
  var median: Duration { state.withLock { $0.times.sorted()[$0.times.count / 2] } }

  /// How many messages remain to be sent.
  final class Countdown: Sendable {
    private let left: Atomic<Int>
    init(_ count: Int) { left = Atomic(count) }
    func takeOne() -> Bool { left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 }
  }
}

/// Counts messages as they arrive, and copies each one out as an app would.
///
/// `@unchecked Sendable`: only the receiving thread touches the state of a message, between `expect` and its
/// signal.
private final class FrameCounter: @unchecked Sendable {
  private var pending: [UInt8] = []
  private var left = 0
  private var done = DispatchSemaphore(value: 0)
  private let echo = Atomic<Bool>(false)

  var echoes: Bool { echo.load(ordering: .relaxed) }
  func setEchoes(_ value: Bool) { echo.store(value, ordering: .relaxed) }

  func expect(_ count: Int) -> DispatchSemaphore {
    left = count
    pending = []
    return done
  }

  func receive(_ octets: Span<UInt8>) {
    octets.withUnsafeBufferPointer { raw in
      var offset = 0
      // The rest of a message that an earlier read cut off.
      if !pending.isEmpty {
        while offset < raw.count, !pending.isEmpty {
          let wanted = pending.count < 4 ? 4 - pending.count : 4 + length(pending) - pending.count
          let got = min(wanted, raw.count - offset)
          pending.append(contentsOf: raw[offset..<(offset + got)])
          offset += got
          if pending.count >= 4, pending.count == 4 + length(pending) {
            deliver(pending.count)
            pending.removeAll(keepingCapacity: true)
          }
        }
      }
      while raw.count - offset >= 4 {
        let size =
          Int(raw[offset]) << 24 | Int(raw[offset + 1]) << 16 | Int(raw[offset + 2]) << 8
          | Int(raw[offset + 3])
        guard raw.count - offset - 4 >= size else { break }
        let message = Array(raw[(offset + 4)..<(offset + 4 + size)])
        deliver(message.count)
        offset += 4 + size
      }
      if offset < raw.count { pending.append(contentsOf: raw[offset...]) }
    }
  }

  private func length(_ octets: [UInt8]) -> Int {
    Int(octets[0]) << 24 | Int(octets[1]) << 16 | Int(octets[2]) << 8 | Int(octets[3])
  }

  private func deliver(_ count: Int) {
    consume(UInt64(count))
    left -= 1
    if left == 0 { done.signal() }
  }
}

/// The cipher's speed on this machine according to `openssl speed`, in Gbit/s; 0 if openssl is not installed.
func opensslSpeed() -> Double {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
  process.arguments = ["speed", "-mr", "-seconds", "1", "-bytes", "16384", "-evp", "aes-128-gcm"]
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return 0 }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  let line = text.split(separator: "\n").last { $0.hasPrefix("+F:") }
  return (line?.split(separator: ":").last.flatMap { Double($0) } ?? 0) * 8 / 1e9
}
