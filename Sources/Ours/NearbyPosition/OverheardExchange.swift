/// A ranging between two anchors as a third radio overheard it: three messages, with every stamp on the clock
/// of the radio that took it.
///
/// Message 1 goes from the initiator to the responder, messages 2 and 3 go back. Only differences on one
/// clock mean something. Stamps are seconds; counters may wrap.
public struct OverheardExchange: Hashable, Sendable {
  /// Seconds on any common clock that does not go backwards, accurate to a tenth of a second.
  public var time: Double
  /// The radio that overheard the ranging.
  public var listener: Int
  /// The sender of message 1.
  public var initiator: Int
  /// The sender of messages 2 and 3.
  public var responder: Int
  /// When the listener received the three messages, seconds on its clock.
  public var listenerStamps: SIMD3<Double>
  /// When the responder received message 1 and sent messages 2 and 3, seconds on its clock.
  public var responderStamps: SIMD3<Double>
  /// The range that the two measured, metres.
  public var measuredRange: Double
  /// The distance between their known places, metres.
  public var knownRange: Double

  /// Creates an exchange; `OverheardClocks` checks the numbers.
  public init(
    time: Double, listener: Int, initiator: Int, responder: Int, listenerStamps: SIMD3<Double>,
    responderStamps: SIMD3<Double>, measuredRange: Double, knownRange: Double
  ) {
    self.time = time
    self.listener = listener
    self.initiator = initiator
    self.responder = responder
    self.listenerStamps = listenerStamps
    self.responderStamps = responderStamps
    self.measuredRange = measuredRange
    self.knownRange = knownRange
  }
}

/// A time difference of arrival and its standard deviation.
public struct OverheardDifference: Hashable, Sendable {
  /// The listener's distance to the responder minus that to the initiator, metres.
  public var metres: Double
  /// Metres.
  public var sigma: Double
}

/// Turns overheard exchanges into differences, and learns how fast the clocks run on the way.
///
/// The responder waits before it answers, and a clock that is 1 ppm fast makes 0.1 m of 300 µs. Each exchange
/// measures the rate between the listener's and the responder's clock, from the two answers; the mean of
/// several is better than one. A difference beyond the distance of the two anchors is impossible: a little
/// beyond, the nearest possible one is closer to the truth; far beyond, the stamps are wrong.
///
/// Remembers at most `capacity` pairs of radios.
public struct OverheardClocks: Sendable {
  /// Seconds after which the counters of the stamps wrap.
  ///
  /// The default is 2³² ticks of 1 / (128 · 499.2 MHz). Counters with more digits wrap after a multiple of
  /// it, so it holds for them too.
  public let counterPeriod: Double
  /// m/s.
  public let signalSpeed: Double

  private struct Pair: Hashable {
    var listener: Int
    var responder: Int
  }
  private struct Link: Hashable {
    var pair: Pair
    var initiator: Int
  }
  private struct Course {
    var time: Double
    var metres: Double
    /// The newest difference that did not fit.
    var doubt: Double?
  }

  private static let capacity = 4096
  /// A pair's rate differs from 1 by at most this.
  private static let largestOffset = 30e-6
  /// Share of a newly measured rate in the mean, and the largest change it makes.
  private static let share = 0.5
  private static let largestChange = 1e-6
  /// How far beyond the anchors' distance a difference may be, metres.
  private static let margin = 0.5
  /// How much longer or shorter than known the measured range may be, metres.
  private static let rangeError = -0.5...1.0
  /// A difference changes by at most `leap` + `speed` · time, metres and m/s.
  private static let leap = 1.0
  private static let speed = 3.0
  private static let longestCourse = 3.0
  /// Standard deviation of a difference, metres, without and per metre of error of the measured range.
  private static let sigma = 0.2
  private static let sigmaPerError = 0.5

  private var offsets: [Pair: Double] = [:]
  private var courses: [Link: Course] = [:]

  /// - Parameters:
  ///   - counterPeriod: Seconds after which the counters of the stamps wrap.
  ///   - signalSpeed: m/s; by default that of light in air.
  public init(counterPeriod: Double = 4_294_967_296 / (128 * 499.2e6), signalSpeed: Double = 299_702_547) {
    self.counterPeriod = counterPeriod
    self.signalSpeed = signalSpeed
  }

  /// The difference that an exchange measures, or the reason why there is none.
  public mutating func difference(
    of exchange: OverheardExchange
  ) -> Result<OverheardDifference, MeasurementRejection> {
    guard Self.isFinite(exchange) else { return .failure(.notFinite) }
    let radios = [exchange.listener, exchange.initiator, exchange.responder]
    guard Set(radios).count == 3 else { return .failure(.sameAnchor) }
    let (heard, sent) = (exchange.listenerStamps, exchange.responderStamps)
    let reply = unwrapped(sent.y - sent.x)
    let pair = Pair(listener: exchange.listener, responder: exchange.responder)
    let measured = unwrapped(heard.z - heard.y) / unwrapped(sent.z - sent.y) - 1
    guard let offset = learn(measured, of: pair) else { return .failure(.clock) }
    let elapsed = unwrapped(heard.y - heard.x) - reply * (1 + offset)
    let metres = signalSpeed * elapsed - exchange.measuredRange
    let excess = exchange.measuredRange - exchange.knownRange
    guard Self.rangeError.contains(excess), metres.magnitude <= exchange.knownRange + Self.margin
    else { return .failure(.impossible) }
    let possible = min(max(metres, -exchange.knownRange), exchange.knownRange)
    guard fits(possible, exchange, pair) else { return .failure(.disagrees) }
    let error = Self.sigmaPerError * max(0, excess)
    return .success(
      OverheardDifference(
        metres: possible, sigma: (Self.sigma * Self.sigma + error * error).squareRoot()))
  }

  private static func isFinite(_ exchange: OverheardExchange) -> Bool {
    let sum = exchange.listenerStamps.sum() + exchange.responderStamps.sum()
    return (sum + exchange.measuredRange + exchange.time).isFinite && exchange.knownRange.isFinite
      && exchange.knownRange > 0
  }

  /// A difference of two stamps, −½ to ½ period.
  private func unwrapped(_ seconds: Double) -> Double {
    seconds - (seconds / counterPeriod).rounded() * counterPeriod
  }

  /// The mean offset of a pair's rate from 1 after a new one; `nil` if none is plausible.
  private mutating func learn(_ measured: Double, of pair: Pair) -> Double? {
    let known = offsets[pair]
    guard measured.magnitude <= Self.largestOffset else { return known }
    if known == nil, offsets.count >= Self.capacity { offsets.removeAll() }
    let change = known.map { min(max(measured - $0, -Self.largestChange), Self.largestChange) }
    let offset = known.map { $0 + Self.share * (change ?? 0) } ?? measured
    offsets[pair] = offset
    return offset
  }

  /// Whether a difference continues the ones before it on the same link, or the one before did not either and
  /// the two agree.
  private mutating func fits(_ metres: Double, _ exchange: OverheardExchange, _ pair: Pair) -> Bool {
    let link = Link(pair: pair, initiator: exchange.initiator)
    if courses[link] == nil, courses.count >= Self.capacity { courses.removeAll() }
    if let course = courses[link] {
      let interval = max(0, exchange.time - course.time)
      let isFar = (metres - course.metres).magnitude > Self.leap + Self.speed * interval
      let isAlone = course.doubt.map { (metres - $0).magnitude > Self.leap } ?? true
      if isFar, isAlone, interval < Self.longestCourse {
        courses[link]?.doubt = metres
        return false
      }
    }
    courses[link] = Course(time: exchange.time, metres: metres)
    return true
  }
}
