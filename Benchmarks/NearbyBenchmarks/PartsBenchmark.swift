import NearbyEstimation
import NearbyExchange
import NearbySimulator
import NearbyUCI

/// Each part of a round alone.
func partsBenchmark() -> [Figure] {
  Part.allCases.map { part in
    let count = 2000
    let work = part.prepare()
    let time = leastTime { work(count) } / count
    return Figure(name: part.title, value: time.nanoseconds, unit: "ns", target: part.target)
  }
}

/// A part of a round, for timing and for counting.
enum Part: String, CaseIterable {
  case decoding, host, estimator, exchange, air, blockedPath

  var title: String {
    switch self {
    case .decoding: "decoding a SESSION_INFO_NTF of one measurement"
    case .host: "a host turns one SESSION_INFO_NTF into its event"
    case .estimator: "an estimator processes a reading and returns its estimate"
    case .exchange: "the simulator computes one exchange with angles"
    case .air: "the air's round, both chips, without physics"
    case .blockedPath: "the probability of a blocked path from all receiver figures"
    }
  }

  var target: Figure.Target {
    switch self {
    case .decoding: .under(200)
    case .blockedPath: .under(50)
    case .host, .estimator, .exchange, .air: .none
    }
  }

  /// Sets the part up.
  ///
  /// - Returns: A closure that does the part the given number of times and returns a value computed from it.
  func prepare() -> (Int) -> UInt64 {
    switch self {
    case .decoding:
      var pair = ChipPair()
      let payload = Array(pair.notification().dropFirst(4))
      return { decode(payload, times: $0) }
    case .host:
      var pair = ChipPair()
      let packet = pair.notification()
      return { pair.receive(packet, times: $0) }
    case .estimator: return { estimate(times: $0) }
    case .blockedPath: return { judgePaths(times: $0) }
    case .exchange:
      var world = Self.world()
      var done = 0
      return { flyExchanges(&world, &done, times: $0) }
    case .air:
      var pair = ChipPair()
      return { pair.runRounds($0) }
    }
  }

  private static func world() -> SimulatedWorld {
    var world = SimulatedWorld(seed: 3)
    for (place, heading) in [(0.0, 0.2), (3.0, 3.0)] {
      let body = world.addBody(
        .standing(SIMD3(0, place, 1.2)), facing: .fixed(Rotation(heading: heading)))
      world.addRadio(on: body, .phone)
    }
    return world
  }
}

private func decode(_ payload: [UInt8], times: Int) -> UInt64 {
  var sum: UInt64 = 0
  for _ in 0..<times {
    guard let info = try? UCISessionInfo(parsing: payload.span), case .twoWay(let list, _) = info.measurements
    else { preconditionFailure("the notification cannot be parsed") }
    sum &+= UInt64(list[0].distanceCentimetres) &+ UInt64(info.sequence)
  }
  return sum
}

private func estimate(times: Int) -> UInt64 {
  var estimator = PeerEstimator()
  var sum = 0.0
  for index in 0..<times {
    let time = Duration.milliseconds(200 * index)
    let wobble = Double(index % 7) * 0.01
    estimator.update(
      PeerReading(
        time: time, range: 3 + wobble,
        angle: PeerAngle(
          azimuth: 0.3 + wobble, elevation: 0.1 - wobble, azimuthSigma: 0.05, elevationSigma: 0.05)))
    let estimate = estimator.estimate(at: time)
    sum += (estimate.distance?.distance ?? 0) + (estimate.direction?.azimuth ?? 0)
  }
  return sum.bitPattern
}

private func judgePaths(times: Int) -> UInt64 {
  let model = BlockedPathModel()
  var figures = ReceiverFigures()
  figures.power = -80.5
  figures.firstPathAmplitudes = SIMD3(4100, 5200, 3900)
  figures.accumulatedSymbols = 101
  figures.noise = 40
  var sum = 0.0
  for index in 0..<times {
    let wobble = Double(index % 7)
    figures.range = 3 + wobble
    figures.firstPathPower = -84 - wobble
    sum += model.probability(figures) ?? 0
  }
  return sum.bitPattern
}

private func flyExchanges(_ world: inout SimulatedWorld, _ done: inout Int, times: Int) -> UInt64 {
  var sum = 0.0
  for _ in 0..<times {
    done += 1
    let outcome = world.exchange(
      ExchangePlan(
        initiator: RadioID(index: 0), responder: RadioID(index: 1), start: .milliseconds(200 * done)))
    sum += (outcome.distance ?? 0) + (outcome.atInitiator?.angle?.azimuth ?? 0)
  }
  return sum.bitPattern
}
