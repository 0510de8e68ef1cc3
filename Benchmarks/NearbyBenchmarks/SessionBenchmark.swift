import Dispatch
import Foundation
import Synchronization

/// Sessions as apps use them: the public API over this machine's real network. Small messages, and a file.
func sessionBenchmark() throws -> [Figure] {
  let pair = try blocking { try await SessionPair() }
  var figures: [Figure] = []
  for (size, target) in [(64, 1.4), (1024, 0.6)] {
    let rate = (0..<3).map { _ in pair.messagesPerSecond(size: size) }.max() ?? 0
    figures.append(
      Figure(
        name: "MCSession, reliable messages of \(size) octets", value: rate / 1e6, unit: "M/s",
        target: .atLeast(target)))
  }
  let (rate, growth) = try pair.resource(size: 1 << 30)
  figures.append(Figure(name: "MCSession, a resource of 1 GiB", value: rate * 8 / 1e9, unit: "Gbit/s"))
  figures.append(
    Figure(
      name: "the same, additional memory", value: Double(growth) / 1_048_576, unit: "MiB",
      target: .under(64)))
  return figures + (try SessionStart.figures())
}

/// Large messages, and the speed of plain TLS measured at the same time.
func bulkBenchmark() throws -> [Figure] {
  let pair = try blocking { try await SessionPair() }
  var figures = [
    Figure(name: "AES-128-GCM of openssl speed, 16 KiB, now", value: opensslSpeed(), unit: "Gbit/s")
  ]
  for (size, target) in [(65_536, 8.0), (1 << 20, 10.0)] {
    let ceiling = try TLSCeiling.gigabits(messageSize: size)
    let rate = (0..<3).map { _ in pair.messagesPerSecond(size: size) }.max() ?? 0
    figures += [
      Figure(name: "bare TLS 1.3, \(size / 1024) KiB writes, now", value: ceiling, unit: "Gbit/s"),
      Figure(
        name: "MCSession, reliable messages of \(size / 1024) KiB", value: rate * Double(size) * 8 / 1e9,
        unit: "Gbit/s", target: .atLeast(min(target, 0.7 * ceiling))),
    ]
  }
  return figures
}

/// Runs alone, because other load on the machine affects this figure first.
func tripBenchmark() throws -> [Figure] {
  let pair = try blocking { try await SessionPair() }
  let trip = (0..<3).map { _ in pair.roundTrip().microseconds }.min() ?? 0
  return [
    Figure(name: "MCSession, round trip of 64 octets, median", value: trip, unit: "µs", target: .under(40))
  ]
}

/// Waits for asynchronous work that runs on another thread.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
  let done = DispatchSemaphore(value: 0)
  let box = Mutex<Swift.Result<Result, any Error>?>(nil)
  Task.detached {
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    box.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  guard let result = box.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}
