/// One message of a downlink time-difference round as a listening tag received it.
///
/// The initiator sends a poll, the responders answer in their slots, and the initiator may send a final
/// (FiRa MAC 2.0, DL-TDoA). Stamps are seconds; an adapter fills them from whatever reports the messages.
public struct AnchorMessage: Hashable, Sendable {
  /// The message's place in its round.
  public enum Kind: Hashable, Sendable { case poll, response, final }

  /// The message's place in its round.
  public var kind: Kind
  /// The sender's id.
  public var anchor: Int
  /// Transmission, seconds in the initiator's time base; `nil` if the sender only knows its own clock.
  public var transmitTime: Double?
  /// Reception, seconds on the tag's clock.
  public var receiveTime: Double
  /// Time from the reception of the poll to a response's transmission, seconds on the responder's clock.
  public var replyTime: Double?
  /// Offset of a responder's clock rate from the initiator's, as a fraction: 1e-6 is 1 ppm.
  public var responderOffset: Double?
  /// Time of flight from the initiator to a responder, seconds; `nil` computes it from the anchors' places.
  public var timeOfFlight: Double?

  /// Creates a message; `AnchorRounds` checks the numbers.
  public init(
    kind: Kind, anchor: Int, transmitTime: Double?, receiveTime: Double, replyTime: Double? = nil,
    responderOffset: Double? = nil, timeOfFlight: Double? = nil
  ) {
    self.kind = kind
    self.anchor = anchor
    self.transmitTime = transmitTime
    self.receiveTime = receiveTime
    self.replyTime = replyTime
    self.responderOffset = responderOffset
    self.timeOfFlight = timeOfFlight
  }
}

/// Turns rounds of one tag into differences, and learns the tag's clock rate against each initiator on the
/// way.
///
/// Over the 10 ms of a round, a clock that is 1 ppm fast makes 3 m. The rate comes from the polls and finals
/// of an initiator, averaged over its rounds: the longer the base, the better.
public struct AnchorRounds: Sendable {
  /// m/s, that of light in air.
  public static let signalSpeed = 299_702_547.0

  private struct Initiator {
    var transmitTime: Double
    var receiveTime: Double
    /// Rate of the tag's clock against the initiator's, minus 1; `nil` until measured.
    var offset: Double?
  }

  private static let capacity = 256
  private static let largestOffset = 50e-6
  /// Shortest and longest time between two messages that measure the rate, seconds.
  private static let bases = 0.001...5.0
  /// Seconds of rounds that are averaged.
  private static let memory = 1.0

  private let table: AnchorTable
  private var initiators: [Int: Initiator] = [:]

  /// - Throws: `PositionError` if the anchors can't be used.
  public init(anchors: [PositionAnchor]) throws(PositionError) {
    table = try AnchorTable(anchors, heights: nil)
  }

  /// The differences that one round measures, each against the round's initiator.
  ///
  /// - Parameters:
  ///   - messages: The messages of one round of one cluster, in any order; lost ones are missing.
  ///   - time: Seconds on the tag's clock, for the measurements.
  /// - Returns: The measurements, and the reason for each response that gave none: `clock` if its stamps are
  ///   missing or the tag's rate is unknown, `outOfOrder` without a poll.
  public mutating func differences(of messages: [AnchorMessage], at time: Double) -> (
    measurements: [PositionMeasurement], rejected: [MeasurementRejection]
  ) {
    var measurements: [PositionMeasurement] = []
    var rejected: [MeasurementRejection] = []
    let poll = messages.first { $0.kind == .poll && Self.isFinite($0) }
    for message in messages where message.anchor == poll?.anchor && message.kind != .response {
      learn(message)
    }
    for response in messages where response.kind == .response {
      guard let poll else {
        rejected.append(.outOfOrder)
        continue
      }
      switch difference(poll, response) {
      case .failure(let reason): rejected.append(reason)
      case .success(let metres):
        measurements.append(
          PositionMeasurement(
            time: time, kind: .difference(from: poll.anchor, to: response.anchor), metres: metres))
      }
    }
    return (measurements, rejected)
  }

  private static func isFinite(_ message: AnchorMessage) -> Bool {
    let stamps = [message.transmitTime, message.replyTime, message.responderOffset, message.timeOfFlight]
    return message.receiveTime.isFinite && stamps.allSatisfy { $0?.isFinite ?? true }
  }

  /// Measures the rate against an initiator from two of its messages.
  private mutating func learn(_ message: AnchorMessage) {
    guard let sent = message.transmitTime, Self.isFinite(message) else { return }
    guard var known = initiators[message.anchor] else {
      if initiators.count >= Self.capacity { initiators.removeAll() }
      initiators[message.anchor] = Initiator(transmitTime: sent, receiveTime: message.receiveTime)
      return
    }
    let base = sent - known.transmitTime
    let offset = (message.receiveTime - known.receiveTime) / base - 1
    let isUsable = Self.bases.contains(base) && offset.magnitude <= Self.largestOffset
    if isUsable {
      let share = min(1, base / Self.memory)
      known.offset = known.offset.map { $0 + share * (offset - $0) } ?? offset
    }
    // A counter that wrapped or restarted begins anew, but the clock's rate stays.
    (known.transmitTime, known.receiveTime) = (sent, message.receiveTime)
    initiators[message.anchor] = known
  }

  private func difference(
    _ poll: AnchorMessage, _ response: AnchorMessage
  ) -> Result<Double, MeasurementRejection> {
    guard Self.isFinite(response) else { return .failure(.notFinite) }
    guard let initiator = table.number(of: poll.anchor), let responder = table.number(of: response.anchor)
    else { return .failure(.unknownAnchor) }
    guard initiator != responder else { return .failure(.sameAnchor) }
    guard let offset = initiators[poll.anchor]?.offset else { return .failure(.clock) }
    let heard = response.receiveTime - poll.receiveTime
    if let sent = response.transmitTime, let polled = poll.transmitTime {
      return .success(Self.signalSpeed * (heard - (sent - polled) * (1 + offset)))
    }
    // In the responder's clock: its rate against the tag's is the ratio of both rates against the initiator's.
    guard let reply = response.replyTime, let responderOffset = response.responderOffset else {
      return .failure(.clock)
    }
    let across = table.place(responder) - table.place(initiator)
    let flight = response.timeOfFlight ?? (across * across).sum().squareRoot() / Self.signalSpeed
    let scaled = reply * (1 + offset) / (1 + responderOffset)
    return .success(Self.signalSpeed * (heard - flight - scaled))
  }
}
