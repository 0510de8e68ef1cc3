import NearbyExchange
import NearbyMaths
import NearbySchedule

extension SimulatedWorld {
  /// What a radio that only listens learns from one frame.
  package struct HeardFrame: Equatable, Sendable {
    /// Distance between the antennas, metres.
    package var distance: Double
    /// Error of the reception's stamp, metres: echoes, walls, antennas, noise, late detection.
    package var error: Double
    package var isLineOfSight: Bool
  }

  /// Receives one frame without answering.
  ///
  /// - Returns: `nil` if the frame is lost.
  package mutating func hear(
    from sender: Int, by listener: Int, channel: UInt8 = 9, at time: Duration
  ) -> HeardFrame? {
    guard sender != listener, radios[sender].isOn, radios[listener].isOn else { return nil }
    let seconds = time.inSeconds
    let (here, there) = (end(sender, seconds: seconds), end(listener, seconds: seconds))
    guard isWithinReach(sender, here, listener, there) else { return nil }
    let link = link(sender, here, listener, there, channel: channel, seconds: seconds)
    let (kind, sent) = (kinds[radios[listener].kind], kinds[radios[sender].kind])
    var noise = NoiseStream(
      seed: seed, radios[sender].identity, radios[listener].identity,
      UInt64(bitPattern: time.inNanoseconds), Purpose.listening.rawValue)
    let power = link.totalPower(sent: sent.transmitPower, echoLoss: echoLoss)
    let loss = RadioPath.lossShare(power: power, sensitivity: kind.sensitivity)
    guard noise.uniform() >= combinedLoss(loss, sender, listener) else { return nil }
    let extra = extraPath(link, here, there, sender, listener, noise: &noise)
    // The sender's kind tells how good the infrastructure is: its own stamps reach the listener too.
    let sigma = timestampSigma(at: listener, from: sender, link)
    let both = (sigma * sigma + sent.timestampSigma * sent.timestampSigma).squareRoot()
    let late = max(
      lateDetection(sent, link, noise: &noise), lateDetection(kind, link, noise: &noise))
    let delay = (radios[sender].delayError + radios[listener].delayError) / 2
    return HeardFrame(
      distance: link.distance, error: extra + delay + noise.normal() * both + late,
      isLineOfSight: link.isLineOfSight)
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
