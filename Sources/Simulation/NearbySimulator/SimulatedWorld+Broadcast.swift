import NearbyExchange
import NearbyMaths
import NearbySchedule

/// Frames that anchors send to everybody in reach.
extension SimulatedWorld {
  /// The counter of a radio's clock, ticks in 64 bits.
  package func counter(ofRadio radio: Int, atNanoseconds nanoseconds: Int64) -> UInt64 {
    radios[radio].clock.longReading(
      atNanoseconds: nanoseconds, seconds: Duration.nanoseconds(nanoseconds).inSeconds)
  }

  /// Sends one frame to one receiver: loss, and the time of arrival on the receiver's clock.
  ///
  /// The errors are those of two-way frames: noise, echoes of the place, obstacles, weak pulses, antenna
  /// delays and occasional late detections (`Docs/simulator.md`).
  package mutating func receive(_ frame: BroadcastFrame, by receiver: Int) -> BroadcastReception? {
    let sender = frame.sender.index
    guard sender != receiver, radios[sender].isOn, radios[receiver].isOn else { return nil }
    let seconds = Duration.nanoseconds(frame.sent).inSeconds
    let endS = end(sender, seconds: seconds)
    let endR = end(receiver, seconds: seconds)
    guard isWithinReach(sender, endS, receiver, endR) else { return nil }
    let link = link(sender, endS, receiver, endR, channel: frame.channel, seconds: seconds)
    var noise = NoiseStream(
      seed: seed, radios[sender].identity, radios[receiver].identity, UInt64(bitPattern: frame.sent),
      Purpose.broadcast.rawValue)
    let kindS = kinds[radios[sender].kind]
    let kindR = kinds[radios[receiver].kind]
    let power = link.totalPower(sent: kindS.transmitPower, echoLoss: echoLoss)
    let loss = RadioPath.lossShare(power: power, sensitivity: kindR.sensitivity)
    guard noise.uniform() >= combinedLoss(loss, sender, receiver) else { return nil }
    let path =
      link.distance + extraPath(link, endS, endR, sender, receiver, noise: &noise)
      + (radios[sender].delayError + radios[receiver].delayError) / 2
      + noise.normal() * timestampSigma(at: receiver, from: sender, link)
      + lateDetection(kindR, link, noise: &noise)
    let rate = (1 + radios[receiver].clock.deviation(at: seconds) * 1e-6) * RadioClock.rate
    let ticks = Int64(exactly: (path / speedOfLight * rate).rounded()) ?? 0
    let start = counter(ofRadio: receiver, atNanoseconds: frame.sent)
    let rssi = power + noise.normal() * kindR.powerReadingSigma
    let firstPath = link.straightPower(sent: kindS.transmitPower) - 2.5 + noise.normal() * 2
    return BroadcastReception(
      received: start &+ UInt64(bitPattern: ticks), rssiDBm: rssi,
      looksNonLineOfSight: rssi - firstPath > kindR.blockedPathThreshold,
      clockOffset: clockOffset(of: sender, at: receiver, seconds: seconds, noise: &noise))
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
