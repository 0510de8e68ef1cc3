import Foundation
import NearbyEstimation
import NearbySimulator
import TestSupport
import Testing

@Suite("Angles of the chip")
struct AssistanceAngleTests {
  /// A phone held upright that faces north: its −z axis is the world's y axis.
  private let lookingNorth = SIMD4((0.5).squareRoot(), 0, 0, (0.5).squareRoot())

  private func reading(
    _ seconds: Double, at place: SIMD3<Double>, to target: SIMD3<Double>, sees: Bool
  ) -> AssistanceReading {
    let pose = DevicePose(positionInWorld: place, worldFromDevice: lookingNorth)
    let across = target - place
    let d = pose.inDevice(across)
    let angles = AssistanceAngles(
      azimuth: atan2(d.x, -d.z), elevation: atan2(d.y, (d.x * d.x + d.z * d.z).squareRoot()))
    return AssistanceReading(
      time: .milliseconds(Int64(seconds * 1000)), pose: pose, range: (across * across).sum().squareRoot(),
      angles: sees ? angles : nil)
  }

  @Test("Right and up are +x and +y of the device, straight ahead is −z")
  func axes() {
    func direction(_ azimuth: Double, _ elevation: Double) -> SIMD3<Double> {
      AssistanceAngles(azimuth: azimuth, elevation: elevation).directionInDevice
    }
    #expect(direction(0, 0) == SIMD3(0, 0, -1))
    #expect(direction(.pi / 2, 0).x > 0.999)
    #expect(direction(0, .pi / 2).y > 0.999)
  }

  @Test("One angle resolves mirror images immediately, even on a straight line")
  func mirror() throws {
    let target = SIMD3(1.0, 4, 0.6)
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    for index in 0..<40 {
      let seconds = 0.2 * Double(index)
      locator.update(reading(seconds, at: SIMD3(0.3 * seconds, 0, 0), to: target, sees: false))
    }
    let behind = locator.hypotheses.filter { $0.position.y < -1 }.reduce(0) { $0 + $1.weight }
    #expect(behind > 0.05)
    locator.update(reading(8, at: SIMD3(2.4, 0, 0), to: target, sees: true))
    let pose = DevicePose(positionInWorld: SIMD3(2.4, 0, 0), worldFromDevice: lookingNorth)
    let place = try #require(locator.estimate(at: .seconds(8), pose: pose)?.positionInWorld)
    #expect(level(place - target) < 0.4, "\(place)")
    let left = locator.hypotheses.filter { $0.position.y < -1 }.reduce(0) { $0 + $1.weight }
    #expect(left < 1e-3)
  }

  @Test("A device at rest locates the object by angles, and keeps its direction after turning away")
  func beyondTheCone() throws {
    let target = SIMD3(-1.0, 3, 0.5)
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    for index in 0..<10 { locator.update(reading(0.2 * Double(index), at: .zero, to: target, sees: true)) }
    // Turned to the south, so that the object is behind.
    let away = DevicePose(
      positionInWorld: .zero, worldFromDevice: SIMD4(0, 0.5.squareRoot(), 0.5.squareRoot(), 0))
    let estimate = try #require(locator.estimate(at: .seconds(2), pose: away))
    #expect(estimate.isDirectionSeen)
    let direction = try #require(estimate.directionInDevice)
    #expect(direction.z > 0.8, "\(direction)")
    let place = try #require(estimate.positionInWorld)
    #expect(level(place - target) < 0.4, "\(place)")
    #expect(!estimate.isConverged)
    let angle = try #require(estimate.horizontalAngle)
    let expected = DevicePose.levelAngle(from: away.turned(SIMD3(0, 0, -1)), to: target)
    #expect(abs(angle - expected) < 4 * max(0.03, estimate.horizontalAngleSigma))
  }

  @Test("Invalid angles are ignored, and the range of their reading is used")
  func nonsense() {
    let target = SIMD3(1.0, 4, 0.6)
    let odd = [
      AssistanceAngles(azimuth: .nan, elevation: .infinity), AssistanceAngles(azimuth: 9, elevation: 9),
      AssistanceAngles(azimuth: nil, elevation: nil, azimuthSigma: .nan),
    ]
    var (with, without) = (ObjectLocator(), ObjectLocator())
    for index in 0..<60 {
      var reading = reading(0.2 * Double(index), at: SIMD3(sin(Double(index)), 0, 0), to: target, sees: false)
      without.update(reading)
      reading.angles = odd[index % 3]
      with.update(reading)
    }
    #expect(with == without)
  }

  @Test("The object is also located with sigmas that are zero, negative or not a number")
  func sigmas() throws {
    let target = SIMD3(1.0, 4, 0.6)
    for sigma in [0, -1, .nan, .infinity, 1e300] {
      var locator = ObjectLocator()
      for index in 0..<60 {
        let phase = Double(index) / 5
        var reading = reading(
          0.2 * Double(index), at: SIMD3(sin(phase), cos(phase), 0), to: target, sees: true)
        reading.angles?.azimuthSigma = sigma
        reading.angles?.elevationSigma = sigma
        locator.update(reading)
      }
      let place = try #require(locator.hypotheses.first?.position)
      #expect(level(place - target) < 1, "sigma \(sigma): \(place)")
    }
  }
}
