import NearbyExchange
import NearbyMaths
import NearbySchedule

extension SimulatedWorld {
  /// What is known about an exchange before its frames are sent.
  private struct Setting {
    var link: RadioPath
    /// World time of the start, as seconds and as nanoseconds.
    var seconds: Double
    var nanoseconds: Int64
    /// Extra length of the first path from walls and echoes, metres; the same for every frame.
    var extraPath: Double
    /// The echoes' part of it, in standard deviations.
    var echoes: Double
    /// Change of the received power by echoes, dB.
    var fading: Double
    /// Standard deviation of a receive timestamp, metres.
    var sigmaAtInitiator: Double
    var sigmaAtResponder: Double
  }

  /// Simulates one two-way exchange: losses, timestamps, angles.
  package mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome {
    let a = plan.initiator.index
    let b = plan.responder.index
    guard a != b, radios[a].isOn, radios[b].isOn else { return .nothing }
    let seconds = plan.start.inSeconds
    let endA = end(a, seconds: seconds)
    let endB = end(b, seconds: seconds)
    guard isWithinReach(a, endA, b, endB) else { return .nothing }
    let link = link(a, endA, b, endB, channel: plan.channel, seconds: seconds)
    let nanoseconds = plan.start.inNanoseconds
    var noise = NoiseStream(
      seed: seed, radios[a].identity, radios[b].identity, UInt64(bitPattern: nanoseconds),
      Purpose.exchange.rawValue)
    let received = receivedFrames(plan, link, noise: &noise)
    guard received.contains(.poll) else {
      return ExchangeOutcome(received: received, distance: nil, sigma: 1)
    }
    let extra = extraPath(link, endA, endB, a, b, noise: &noise)
    let setting = Setting(
      link: link, seconds: seconds, nanoseconds: nanoseconds, extraPath: extra.length, echoes: extra.echoes,
      fading: fading(endA, endB, a, b), sigmaAtInitiator: timestampSigma(at: a, from: b, link),
      sigmaAtResponder: timestampSigma(at: b, from: a, link))
    var outcome = ExchangeOutcome(received: received, distance: nil, sigma: 1)
    let stamps = timestamps(plan, setting, noise: &noise)
    outcome.distance = distance(plan, received, stamps, setting, noise: &noise)
      .map { $0 + wildError(endA, endB, a, b, seconds: seconds, noise: &noise) }
    outcome.atResponder = view(at: b, endB, from: a, endA, plan, setting, noise: &noise)
    if received.contains(.response) {
      outcome.atInitiator = view(at: a, endA, from: b, endB, plan, setting, noise: &noise)
    }
    outcome.sigma = statedSigma(plan, setting, outcome)
    return outcome
  }

  // MARK: Frames

  /// Draws which frames arrive. A frame is received only if its predecessors were, if it did not collide, and
  /// if it was not lost at random.
  private func receivedFrames(
    _ plan: ExchangePlan, _ link: RadioPath, noise: inout NoiseStream
  ) -> ExchangeFrames {
    let kindA = kinds[radios[plan.initiator.index].kind]
    let kindB = kinds[radios[plan.responder.index].kind]
    let atB = link.totalPower(sent: kindA.transmitPower, echoLoss: echoLoss)
    let atA = link.totalPower(sent: kindB.transmitPower, echoLoss: echoLoss)
    let unexplained = min(0.2, max(kindA.lossByEchoes, kindB.lossByEchoes) * place.losses)
    func loss(_ power: Double, _ kind: RadioCharacteristics) -> Double {
      let byPower = RadioPath.lossShare(power: power, sensitivity: kind.sensitivity)
      return combinedLoss(
        1 - (1 - byPower) * (1 - unexplained), plan.initiator.index, plan.responder.index)
    }
    let lossThere = loss(atB, kindB)
    let lossBack = loss(atA, kindA)
    // Every frame consumes one draw, sent or not, so that a collision does not shift any other random value.
    let draws = (
      noise.uniform(), noise.uniform(), noise.uniform(), noise.uniform(), noise.uniform()
    )
    var received: ExchangeFrames = []
    func arrive(_ frame: ExchangeFrames, after cause: ExchangeFrames, _ draw: Double, _ loss: Double) {
      guard received.isSuperset(of: cause), !plan.collided.contains(frame), draw >= loss else { return }
      received.insert(frame)
    }
    // A responder that missed the control frame is not listening, and a frame that was not received gets no
    // reply.
    arrive(.control, after: [], draws.0, lossThere)
    arrive(.poll, after: .control, draws.1, lossThere)
    arrive(.response, after: .poll, draws.2, lossBack)
    switch plan.method {
    case .singleSided: arrive(.report, after: .response, draws.4, lossThere)
    case .doubleSided:
      arrive(.final, after: .response, draws.3, lossThere)
      arrive(.report, after: .response, draws.4, lossThere)
    }
    return received
  }

  // MARK: Time of flight

  /// Excess length of the first path: echoes, walls, the detector's dependence on power, and blocked paths,
  /// metres; and the echoes' part in standard deviations.
  func extraPath(
    _ link: RadioPath, _ endA: End, _ endB: End, _ a: Int, _ b: Int, noise: inout NoiseStream
  ) -> (length: Double, echoes: Double) {
    let kindA = kinds[radios[a].kind]
    let kindB = kinds[radios[b].kind]
    let (first, second) = ordered(endA, endB, a, b)
    let sigma = (kindA.multipathSigma + kindB.multipathSigma) / 2
    var length = link.obstruction.delay + powerError(link, kindA, kindB)
    length += directionError(a, kindA, link.direction) + directionError(b, kindB, -link.direction)
    let varies = kindA.variesByPlace || kindB.variesByPlace
    let key = pairKey(a, b, .echoes)
    let echoes: Double
    if varies {
      // Pairs of one recording differ by 0.01 to 0.08 m, 0.037 m at the median (starloc, lias_planar, miluv, rcv, hanyang_outdoor).
      let field = EchoField(key: key, first, second)
      echoes = field.value * field.strength
      length += (echoes + 0.4 * field.bias) * sigma * place.echoes
      length += lateEpisode(key, chance: min(kindA.outlierChance, kindB.outlierChance), first, second)
    } else {
      echoes = MultipathField(key: key, wavelength: 0.8).value(first, second)
      length += echoes * sigma
    }
    let jitter = noise.normal()
    if link.obstruction.excess > 0 {
      // Log-normal within a place and over places; the sum matches recorded blocked ranges (Docs/simulator.md). Where
      // echoes are weaker, the pulse that bends around the obstacle remains the first path.
      let field = MultipathField(key: pairKey(a, b, .blockedPath), wavelength: 1.5).value(first, second)
      let spread =
        varies
        ? place.blocked * 0.85 * Maths.exp(0.8 * field + 0.03 * jitter)
        : Maths.exp(0.83 * field + 0.08 * jitter)
      length += link.obstruction.excess * spread * echoShare
    }
    return (length, echoes)
  }

  /// Strength of this place's echoes relative to a room's, as a ratio of powers.
  private var echoShare: Double { min(1, Maths.powerRatio(8 - echoLoss)) }

  /// The ends in an order that does not depend on which side initiates: a field belongs to the pair.
  private func ordered(
    _ endA: End, _ endB: End, _ a: Int, _ b: Int
  ) -> (first: SIMD3<Double>, second: SIMD3<Double>) {
    radios[b].identity < radios[a].identity
      ? (endB.antennaInWorld, endA.antennaInWorld) : (endA.antennaInWorld, endB.antennaInWorld)
  }

  /// How much stronger than on average echoes make the power at these positions, dB.
  func fading(_ endA: End, _ endB: End, _ a: Int, _ b: Int) -> Double {
    let sigma = (kinds[radios[a].kind].fading + kinds[radios[b].kind].fading) / 2
    guard sigma > 0 else { return 0 }
    let (first, second) = ordered(endA, endB, a, b)
    return sigma * EchoField(key: pairKey(a, b, .fading), amplitudes: EchoField.ofPower, first, second).value
  }

  /// Error of a radio in the direction of the other end, a unit vector in the world, metres.
  private func directionError(
    _ radio: Int, _ kind: RadioCharacteristics, _ direction: SIMD3<Double>
  ) -> Double {
    guard kind.directionBias > 0 else { return 0 }
    // A direction's error keeps its sign over some 60°.
    let field = MultipathField(key: pairKey(radio, radio, .direction), wavelength: 1.2)
    return kind.directionBias * field.value(direction, .zero)
  }

  /// Range error because the detector crosses a weak pulse later, metres; 0 at the power of 5 m in the open.
  /// The same effect behind obstacles is already part of their measured excess.
  private func powerError(
    _ link: RadioPath, _ kindA: RadioCharacteristics, _ kindB: RadioCharacteristics
  ) -> Double {
    let bias = (kindA.powerBias + kindB.powerBias) / 2
    guard bias > 0 else { return 0 }
    let power = (kindA.transmitPower + kindB.transmitPower) / 2 - link.freeLoss
    // −77 dBm is the power of 5 m in the open on channel 5 (equation 1 of Docs/simulator.md); 20 dB less is
    // that of 50 m.
    return bias * min(1, max(-0.2, (-77 - power) / 20))
  }

  func pairKey(_ a: Int, _ b: Int, _ purpose: Purpose) -> UInt64 {
    let low = min(radios[a].identity, radios[b].identity)
    let high = max(radios[a].identity, radios[b].identity)
    var stream = NoiseStream(seed: seed, low, high, purpose.rawValue)
    return stream.next()
  }

  /// Standard deviation of one receive timestamp at `receiver`, metres: a floor combined with the Cramér–Rao
  /// bound for the power of the first path.
  func timestampSigma(at receiver: Int, from sender: Int, _ link: RadioPath) -> Double {
    let kind = kinds[radios[receiver].kind]
    // Half of the frames decode at 6 dB above the noise that remains after the preamble's gain.
    let noiseFloor = kind.sensitivity - 6
    let sent = kinds[radios[sender].kind].transmitPower
    // A first path lost beneath the echoes gives way to the strongest early echo.
    let power = max(
      link.straightPower(sent: sent),
      link.totalPower(sent: sent, echoLoss: echoLoss) - 10)
    let bound = RadioPath.timeSigma(signalToNoise: Maths.powerRatio(power - noiseFloor))
    return (kind.timestampSigma * kind.timestampSigma + bound * bound).squareRoot()
  }

  /// The timestamps of all frames, each on the clock of the side that takes it.
  private func timestamps(
    _ plan: ExchangePlan, _ setting: Setting, noise: inout NoiseStream
  ) -> RangingTimestamps {
    let a = radios[plan.initiator.index]
    let b = radios[plan.responder.index]
    let startA = a.clock.reading(atNanoseconds: setting.nanoseconds, seconds: setting.seconds)
    let startB = b.clock.reading(atNanoseconds: setting.nanoseconds, seconds: setting.seconds)
    let rateA = (1 + a.clock.deviation(at: setting.seconds) * 1e-6) * RadioClock.rate
    let rateB = (1 + b.clock.deviation(at: setting.seconds) * 1e-6) * RadioClock.rate
    func stamp(_ start: UInt64, _ rate: Double, _ seconds: Double) -> UInt64 {
      let ticks = (seconds * rate).rounded()
      return (start &+ UInt64(bitPattern: Int64(exactly: ticks) ?? 0)) & RadioClock.mask
    }
    let delay = (a.delayError + b.delayError) / 2
    /// When a frame sent `sent` seconds after the start is stamped at the other end, in seconds after the
    /// start.
    func arrival(_ sent: Double, _ sigma: Double, _ kind: Int) -> Double {
      let error = noise.normal() * sigma + lateDetection(kinds[kind], setting.link, noise: &noise)
      let path = setting.link.distance + setting.link.rangeRate * sent + setting.extraPath + delay
      return sent + (path + error) / speedOfLight
    }
    let poll = plan.pollOffset.inSeconds
    let response = plan.responseOffset.inSeconds
    let final = plan.finalOffset.inSeconds
    return RangingTimestamps(
      pollSent: stamp(startA, rateA, poll),
      pollReceived: stamp(startB, rateB, arrival(poll, setting.sigmaAtResponder, b.kind)),
      responseSent: stamp(startB, rateB, response),
      responseReceived: stamp(startA, rateA, arrival(response, setting.sigmaAtInitiator, a.kind)),
      finalSent: stamp(startA, rateA, final),
      finalReceived: stamp(startB, rateB, arrival(final, setting.sigmaAtResponder, b.kind)))
  }

  /// Occasionally a detector locks on an echo, more often when the direct path is weak; metres.
  func lateDetection(
    _ kind: RadioCharacteristics, _ link: RadioPath, noise: inout NoiseStream
  ) -> Double {
    let chance = kind.outlierChance * (1 + link.obstruction.attenuation)
    let isLate = noise.uniform() < chance
    let draw = noise.uniform()
    return isLate ? -kind.outlierMean * Maths.log(1 - draw) : 0
  }

  /// The measured distance, metres, or `nil` if a frame that the method needs was lost.
  private func distance(
    _ plan: ExchangePlan, _ received: ExchangeFrames, _ stamps: RangingTimestamps, _ setting: Setting,
    noise: inout NoiseStream
  ) -> Double? {
    let estimateError = noise.normal()
    switch plan.method {
    case .singleSided:
      guard received.contains(.response) else { return nil }
      guard let sigma = kinds[radios[plan.initiator.index].kind].carrierEstimateSigma else {
        return stamps.singleSided()
      }
      let difference =
        radios[plan.responder.index].clock.deviation(at: setting.seconds)
        - radios[plan.initiator.index].clock.deviation(at: setting.seconds)
      return stamps.singleSided(rateCorrection: difference + estimateError * sigma)
    case .doubleSided:
      return received.contains(.final) ? stamps.doubleSided() : nil
    }
  }

  /// The standard deviation stated with the range, metres.
  private func statedSigma(
    _ plan: ExchangePlan, _ setting: Setting, _ outcome: ExchangeOutcome
  ) -> Double {
    let kindA = kinds[radios[plan.initiator.index].kind]
    let kindB = kinds[radios[plan.responder.index].kind]
    let atA = setting.sigmaAtInitiator * setting.sigmaAtInitiator
    let atB = setting.sigmaAtResponder * setting.sigmaAtResponder
    let echoes = (kindA.multipathSigma + kindB.multipathSigma) / 2
    var variance = echoes * echoes
    switch plan.method {
    case .doubleSided: variance += atA / 4 + atB / 8
    case .singleSided:
      let rate =
        kindA.carrierEstimateSigma
        ?? (kindA.clockOffsetSigma * kindA.clockOffsetSigma
        + kindB.clockOffsetSigma * kindB.clockOffsetSigma).squareRoot()
      let reply = (plan.responseOffset - plan.pollOffset).inSeconds
      let byClock = rate * 1e-6 * reply * speedOfLight / 2
      variance += (atA + atB) / 4 + byClock * byClock
    }
    let looksBlocked =
      outcome.atInitiator?.looksNonLineOfSight ?? outcome.atResponder?.looksNonLineOfSight ?? false
    // The spread of recorded blocked ranges (Docs/simulator.md, Against the recorded data).
    if looksBlocked { variance += 0.28 * 0.28 }
    return variance.squareRoot()
  }

  /// The error of a range whose time stamps do not belong together, metres.
  private func wildError(
    _ endA: End, _ endB: End, _ a: Int, _ b: Int, seconds: Double, noise: inout NoiseStream
  ) -> Double {
    let (kindA, kindB) = (kinds[radios[a].kind], kinds[radios[b].kind])
    let chance = min(kindA.wildChance, kindB.wildChance)
    guard chance > 0, min(kindA.outlierChance, kindB.outlierChance) > 0 else { return 0 }
    let speed = (endA.pose.velocityInWorld - endB.pose.velocityInWorld).length
    return wildEpisode(pairKey(a, b, .wild), chance: chance, seconds: seconds, speed: speed, noise: &noise)
  }

  // MARK: Receivers

  private func view(
    at receiver: Int, _ here: End, from sender: Int, _ there: End, _ plan: ExchangePlan,
    _ setting: Setting, noise: inout NoiseStream
  ) -> ReceiverView {
    let kind = kinds[radios[receiver].kind]
    let power = powerReadings(
      at: receiver, from: sender, setting.link, fading: setting.fading, echoes: setting.echoes, noise: &noise)
    let isInitiator = receiver == plan.initiator.index
    var angle: AngleReading?
    let isWanted = isInitiator ? plan.measuresAngleAtInitiator : plan.measuresAngleAtResponder
    if isWanted, let array = kind.array {
      let sigma = isInitiator ? setting.sigmaAtInitiator : setting.sigmaAtResponder
      let isFirst = radios[receiver].identity < radios[sender].identity
      let measurement = AngleMeasurement(
        array: array, here: here.pose, hereAntenna: here.antennaInWorld,
        thereAntenna: there.antennaInWorld, frequency: RadioPath.frequency(ofChannel: plan.channel),
        echoes: pairKey(receiver, sender, isFirst ? .anglesAtFirst : .anglesAtSecond),
        weakness: sigma / max(kind.timestampSigma, 1e-4), isBlocked: !setting.link.isLineOfSight)
      angle = measurement.reading(noise: &noise)
    }
    return ReceiverView(
      rssiDBm: power.total, looksNonLineOfSight: power.total - power.firstPath > kind.blockedPathThreshold,
      angle: angle, firstPathDBm: power.firstPath)
  }

  /// The powers that a receiver reports, of the whole frame and of its first path, dBm.
  ///
  /// - Parameters:
  ///   - fading: Change of the received power by echoes, dB.
  ///   - echoes: The echoes' part of the path's extra length, standard deviations.
  func powerReadings(
    at receiver: Int, from sender: Int, _ link: RadioPath, fading: Double, echoes: Double,
    noise: inout NoiseStream
  ) -> (total: Double, firstPath: Double) {
    let kind = kinds[radios[receiver].kind]
    let sent = kinds[radios[sender].kind].transmitPower
    let total = link.totalPower(sent: sent, echoLoss: echoLoss)
    let reported =
      kind.reportedPower(total, fading: fading, place) + noise.normal() * kind.powerReadingSigma
    // Early echoes add to the total but not to the first path, of which only three samples are read: 2.7 to 3.9 dB in
    // rooms (graz_university, ghent_industrial), 0.7 outdoors (hanyang_static), with a spread of 2 to 3 and 0.9 dB.
    // Behind obstacles, what the receiver takes for the first path is often an early echo: 9.4 to 9.6 dB, spread 4 to 6.
    let missing = 0.75 * (total - link.straightPower(sent: sent))
    let spread = (0.4 + 2 * echoShare) * (0.9 * echoes + 0.5 * noise.normal())
    return (reported, reported - missing - (0.3 + 2.5 * echoShare) - spread)
  }
}
