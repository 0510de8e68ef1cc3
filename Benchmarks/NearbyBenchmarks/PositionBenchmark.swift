import Foundation
import NearbyPosition
import NearbyRecordings
import NearbySchedule

/// The cost of a measurement, and the accuracy on recorded flights.
///
/// Reads the data from `NEARBY_DATA`, or by default from `../shared/data` relative to the working directory.
func positionBenchmark() throws -> [Figure] {
  var figures = [
    Figure(
      name: "one difference through the position solver", value: positionCost(isBiased: false), unit: "us",
      target: .under(1)),
    Figure(
      name: "one difference, with learned biases", value: positionCost(isBiased: true), unit: "us",
      target: .under(1)),
    Figure(
      name: "memory of a position solver", value: Double(MemoryLayout<PositionSolver>.size) / 1024,
      unit: "KiB",
      target: .under(16)),
  ]
  let data = URL(fileURLWithPath: ProcessInfo.processInfo.environment["NEARBY_DATA"] ?? "../shared/data")
  let folder = data.appendingPathComponent("tdoa_flights/dev")
  guard FileManager.default.fileExists(atPath: folder.path) else {
    print("position: no flights at \(folder.path); set NEARBY_DATA")
    return figures
  }
  let flights = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
    try PositionRecording(folder: folder.appendingPathComponent($0))
  }
  let errors = try flights.map { try flightErrors($0) }
  guard !errors.isEmpty else { return figures }
  func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  figures += [
    Figure(
      name: "flights: RMSE, median", value: median(errors.map(\.all)), unit: "m", target: .under(0.30)),
    Figure(
      name: "flights: horizontal RMSE, median", value: median(errors.map(\.level)), unit: "m",
      target: .under(0.175)),
    Figure(
      name: "flights: RMSE, worst flight", value: errors.map(\.all).max() ?? .nan, unit: "m",
      target: .under(0.42)),
    Figure(
      name: "flights: errors within 2.5 sigma, lowest flight", value: errors.map(\.fitting).min() ?? .nan,
      unit: "", target: .atLeast(0.95)),
  ]
  return figures + (try learnedFigures(flights))
}

/// The errors of each flight with biases that the other flights taught.
private func learnedFigures(_ flights: [PositionRecording]) throws -> [Figure] {
  guard flights.count > 1 else { return [] }
  let errors = try flights.indices.map { index in
    var learner = try AnchorBiasLearner(anchors: positionAnchors(flights[index]))
    for other in flights.indices where other != index { teach(&learner, flights[other]) }
    return try flightErrors(flights[index], bias: learner.learned())
  }
  func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  return [
    Figure(
      name: "flights with learned biases: RMSE, median", value: median(errors.map(\.all)), unit: "m",
      target: .under(0.28)),
    Figure(
      name: "flights with learned biases: horizontal RMSE, median", value: median(errors.map(\.level)),
      unit: "m", target: .under(0.14)),
    Figure(
      name: "flights with learned biases: within 2.5 sigma, lowest flight",
      value: errors.map(\.fitting).min() ?? .nan, unit: "", target: .atLeast(0.95)),
  ]
}

/// Teaches a flight's differences above 0.3 m, every third.
private func teach(_ learner: inout AnchorBiasLearner, _ recording: PositionRecording) {
  var antenna = RecordedAntenna(recording)
  for (number, difference) in recording.differences.enumerated() where number.isMultiple(of: 3) {
    guard let place = antenna.place(at: difference.time), place.z > 0.3 else { continue }
    learner.add(
      PositionMeasurement(
        time: difference.time, kind: .difference(from: difference.from, to: difference.to),
        metres: difference.metres), at: place)
  }
}

private func positionAnchors(_ recording: PositionRecording) -> [PositionAnchor] {
  recording.anchors.map { PositionAnchor(id: $0.id, position: $0.position) }
}

/// Root mean square errors of a flight, after 5 s and above 0.3 m, and the share within 2.5 sigma.
private func flightErrors(_ recording: PositionRecording, bias: AnchorBias? = nil) throws -> (
  all: Double, level: Double, fitting: Double
) {
  var options = PositionOptions()
  options.bias = bias
  var solver = try PositionSolver(anchors: positionAnchors(recording), options: options)
  var antenna = RecordedAntenna(recording)
  var reading = 0
  var squares = SIMD3<Double>.zero
  var (count, fitting) = (0.0, 0.0)
  let start = recording.differences.first?.time ?? 0
  for difference in recording.differences {
    while reading < recording.inertial.count, recording.inertial[reading].time <= difference.time {
      let inertial = recording.inertial[reading]
      solver.add(
        InertialReading(
          time: inertial.time, rotationRate: inertial.rotationRate, acceleration: inertial.acceleration))
      reading += 1
    }
    solver.add(
      PositionMeasurement(
        time: difference.time, kind: .difference(from: difference.from, to: difference.to),
        metres: difference.metres))
    let estimate = solver.estimate()
    guard difference.time - start > 5, let truth = antenna.place(at: difference.time), truth.z > 0.3,
      let position = estimate.position
    else { continue }
    let error = position - truth
    squares += error * error
    count += 1
    for axis in 0..<3 where error[axis].magnitude <= 2.5 * estimate.positionSigma[axis] { fitting += 1 / 3 }
  }
  let all = (squares.sum() / count).squareRoot()
  return (all, ((squares.x + squares.y) / count).squareRoot(), fitting / count)
}

private let benchmarkAnchors = (0..<8).map { index in
  PositionAnchor(
    id: index,
    position: SIMD3(index & 1 == 0 ? -4 : 4, index & 2 == 0 ? -4 : 4, (index & 4) >> 2 == index & 1 ? 0.2 : 3)
  )
}

/// Differences of a tag that circles, at 200 a second.
private func circlingDifferences(_ count: Int) -> [PositionMeasurement] {
  var random = NoiseStream(seed: 1)
  return (0..<count).map { index in
    let time = Double(index) / 200
    let place = SIMD3(1.5 * cos(time / 2), 1.5 * sin(time / 2), 1.3)
    func distance(_ anchor: Int) -> Double {
      let across = place - benchmarkAnchors[anchor].position
      return (across * across).sum().squareRoot() + 0.1 * random.normal()
    }
    let (a, b) = (index % 8, (index * 3 + 1 + index % 8) % 8)
    let (from, to) = (a, a == b ? (b + 1) % 8 : b)
    return PositionMeasurement(
      time: time, kind: .difference(from: from, to: to), metres: distance(to) - distance(from))
  }
}

/// A solver with a track, as work to count: each unit is one difference.
func settledPosition() -> (Int) -> UInt64 {
  let measurements = circlingDifferences(20_000)
  guard var solver = try? PositionSolver(anchors: benchmarkAnchors) else { return { _ in 0 } }
  for measurement in measurements.prefix(1000) { solver.add(measurement) }
  return { count in
    for index in 1000..<min(1000 + count, measurements.count) { solver.add(measurements[index]) }
    return solver.estimate().position?.x.bitPattern ?? 0
  }
}

private func positionCost(isBiased: Bool) -> Double {
  let measurements = circlingDifferences(21_000)
  var options = PositionOptions()
  if isBiased, var learner = try? AnchorBiasLearner(anchors: benchmarkAnchors) {
    for measurement in measurements { learner.add(measurement, at: SIMD3(0.5, 0, 1.3)) }
    options.bias = learner.learned()
  }
  guard var settled = try? PositionSolver(anchors: benchmarkAnchors, options: options) else { return .nan }
  for measurement in measurements.prefix(1000) { settled.add(measurement) }
  let least = leastTime(of: 20) {
    var solver = settled
    for measurement in measurements.dropFirst(1000) { solver.add(measurement) }
    return solver.estimate().position?.x.bitPattern ?? 0
  }
  return least.microseconds / 20_000
}
