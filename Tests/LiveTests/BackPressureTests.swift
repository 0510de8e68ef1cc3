import Dispatch
import Foundation
import NearbyChipTools
import NearbyRadioLinks
import NearbyUCI
import TestSupport
import Testing

/// A chip that sends notifications as fast as it can.
enum Flood {
  /// CORE_GENERIC_ERROR_NTF, which a host reports to its owner each time.
  static let notification: [UInt8] = [0x60, 0x07, 0x00, 0x01, 0x01]
  static let chunk = [[UInt8]](repeating: notification, count: 1000).flatMap(\.self)
  /// Far more than any queue may hold.
  private static let limit = 64 << 20

  /// Sends until the other side stops reading.
  ///
  /// - Parameters:
  ///   - link: The link to send on.
  ///   - chunk: The octets to repeat.
  ///   - untilIdle: Returns when the other side has processed everything that it will.
  /// - Returns: How many octets were sent.
  static func untilHeldBack(
    _ link: PairLink, chunk: [UInt8] = Flood.chunk, untilIdle: () async -> Void
  ) async -> Int {
    var sent = 0
    while sent < limit {
      if (try? link.send(chunk)) == nil {
        await untilIdle()
        guard (try? link.send(chunk)) != nil else { break }
      }
      sent += chunk.count
    }
    return sent
  }
}

@Suite("Back-pressure", .ownThreads)
struct BackPressureTests {
  /// A shell on a pair of links whose other end floods it until the shell stops reading.
  private func flooded(
    _ report: @escaping @Sendable (RadioShell.Event) -> Void
  ) async -> (shell: RadioShell, chip: PairLink, sent: Int) {
    let queue = DispatchQueue(label: "links of a test")
    let (host, chip) = PairLink.pair(on: queue)
    chip.start(onReceive: { _ in }, onClose: { _ in })
    let shell = RadioShell(link: host, report: report)
    shell.begin()
    let sent = await Flood.untilHeldBack(chip) {
      for _ in 0..<2 {
        await Self.wait { done in queue.async(execute: done) }
        await Self.wait { done in
          shell.perform { _, _ in
            done()
            return []
          }
        }
      }
    }
    return (shell, chip, sent)
  }

  static func wait(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      body { continuation.resume() }
    }
  }

  @Test("If the owner consumes no events the chip has to wait; later the owner receives all of them")
  func shellWaits() async throws {
    let events = AsyncStream<RadioShell.Event>.makeStream()
    let (shell, chip, sent) = await flooded { events.continuation.yield($0) }
    // The link's queue, the window, and the notifications of one or two chunks as events of 512 octets each.
    #expect(sent < 1 << 20, "\(sent) octets went to a shell whose owner consumes nothing")
    #expect(shell.backlog < 3 << 20)
    var count = 0
    for await event in events.stream {
      guard case .host(.other, _) = event else { continue }
      count += 1
      shell.consumed()
      if count * Flood.notification.count == sent { break }
    }
    try chip.send(Flood.notification)
    for await event in events.stream { if case .host(.other, _) = event { break } }
    shell.close()
  }

  @Test("The number of remembered peers is limited if a chip keeps reporting new ones")
  func inventedPeers() {
    var ranges = RadioRanges()
    for number in 0..<1000 {
      let measurement = UCITwoWayMeasurement(
        address: .short(UInt16(number)), status: .ok, distanceCentimetres: 300)
      let info = UCISessionInfo(
        sequence: UInt32(number), token: UCISessionToken(1), intervalMilliseconds: 200,
        measurements: .twoWay([measurement], usesExtendedAddresses: false))
      #expect(ranges.add(info, at: .milliseconds(number)).count == 1)
    }
    #expect(ranges.peerCount == RadioRanges.peerLimit)
  }
}
