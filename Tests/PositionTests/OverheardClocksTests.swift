import NearbyPosition
import NearbySchedule
import Testing

@Suite("Differences from overheard exchanges")
struct OverheardClocksTests {
  private static let speed = 299_702_547.0
  private static let period = 4_294_967_296 / (128 * 499.2e6)

  /// An exchange between two radios 5 m apart, overheard 4 m from the responder and 2 m from the initiator.
  private static func exchange(
    at time: Double, listenerRate: Double = 1 + 4e-6, responderRate: Double = 1 - 3e-6, wraps: Bool = false,
    jitter: Double = 0
  ) -> OverheardExchange {
    let sent = time
    let received = sent + 5 / speed
    let answers = SIMD2(received + 305e-6, received + 1844e-6)
    func wrapped(_ seconds: Double) -> Double {
      wraps ? seconds - (seconds / period).rounded(.down) * period : seconds
    }
    let heard = SIMD3(sent + 2 / speed, answers.x + 4 / speed, answers.y + 4 / speed) * listenerRate
    let replied = SIMD3(received, answers.x, answers.y) * responderRate
    return OverheardExchange(
      time: time, listener: 10, initiator: 11, responder: 3,
      listenerStamps: SIMD3(wrapped(heard.x + 7.1), wrapped(heard.y + 7.1), wrapped(heard.z + 7.1 + jitter)),
      responderStamps: SIMD3(wrapped(replied.x), wrapped(replied.y), wrapped(replied.z)), measuredRange: 5,
      knownRange: 5)
  }

  private func metres(
    _ clocks: inout OverheardClocks, _ exchange: OverheardExchange
  ) throws -> Double { try clocks.difference(of: exchange).get().metres }

  @Test("The clocks' rates and wraps are removed", arguments: [false, true])
  func corrected(wraps: Bool) throws {
    var clocks = OverheardClocks()
    for index in 0..<200 {
      let found = try metres(&clocks, Self.exchange(at: Double(index) * 0.0337, wraps: wraps))
      #expect((found - 2).magnitude < 0.005, "\(index): \(found)")
    }
  }

  @Test("The mean of several rates is better than each")
  func averaged() throws {
    var noise = NoiseStream(seed: 3)
    var clocks = OverheardClocks()
    var (mean, single) = (0.0, 0.0)
    for index in 0..<400 {
      let exchange = Self.exchange(at: Double(index) * 0.1, jitter: 0.3e-9 * noise.normal())
      let error = try metres(&clocks, exchange) - 2
      var fresh = OverheardClocks()
      let alone = try metres(&fresh, exchange) - 2
      mean += error * error
      single += alone * alone
    }
    #expect(mean < 0.6 * single, "\(mean) \(single)")
  }

  @Test("An exchange that can't be used has its reason, and spoils no other")
  func rejected() throws {
    var clocks = OverheardClocks()
    for index in 0..<10 { _ = try metres(&clocks, Self.exchange(at: Double(index) * 0.1)) }
    var wild = Self.exchange(at: 1)
    wild.listenerStamps.y += 1e-6
    wild.listenerStamps.z += 1e-6
    #expect(clocks.difference(of: wild) == .failure(.impossible))
    var missing = Self.exchange(at: 1)
    missing.responderStamps.z = .nan
    #expect(clocks.difference(of: missing) == .failure(.notFinite))
    var same = Self.exchange(at: 1)
    same.responder = same.listener
    #expect(clocks.difference(of: same) == .failure(.sameAnchor))
    var fast = Self.exchange(at: 1, listenerRate: 1.001)
    fast.listener = 12
    #expect(clocks.difference(of: fast) == .failure(.clock))
    var leap = Self.exchange(at: 1)
    leap.listenerStamps += SIMD3(0, 1, 1) * (-5 / Self.speed)
    #expect(clocks.difference(of: leap) == .failure(.disagrees))
    #expect((try metres(&clocks, Self.exchange(at: 1.1)) - 2).magnitude < 0.01)
  }

  @Test("A difference a little beyond the anchors' distance becomes the nearest possible one")
  func nearestPossible() throws {
    var clocks = OverheardClocks()
    var late = Self.exchange(at: 0)
    late.listenerStamps += SIMD3(0, 1, 1) * (3.3 / Self.speed)
    #expect(try metres(&clocks, late) == 5)
  }
}
