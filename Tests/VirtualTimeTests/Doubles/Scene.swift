import Dispatch
import Glibc
import NearbyDevice
import NearbyTesting
import Testing

/// A world with two phones, and what their apps wrote down.
struct Scene {
  let world = World(seed: 1)
  let phone: Phone
  let other: Phone
  let history = History()

  init() {
    phone = world.addPhone("Ann", at: [0, 0, 0])
    other = world.addPhone("Ben", at: [1, 0, 0])
  }

  /// Writes a line with the world's time in milliseconds.
  var log: @Sendable (String) -> Void {
    { [history, weak world] line in
      history.add("\(Int(((world?.now ?? .zero) / .milliseconds(1)).rounded())) \(line)")
    }
  }

  /// The same, with the phone whose code runs.
  var logPhone: @Sendable (String) -> Void {
    { [log] line in log("\(DeviceOfThread.device?.name ?? "nobody") \(line)") }
  }

  /// The lines without their times.
  var textsWithoutTime: [String] { history.lines.map { String($0.drop { $0 != " " }.dropFirst()) } }

  /// Moves time on in small steps until there are so many lines. What they wait for comes in real time.
  func advance(untilLines count: Int, by step: Duration = .milliseconds(1)) async {
    for _ in 0..<Self.mostSteps {
      guard history.lines.count < count else { return }
      await world.advance(by: step)
    }
    Issue.record("waited for \(count) lines, and there are \(history.lines)")
  }

  /// Some tens of seconds of real time.
  private static let mostSteps = 500_000
}

/// The two ends of a pipe, which are closed with this object.
final class OctetPipe: Sendable {
  let input: Int32
  let output: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    (input, output) = (ends[0], ends[1])
  }

  deinit {
    close(input)
    close(output)
  }

  /// Keeps the descriptors open until a source has been cancelled. Closing them earlier breaks Dispatch: it never calls
  /// the next source of a descriptor with the same number, which may be another test's.
  func stayOpen(until source: any DispatchSourceProtocol) {
    source.setCancelHandler { withExtendedLifetime(self) {} }
  }

  func write(_ octet: UInt8) { withUnsafeBytes(of: octet) { _ = Glibc.write(output, $0.baseAddress, 1) } }

  func read() -> UInt8 {
    var octet: UInt8 = 0
    _ = Glibc.read(input, &octet, 1)
    return octet
  }
}
