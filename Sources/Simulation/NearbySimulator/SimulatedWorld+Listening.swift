import NearbyExchange
import NearbyMaths
import NearbySchedule

/// Frames that one radio sends and any number of others receive without answering.
extension SimulatedWorld {
  /// What a radio that only listens learns from one frame.
  package struct HeardFrame: Equatable, Sendable {
    /// Distance between the antennas, metres.
    package var distance: Double
    /// Error of the reception's stamp, metres: echoes, walls, antennas, noise, late detection, and the noise of the
    /// sender's own stamp.
    package var error: Double
    package var isLineOfSight: Bool
  }

  /// A frame that arrived, before it is put on a clock.
  private struct Arrival {
    var link: RadioPath
    /// Error of its stamp, metres.
    var error: Double
    /// The echoes' part of the error, in standard deviations.
    var echoes: Double
    /// Change of the received power by echoes, dB.
    var fading: Double
  }

  /// Receives one frame without answering.
  ///
  /// - Returns: `nil` if the frame is lost.
  package mutating func hear(
    from sender: Int, by listener: Int, channel: UInt8 = 9, at time: Duration
  ) -> HeardFrame? {
    var noise = listeningNoise(sender, listener, nanoseconds: time.inNanoseconds)
    return arrival(of: sender, at: listener, channel: channel, seconds: time.inSeconds, noise: &noise).map {
      HeardFrame(distance: $0.link.distance, error: $0.error, isLineOfSight: $0.link.isLineOfSight)
    }
  }

  /// Sends one frame to one receiver.
  ///
  /// - Returns: The arrival on the receiver's clock, and what the receiver tells of it; `nil` if the frame is lost.
  package mutating func receive(_ frame: BroadcastFrame, by receiver: Int) -> BroadcastReception? {
    let sender = frame.sender.index
    let seconds = Duration.nanoseconds(frame.sent).inSeconds
    var noise = listeningNoise(sender, receiver, nanoseconds: frame.sent)
    guard
      let arrival = arrival(
        of: sender, at: receiver, channel: frame.channel, seconds: seconds, noise: &noise)
    else { return nil }
    let rate = (1 + radios[receiver].clock.deviation(at: seconds) * 1e-6) * RadioClock.rate
    let path = arrival.link.distance + arrival.error
    let ticks = Int64(exactly: (path / speedOfLight * rate).rounded()) ?? 0
    let start = counter(ofRadio: receiver, atNanoseconds: frame.sent)
    let power = powerReadings(
      at: receiver, from: sender, arrival.link, fading: arrival.fading, echoes: arrival.echoes, noise: &noise)
    return BroadcastReception(
      received: start &+ UInt64(bitPattern: ticks), rssiDBm: power.total,
      looksNonLineOfSight: power.total - power.firstPath > kinds[radios[receiver].kind].blockedPathThreshold,
      clockOffset: clockOffset(of: sender, at: receiver, seconds: seconds, noise: &noise))
  }

  /// The counter of a radio's clock, ticks in 64 bits.
  package func counter(ofRadio radio: Int, atNanoseconds nanoseconds: Int64) -> UInt64 {
    radios[radio].clock.longReading(
      atNanoseconds: nanoseconds, seconds: Duration.nanoseconds(nanoseconds).inSeconds)
  }

  private func listeningNoise(_ sender: Int, _ listener: Int, nanoseconds: Int64) -> NoiseStream {
    NoiseStream(
      seed: seed, radios[sender].identity, radios[listener].identity, UInt64(bitPattern: nanoseconds),
      Purpose.listening.rawValue)
  }

  private mutating func arrival(
    of sender: Int, at listener: Int, channel: UInt8, seconds: Double, noise: inout NoiseStream
  ) -> Arrival? {
    guard sender != listener, radios[sender].isOn, radios[listener].isOn else { return nil }
    let (there, here) = (end(sender, seconds: seconds), end(listener, seconds: seconds))
    guard isWithinReach(sender, there, listener, here) else { return nil }
    let link = link(sender, there, listener, here, channel: channel, seconds: seconds)
    let (kind, sent) = (kinds[radios[listener].kind], kinds[radios[sender].kind])
    let power = link.totalPower(sent: sent.transmitPower, echoLoss: echoLoss)
    let loss = RadioPath.lossShare(power: power, sensitivity: kind.sensitivity)
    guard noise.uniform() >= combinedLoss(loss, sender, listener) else { return nil }
    let extra = extraPath(link, there, here, sender, listener, noise: &noise)
    // The sender's kind tells how good the infrastructure is: its own stamps reach the listener too.
    let sigma = timestampSigma(at: listener, from: sender, link)
    let both = (sigma * sigma + sent.timestampSigma * sent.timestampSigma).squareRoot()
    let late = max(
      lateDetection(sent, link, noise: &noise), lateDetection(kind, link, noise: &noise))
    let delay = (radios[sender].delayError + radios[listener].delayError) / 2
    return Arrival(
      link: link, error: extra.length + delay + noise.normal() * both + late, echoes: extra.echoes,
      fading: fading(there, here, sender, listener))
  }

  /// A receiver's estimate of how much faster a sender's clock runs, ppm. A radio that does not use the
  /// carrier for ranging still measures it.
  private func clockOffset(
    of sender: Int, at receiver: Int, seconds: Double, noise: inout NoiseStream
  ) -> Double {
    let sigma = kinds[radios[receiver].kind].carrierEstimateSigma ?? 0.1
    return radios[sender].clock.deviation(at: seconds) - radios[receiver].clock.deviation(at: seconds)
      + noise.normal() * sigma
  }
}

extension SimulatedWorld {
  /// How well a listener hears a sender at their present places.
  package struct ListeningOutlook: Equatable, Sendable {
    /// Chance that a frame arrives, 0 to 1.
    package var arrival: Double
    /// Root mean square of the error that stays while both rest, metres.
    package var lastingError: Double
    /// Standard deviation of the error that changes with each frame, metres; without late detections.
    package var noise: Double
    package var isLineOfSight: Bool
  }

  /// What to expect of the frames that `hear` receives, without drawing any.
  package mutating func outlook(
    from sender: Int, by listener: Int, channel: UInt8 = 9, at time: Duration
  ) -> ListeningOutlook {
    let seconds = time.inSeconds
    let (here, there) = (end(sender, seconds: seconds), end(listener, seconds: seconds))
    let link = link(sender, here, listener, there, channel: channel, seconds: seconds)
    let (kind, sent) = (kinds[radios[listener].kind], kinds[radios[sender].kind])
    let power = link.totalPower(sent: sent.transmitPower, echoLoss: echoLoss)
    let loss = RadioPath.lossShare(power: power, sensitivity: kind.sensitivity)
    let isReached = isWithinReach(sender, here, listener, there)
    let sigma = timestampSigma(at: listener, from: sender, link)
    let echoes = (kind.multipathSigma + sent.multipathSigma) / 2
    // A blocked path's excess is log-normal with 0.83 for the logarithm: its root mean square is twice its
    // median.
    let blocked = link.obstruction.delay + 2 * link.obstruction.excess
    let squares = [echoes, sent.directionBias, kind.directionBias, sent.antennaDelaySigma / 2, blocked]
    return ListeningOutlook(
      arrival: isReached ? 1 - combinedLoss(loss, sender, listener) : 0,
      lastingError: squares.reduce(0) { $0 + $1 * $1 }.squareRoot(),
      noise: (sigma * sigma + sent.timestampSigma * sent.timestampSigma).squareRoot(),
      isLineOfSight: link.isLineOfSight)
  }
}
