import Foundation
import NearbyEstimation
import TestSupport
import Testing

@Suite("Direction track")
struct DirectionTrackTests {
  private func track(_ azimuth: Double, _ elevation: Double) -> DirectionTrack {
    DirectionTrack(
      DirectionTrack.Reading(
        azimuth: azimuth, elevation: elevation, azimuthSigma: 0.1, elevationSigma: 0.1, floor: 0.01),
      rateVariance: 0.5)
  }

  private func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  @Test("The initial axes point right for azimuth and up for elevation")
  func axes() {
    let start = track(0, 0)
    #expect(start.direction == SIMD3(0, 0, -1))
    #expect(start.axis == SIMD3(1, 0, 0))
    let up = start.offset(of: SIMD3(0, sin(0.2), -cos(0.2)))
    #expect((up.across.magnitude - 0.2).magnitude < 1e-12)
    #expect(up.along.magnitude < 1e-12)
  }

  @Test(
    "fuse moves the direction by the residual, and turns its axes with it", arguments: [0.05, 0.7, 1.4],
    [0.0, 1.1, 2.5])
  func moves(step: Double, heading: Double) {
    var moved = track(0.4, 0.3)
    let start = moved
    let wanted = (along: step * cos(heading), across: step * sin(heading))
    // So precise a measurement moves the state all the way.
    moved.fuse(residual: wanted, variance: (along: 1e-12, across: 1e-12))
    let found = start.offset(of: moved.direction)
    #expect((found.along - wanted.along).magnitude < 1e-6)
    #expect((found.across - wanted.across).magnitude < 1e-6)
    #expect((dot(moved.direction, moved.direction) - 1).magnitude < 1e-12)
    #expect((dot(moved.axis, moved.axis) - 1).magnitude < 1e-12)
    #expect(dot(moved.axis, moved.direction).magnitude < 1e-12)
    // Seen from the end point, the start lies straight back along the same great circle.
    let back = moved.offset(of: start.direction)
    #expect((back.along + wanted.along).magnitude < 1e-6)
    #expect((back.across + wanted.across).magnitude < 1e-6)
  }

  @Test("The Jacobian of the residual is the identity, by central differences")
  func jacobian() {
    let h = 1e-5
    let start = track(-0.8, 0.6)
    let second = SIMD3(
      start.direction.y * start.axis.z - start.direction.z * start.axis.y,
      start.direction.z * start.axis.x - start.direction.x * start.axis.z,
      start.direction.x * start.axis.y - start.direction.y * start.axis.x)
    for (axis, expected) in [(start.axis, (1.0, 0.0)), (second, (0.0, 1.0))] {
      let plus = start.offset(of: cos(h) * start.direction + sin(h) * axis)
      let minus = start.offset(of: cos(h) * start.direction - sin(h) * axis)
      #expect(((plus.along - minus.along) / (2 * h) - expected.0).magnitude < 1e-6)
      #expect(((plus.across - minus.across) / (2 * h) - expected.1).magnitude < 1e-6)
    }
  }
}
