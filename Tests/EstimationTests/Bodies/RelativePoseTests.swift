import Foundation
import TestSupport
import Testing

@testable import NearbyEstimation

/// Two bodies with six antennas each, and the ranges between them.
private struct BodyCase {
  var position: SIMD3<Double>
  var yaw: Double
  var antennas = Self.ring(z: [0])
  var sigma = 0.05
  var antennaSigma = 0.03
  var biasSigma = 0.1

  /// Antennas on a circle, at the given heights in turn, metres.
  static func ring(z: [Double]) -> [SIMD3<Double>] {
    (0..<6).map { index in
      let angle = Double(index) * .pi / 3
      return SIMD3(0.32 * cos(angle), 0.32 * sin(angle), z[index % z.count])
    }
  }

  func distance(_ i: Int, _ j: Int) -> Double {
    let q = antennas[j]
    let arm = SIMD3(cos(yaw) * q.x - sin(yaw) * q.y, sin(yaw) * q.x + cos(yaw) * q.y, q.z)
    let across = position + arm - antennas[i]
    return (across * across).sum().squareRoot()
  }

  func ranges(_ random: inout RangingRandom) -> [BodyRange] {
    let bias = biasSigma * random.normal()
    let base = antennas.map { _ in antennaSigma * random.normal() }
    let target = antennas.map { _ in antennaSigma * random.normal() }
    return antennas.indices.flatMap { i in
      antennas.indices.map { j in
        let error = bias + base[i] + target[j] + sigma * random.normal()
        return BodyRange(baseAntenna: i, targetAntenna: j, range: distance(i, j) + error)
      }
    }
  }

  /// Ranges without any error.
  var exact: [BodyRange] {
    antennas.indices.flatMap { i in
      antennas.indices.map { BodyRange(baseAntenna: i, targetAntenna: $0, range: distance(i, $0)) }
    }
  }

  var solver: RelativePoseSolver { RelativePoseSolver(base: antennas, target: antennas) }

  /// Errors in the plane: place, azimuth and yaw.
  func errors(_ pose: RelativePose) -> (place: Double, azimuth: Double, yaw: Double) {
    let away = pose.positionInBase - position
    func apart(_ a: Double, _ b: Double) -> Double { abs(atan2(sin(a - b), cos(a - b))) }
    return (
      (away.x * away.x + away.y * away.y).squareRoot(),
      apart(pose.azimuth, atan2(position.y, position.x)), apart(pose.yaw, yaw)
    )
  }
}

@Suite("Relative pose of two bodies")
struct RelativePoseTests {
  @Test("Exact ranges give the place and the turn, all around", arguments: 0..<12)
  func exact(step: Int) throws {
    let angle = Double(step) * .pi / 6
    let test = BodyCase(position: SIMD3(4 * cos(angle), 4 * sin(angle), 0), yaw: 2.5 * angle)
    let pose = try #require(test.solver.solve(test.exact))
    let errors = test.errors(pose)
    #expect(errors.place < 0.12)
    #expect(errors.azimuth < 0.002)
    #expect(errors.yaw < 0.002)
    #expect(abs(pose.distance - 4) < 0.01)
    #expect(pose.agreeing == 36)
    #expect(pose.used == 36)
  }

  @Test("Derivatives match central differences", arguments: 1...20 as ClosedRange<UInt64>)
  func jacobian(seed: UInt64) {
    var random = RangingRandom(seed: seed)
    func vector(_ scale: Double) -> SIMD3<Double> {
      scale * SIMD3(random.normal(), random.normal(), random.normal())
    }
    let (place, base, target) = (vector(4), vector(0.3), vector(0.3))
    var fit = RelativePoseFit(position: place, yaw: 6 * random.uniform(), sigma: 0.1)
    fit.attitude.turn(by: vector(0.3))
    let row = fit.predict(from: base, to: target).row
    for index in 0..<6 {
      func range(_ step: Double) -> Double {
        var changed = fit
        var change = SIMD3<Double>.zero
        change[index % 3] = step
        if index < 3 { changed.position += change } else { changed.attitude.turn(by: change) }
        return changed.predict(from: base, to: target).range
      }
      #expect(abs((range(1e-6) - range(-1e-6)) / 2e-6 - row[index]) < 1e-6)
    }
  }

  @Test("Errors over stated sigmas: the squares' mean is near 1 or below, and 2.5 sigmas hold 95 %")
  func consistency() throws {
    var random = RangingRandom(seed: 7)
    var (azimuths, yaws, distances) = ([Double](), [Double](), [Double]())
    for _ in 0..<300 {
      let angle = 2 * Double.pi * random.uniform()
      let length = 1 + 6 * random.uniform()
      let height = 0.8 * random.normal()
      let test = BodyCase(
        position: SIMD3(length * cos(angle), length * sin(angle), height), yaw: 6.28 * random.uniform())
      let pose = try #require(test.solver.solve(test.ranges(&random)))
      let errors = test.errors(pose)
      azimuths.append(errors.azimuth / pose.azimuthSigma)
      yaws.append(errors.yaw / pose.yawSigma)
      let truth = (test.position * test.position).sum().squareRoot()
      distances.append((pose.distance - truth) / pose.distanceSigma)
    }
    for scores in [azimuths, yaws, distances] {
      let mean = scores.reduce(0) { $0 + $1 * $1 } / Double(scores.count)
      #expect(mean > 0.1 && mean < 1.5, "\(mean)")
      #expect(Double(scores.count { abs($0) <= 2.5 }) / Double(scores.count) > 0.95)
    }
  }

  @Test(
    "Ten wild ranges among 36 change the place by less than its sigma",
    arguments: 1...20 as ClosedRange<UInt64>)
  func wild(seed: UInt64) throws {
    var random = RangingRandom(seed: seed)
    let test = BodyCase(position: SIMD3(-3, 1.5, 0), yaw: 1)
    var ranges = test.ranges(&random)
    for _ in 0..<10 {
      let index = Int(random.uniform() * 35.99)
      ranges[index].range += 0.5 + 60 * random.uniform()
    }
    let pose = try #require(test.solver.solve(ranges))
    let errors = test.errors(pose)
    #expect(errors.place < 0.7)
    #expect(errors.azimuth < max(0.25, 2.5 * pose.azimuthSigma))
    #expect(pose.agreeing < 34)
  }

  @Test("Missing, impossible and unknown ranges are left out")
  func leavesOut() throws {
    let test = BodyCase(position: SIMD3(2, 2, 0), yaw: -1)
    var ranges = Array(test.exact.prefix(20))
    for bad in [Double.nan, -.infinity, .infinity, -3, 0, 5000] {
      ranges.append(BodyRange(baseAntenna: 0, targetAntenna: 0, range: bad))
    }
    ranges.append(BodyRange(baseAntenna: 6, targetAntenna: 0, range: 2))
    ranges.append(BodyRange(baseAntenna: 0, targetAntenna: -1, range: 2))
    let pose = try #require(test.solver.solve(ranges))
    #expect(pose.used == 20)
    #expect(test.errors(pose).place < 0.12)
    #expect(test.solver.solve(Array(ranges.dropFirst(18))) == nil)
    #expect(test.solver.solve([]) == nil)
  }

  @Test("Antennas in one plane leave the sign of the height open, and the sigma says so; others decide it")
  func height() throws {
    let flat = BodyCase(position: SIMD3(2, 0, 1.2), yaw: 0.3)
    let open = try #require(flat.solver.solve(flat.exact))
    #expect(open.isHeightAmbiguous)
    #expect(abs(open.positionInBase.z) < 0.05)
    #expect(open.covariance[2][2].squareRoot() > 0.6)
    #expect(abs(open.distance - flat.position.x / cos(atan2(1.2, 2))) < 0.1)
    let tall = BodyCase(position: SIMD3(2, 0, 1.2), yaw: 0.3, antennas: BodyCase.ring(z: [0, 0.5]))
    let known = try #require(tall.solver.solve(tall.exact))
    #expect(!known.isHeightAmbiguous)
    #expect(abs(known.positionInBase.z - 1.2) < 0.2)
  }

  @Test("Antennas in a row leave front and back open, and the azimuth's sigma says so")
  func row() throws {
    var test = BodyCase(position: SIMD3(3, 2, 0), yaw: 0)
    test.antennas = (0..<4).map { SIMD3(0.2 * Double($0) - 0.3, 0, 0) }
    let pose = try #require(test.solver.solve(test.exact))
    #expect(pose.azimuthSigma > 0.4)
    #expect(abs(pose.distance - 13.0.squareRoot()) < 0.1)
  }

  @Test("The same ranges in another order give the same pose")
  func order() throws {
    var random = RangingRandom(seed: 3)
    let test = BodyCase(position: SIMD3(1, -4, 0.2), yaw: 2)
    let ranges = test.ranges(&random)
    let pose = try #require(test.solver.solve(ranges))
    let other = try #require(test.solver.solve(ranges.reversed()))
    let apart = pose.positionInBase - other.positionInBase
    #expect((apart * apart).sum().squareRoot() < 1e-3)
    #expect(test.solver.solve(ranges) == pose)
  }
}
