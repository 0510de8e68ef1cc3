import Foundation
import NearbyRadioLinks
import NearbySchedule
import NearbyWorldProtocol

/// Clients that are killed and clients that send noise, while ten pairs range.
///
/// `NEARBY_FAULT_SECONDS` sets how long noise is sent, 5 s by default.
func worldFaultFigures() throws -> [Figure] {
  let pairs = try ServedPairs(count: 10, intervalMilliseconds: 100)
  defer { pairs.end() }
  pairs.waitUntilRanging()
  let faults = WorldFaults(pairs)
  // The first clients of each kind create devices, which stay, so they don't count as a leak.
  faults.kill(100)
  faults.sendNoise(seconds: 1)
  let before = faults.usage()
  faults.kill(1000)
  let kills = faults.usage()
  let seconds = ProcessInfo.processInfo.environment["NEARBY_FAULT_SECONDS"].flatMap(Double.init) ?? 5
  let (sent, kept) = faults.sendNoise(seconds: seconds)
  let noise = faults.usage()
  let name = "random frames for \(Int(seconds)) s"
  return [
    Figure(
      name: "1000 kills: other apps that noticed", value: Double(kills.troubles - before.troubles), unit: "",
      target: .under(1)),
    Figure(
      name: "1000 kills: descriptors left", value: Double(kills.descriptors - before.descriptors), unit: "",
      target: .under(1)),
    Figure(
      name: "1000 kills: additional memory", value: kills.mebibytes - before.mebibytes, unit: "MiB",
      target: .under(4)),
    Figure(name: "\(name): clients", value: Double(sent), unit: ""),
    Figure(name: "\(name): clients not dropped", value: Double(kept), unit: "", target: .under(1)),
    Figure(
      name: "\(name): other apps that noticed", value: Double(noise.troubles - kills.troubles), unit: "",
      target: .under(1)),
    Figure(
      name: "\(name): descriptors left", value: Double(noise.descriptors - kills.descriptors), unit: "",
      target: .under(1)),
    Figure(
      name: "\(name): additional memory", value: noise.mebibytes - kills.mebibytes, unit: "MiB",
      target: .under(4)),
  ]
}

/// Attacks a served world.
private final class WorldFaults {
  struct Usage {
    var descriptors: Int
    var mebibytes: Double
    var troubles: Int
  }

  private let pairs: ServedPairs
  private var generator = SplitMix64(seed: 9)

  init(_ pairs: ServedPairs) { self.pairs = pairs }

  /// What the server holds, after it has had time to notice every closed connection.
  func usage() -> Usage {
    Thread.sleep(forTimeInterval: 1)
    let folder = "/proc/\(pairs.serverID)"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd"))?.count ?? 0
    let status = (try? String(contentsOfFile: folder + "/statm", encoding: .utf8)) ?? ""
    let pages = status.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
    let size = Double(sysconf(Int32(_SC_PAGESIZE)))
    return Usage(
      descriptors: descriptors, mebibytes: pages * size / 1_048_576, troubles: pairs.troubles)
  }

  private func connect() -> Int32? {
    guard let descriptor = try? TCPSockets.connect(host: "127.0.0.1", port: pairs.port, timeout: .seconds(5))
    else { return nil }
    return descriptor
  }

  private func hello(_ name: String) -> [UInt8] {
    var octets: [UInt8] = []
    DeviceMessage.hello(DeviceHello(token: "", device: name, program: "fault")).frame(at: .zero)
      .write(to: &octets)
    return octets
  }

  private func send(_ octets: [UInt8], to descriptor: Int32) {
    _ = octets.withUnsafeBytes {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Joins `count` programs and kills each at a random point.
  func kill(_ count: Int) {
    for number in 0..<count {
      guard let descriptor = connect() else { continue }
      send(hello("guest-\(number % 8)"), to: descriptor)
      if Bool.random(using: &generator) {
        // A reset of its chip, and half a frame.
        var octets: [UInt8] = []
        DeviceMessage.uci([0x20, 0, 0, 1, 0]).frame(at: .zero).write(to: &octets)
        send(octets + octets.prefix(Int.random(in: 0..<octets.count, using: &generator)), to: descriptor)
      }
      if Bool.random(using: &generator) { usleep(UInt32.random(in: 0...4000, using: &generator)) }
      if Bool.random(using: &generator) {
        // A machine that lost power sends nothing; the kernel of a killed process sends RST.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      }
      close(descriptor)
    }
  }

  /// Connects clients that send random frames until they are dropped.
  ///
  /// - Returns: How many clients there were, and how many the server did not drop.
  @discardableResult
  func sendNoise(seconds: Double) -> (sent: Int, kept: Int) {
    let end = ContinuousClock.now + .seconds(seconds)
    var (sent, kept) = (0, 0)
    while ContinuousClock.now < end {
      guard let descriptor = connect() else { continue }
      defer { close(descriptor) }
      sent += 1
      if Bool.random(using: &generator) { send(hello("guest-\(sent % 8)"), to: descriptor) }
      if !isDropped(descriptor) { kept += 1 }
    }
    return (sent, kept)
  }

  /// Sends up to 2000 frames with random sides, kinds and payloads. Returns whether the server closed the
  /// connection.
  private func isDropped(_ descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...200, using: &generator)
      var octets: [UInt8] = [UInt8(count), 0, 0, 0]
      octets += [UInt8.random(in: 0...5, using: &generator), UInt8.random(in: 0...3, using: &generator)]
      octets += [UInt8](repeating: 0, count: 10)
      octets += (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      send(octets, to: descriptor)
      let got = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if got == 0 || got < 0 && errno != EAGAIN { return true }
    }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 1000) > 0 {
      if recv(descriptor, &buffer, buffer.count, 0) <= 0 { return true }
    }
    return false
  }
}
