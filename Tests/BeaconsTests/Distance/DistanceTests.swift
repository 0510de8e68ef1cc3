import NearbyBeacons
import TestSupport
import Testing

/// Approximates a standard normal distribution by a sum of twelve uniform numbers.
func normal(_ random: inout SeededGenerator) -> Double {
  (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
}

/// The signal strength of a beacon at a receiver, in dBm at 10 Hz: path loss, fading that lasts for `hold`
/// packets, and jitter.
struct FadingLink {
  var random: SeededGenerator
  var hold: Int
  private var fade = 0.0
  private var packets = 0

  init(seed: UInt64, hold: Int) {
    random = SeededGenerator(seed: seed)
    self.hold = hold
  }

  mutating func rssi(distanceInDecibels loss: Double, fading: Double = 5, jitter: Double = 2) -> Double {
    if packets.isMultiple(of: hold) { fade = fading * normal(&random) }
    packets += 1
    return (-59 - loss + fade + jitter * normal(&random)).rounded()
  }
}

@Suite("Distance")
struct DistanceTests {
  let model = PathLossModel()

  @Test("The model and its inverse agree, and there is no loss at 1 m", arguments: [0.1, 0.5, 1, 3, 10, 80])
  func inverse(_ metres: Double) {
    #expect((model.distance(at: model.loss(at: metres)) - metres).magnitude < 1e-9 * metres)
    #expect(model.loss(at: 1) == 0)
    #expect((model.loss(at: 10) - 20).magnitude < 1e-9)
  }

  @Test("There is no estimate before the first packet, and a large sigma after it")
  func first() throws {
    var filter = PathLossFilter()
    #expect(filter.estimate == nil)
    filter.update(loss: 12, at: .zero)
    let estimate = try #require(filter.estimate)
    #expect(estimate.distance > 1.5)
    #expect(estimate.distance < 5)
    #expect(estimate.sigma > 0.3 * estimate.distance)
  }

  @Test("More path loss gives a longer distance")
  func monotone() {
    let distances = stride(from: -30.0, through: 50, by: 5).map { loss -> Double in
      var filter = PathLossFilter()
      for step in 0..<50 { filter.update(loss: loss, at: .milliseconds(100 * step)) }
      return filter.estimate?.distance ?? -1
    }
    #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(
    "The error divided by its stated sigma is near 1 on average, with fast and slow fading",
    arguments: [1, 5, 20])
  func consistency(hold: Int) throws {
    var random = SeededGenerator(seed: 11)
    var (sum, count) = (0.0, 0)
    for run in 0..<300 {
      // Draw the loss from the prior, and the error of the power from the model.
      let loss = model.loss(at: model.priorDistance) + model.priorSpread * normal(&random)
      let power = model.powerSpread * normal(&random)
      var link = FadingLink(seed: UInt64(run), hold: hold)
      var filter = PathLossFilter()
      for step in 0..<100 {
        let heard = link.rssi(distanceInDecibels: loss, fading: model.fading, jitter: model.jitter) + power
        filter.update(loss: -59 - heard, at: .milliseconds(100 * step))
      }
      let estimate = try #require(filter.estimate)
      let error = estimate.loss - loss
      sum += error * error / estimate.variance
      count += 1
    }
    // χ² with 300 degrees of freedom spreads by 0.08; the rest allows for the filter's estimate of time
    // correlation.
    let normalised = (sum / Double(count)).squareRoot()
    #expect(normalised > 0.6, "\(normalised)")
    #expect(normalised < 1.3, "\(normalised)")
  }

  @Test("A move from 1 m to 8 m is noticed within 20 s")
  func follows() throws {
    var link = FadingLink(seed: 3, hold: 1)
    var filter = PathLossFilter()
    for step in 0..<300 {
      let metres = step < 100 ? 1.0 : 8.0
      let rssi = link.rssi(distanceInDecibels: model.loss(at: metres))
      filter.update(loss: -59 - rssi, at: .milliseconds(100 * step))
      if step == 99 { #expect(try #require(filter.estimate).distance < 2) }
    }
    #expect(try #require(filter.estimate).distance > 4.5)
  }

  @Test("Any numbers in any order give a finite estimate")
  func garbage() throws {
    var random = SeededGenerator(seed: 5)
    var filter = PathLossFilter()
    let losses: [Double] = [0, 1e308, -1e308, .nan, .infinity, -.infinity, 1e-300, 127, -127]
    for _ in 0..<5000 {
      let time = Duration.milliseconds(Int64.random(in: -1_000_000...1_000_000_000, using: &random))
      filter.update(loss: losses.randomElement(using: &random) ?? 0, at: time)
      guard let estimate = filter.estimate else { continue }
      guard estimate.distance.isFinite, estimate.distance > 0, estimate.sigma.isFinite, estimate.sigma > 0
      else {
        Issue.record("\(estimate)")
        return
      }
    }
  }

  @Test("A receiver's calibration is the median of what it receives at 1 m")
  func calibration() throws {
    #expect(ReceiverCalibration(rssisAtOneMetre: [-60, -61, -62, -63], measuredPower: -59) == nil)
    let calibration = try #require(
      ReceiverCalibration(rssisAtOneMetre: [-60, -90, -66, -64, -65], measuredPower: -59))
    #expect(calibration.offset == 6)
  }
}

@Suite("Zones")
struct ProximityTests {
  let model = PathLossModel()

  /// Zones of a beacon that is received for `minutes` at 10 Hz, with one report per second.
  private func zones(at metres: Double, minutes: Int, seed: UInt64, hold: Int) -> [Proximity] {
    var link = FadingLink(seed: seed, hold: hold)
    var filter = PathLossFilter()
    var tracker = ProximityTracker()
    var zones: [Proximity] = []
    for step in 0..<minutes * 600 {
      let time = Duration.milliseconds(100 * step)
      filter.update(loss: -59 - link.rssi(distanceInDecibels: model.loss(at: metres)), at: time)
      guard step % 10 == 9, let estimate = filter.estimate else { continue }
      zones.append(tracker.update(estimate, model: model, at: time))
    }
    return zones
  }

  @Test(
    "A stationary beacon at a border changes its zone at most once per minute on average",
    arguments: [0.3, 0.4, 0.5, 0.7, 2.0, 3.0, 4.0], [1, 10, 100])
  func border(_ metres: Double, hold: Int) {
    for seed in UInt64(1)...2 {
      let told = zones(at: metres, minutes: 20, seed: seed, hold: hold)
      let changes = told.indices.dropFirst().filter { told[$0] != told[$0 - 1] }
      #expect(changes.count <= 20, "seed \(seed): \(changes.count) changes")
      for (one, next) in zip(changes, changes.dropFirst(2)) {
        #expect(next - one >= 59, "seed \(seed): three changes within a minute, at \(one)")
      }
    }
  }

  @Test(
    "Well inside a zone, over 80 % of the reports are right",
    arguments: [
      (0.12, Proximity.immediate), (1.2, .near), (15.0, .far),
    ])
  func inside(_ metres: Double, _ zone: Proximity) {
    for seed in UInt64(1)...10 {
      let told = zones(at: metres, minutes: 1, seed: seed, hold: 2).dropFirst(10)
      let right = told.count { $0 == zone }
      #expect(Double(right) / Double(told.count) > 0.8, "seed \(seed): \(right) of \(told.count)")
    }
  }

  @Test("A beacon that is moved from 12 m to 0.15 m is immediate within ten seconds")
  func carried() {
    var link = FadingLink(seed: 9, hold: 1)
    var filter = PathLossFilter()
    var tracker = ProximityTracker()
    var found: Int?
    for step in 0..<600 {
      let time = Duration.milliseconds(100 * step)
      let metres = step < 300 ? 12.0 : 0.15
      filter.update(loss: -59 - link.rssi(distanceInDecibels: model.loss(at: metres)), at: time)
      guard step % 10 == 9, let estimate = filter.estimate else { continue }
      let zone = tracker.update(estimate, model: model, at: time)
      if step == 299 { #expect(zone == .far) }
      if zone == .immediate, found == nil { found = step }
    }
    #expect(found.map { $0 >= 300 && $0 < 400 } == true, "\(found ?? -1)")
  }
}
