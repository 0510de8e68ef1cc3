import NearbyExchange
import NearbyUCI

/// One frame that was sent in a DL-TDoA round.
struct SentFrame: Sendable {
  var frame: OpenRound.Frame
  /// What every tag that receives it reports alike: all but the fields of reception.
  var message: UCIDownlinkTDoAMeasurement
}

/// Computes times from the counters of both ends of one exchange between an initiator and a responder.
///
/// All differences are of one counter each, in ticks.
struct AnchorStamps {
  var pollSent: UInt64
  var pollReceived: UInt64
  var responseSent: UInt64
  var responseReceived: UInt64
  var finalSent: UInt64?
  var finalReceived: UInt64?

  /// The responder's reply time.
  var responderReply: UInt64 { responseSent &- pollReceived }
  /// The initiator's reply time; `nil` without a final.
  var initiatorReply: UInt64? { finalSent.map { $0 &- responseReceived } }

  /// The time of flight, ticks: asymmetric double-sided if the final arrived, otherwise single-sided with the
  /// responder's clock offset in ppm.
  func timeOfFlight(offset: Double) -> Double? {
    let round = Self.ticks(responseReceived &- pollSent)
    let reply = Self.ticks(responderReply)
    guard let finalSent, let finalReceived else { return (round - reply / (1 + offset * 1e-6)) / 2 }
    let round2 = Self.ticks(finalReceived &- responseSent)
    let reply2 = Self.ticks(finalSent &- responseReceived)
    let total = round + round2 + reply + reply2
    guard total > 0 else { return nil }
    // In differences, because the products exceed a double's 53 bits.
    return ((round - reply) * round2 + reply * (round2 - reply2)) / total
  }

  private static func ticks(_ difference: UInt64) -> Double { Double(Int64(bitPattern: difference)) }
}

extension HeardInitiator {
  /// The largest difference of two crystals that a chip believes, ppm.
  private static let largestOffset = 100.0
  /// Longest time between two polls that measure a rate, ticks: 5 s.
  private static let longestBase: UInt64 = 5 * 63_897_600_000
  /// Weight of a new time of flight.
  private static let newWeight = 0.2
  /// Longest time of flight that is believed, ticks: about 300 m.
  private static let longestFlight = 64_000.0

  /// Records a poll. Two successive ones measure the rate far better than one frame's carrier.
  ///
  /// - Parameters:
  ///   - sent: The poll's stamp, as it says itself.
  ///   - carrier: The receiver's estimate of how much faster the sender's clock runs, ppm.
  mutating func receivedPoll(sent: UInt64, received: UInt64, carrier: Double) {
    let base = sent &- self.sent
    let own = received &- self.received
    let difference = Double(Int64(bitPattern: own &- base))
    let measured = base > 0 && base < Self.longestBase ? difference / Double(base) * 1e6 : .infinity
    if measured.magnitude <= Self.largestOffset {
      offset += 0.5 * (measured - offset)
    } else {
      offset = -carrier
    }
    (self.sent, self.received) = (sent, received)
  }

  mutating func measured(_ timeOfFlight: Double) {
    guard timeOfFlight.magnitude <= Self.longestFlight else { return }
    self.timeOfFlight = self.timeOfFlight.map { $0 + Self.newWeight * (timeOfFlight - $0) } ?? timeOfFlight
  }

  /// The map of the receiver's counter to the initiator's time base; `nil` until the time of flight is known.
  var base: AnchorTimeBase? {
    guard let timeOfFlight else { return nil }
    let flight = UInt64(bitPattern: Int64(timeOfFlight.rounded()))
    return AnchorTimeBase(own: received, common: sent &+ flight, offset: offset)
  }
}

extension AnchorMember {
  /// Initiators of which an anchor remembers something. Polls of others are forgotten.
  private static let mostInitiators = 32

  /// The entry of an initiator, which is added on its first poll.
  mutating func heardPoll(from address: UInt64, sent: UInt64, received: UInt64, carrier: Double) -> Int {
    if let known = initiators.firstIndex(where: { $0.address == address }) {
      initiators[known].receivedPoll(sent: sent, received: received, carrier: carrier)
      return known
    }
    if initiators.count >= Self.mostInitiators { initiators.removeFirst() }
    initiators.append(
      HeardInitiator(address: address, sent: sent, received: received, offset: -carrier))
    return initiators.count - 1
  }
}
