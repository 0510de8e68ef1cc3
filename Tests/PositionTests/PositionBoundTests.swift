import NearbyPosition
import Testing

@Suite("Smallest possible error") struct PositionBoundTests {
  private static func bound(
    _ kind: PositionBound.Kind, _ anchors: [SIMD3<Double>], sigma: Double = 0.1, heightSigma: Double? = nil
  ) -> SIMD3<Double>? {
    var bound = PositionBound(kind, heightSigma: heightSigma)
    for anchor in anchors { bound.add(anchor, from: .zero, sigma: sigma) }
    return bound.sigma
  }

  private static let cross = [
    SIMD3(5.0, 0, 0), SIMD3(-5, 0, 0), SIMD3(0, 5, 0), SIMD3(0, -5, 0), SIMD3(0, 0, 5), SIMD3(0, 0, -5),
  ]

  @Test("Six anchors around a tag: each axis has two ranges")
  func ranges() throws {
    // Information along an axis: 2 / σ².
    let sigma = try #require(Self.bound(.ranges, Self.cross))
    for axis in 0..<3 { #expect((sigma[axis] - 0.1 / 2.0.squareRoot()).magnitude < 1e-12) }
    // Opposite anchors: the unknown length of differences costs nothing.
    let differences = try #require(Self.bound(.differences, Self.cross))
    for axis in 0..<3 { #expect((differences[axis] - sigma[axis]).magnitude < 1e-12) }
  }

  @Test("Differences never tell more than ranges, and one more anchor never harms")
  func order() throws {
    let anchors = SimulatedTag.anchors.map { $0.position - SIMD3(0.5, 1, 1.2) }
    for count in 5...8 {
      let some = Array(anchors.prefix(count))
      let differences = try #require(Self.bound(.differences, some))
      let ranges = try #require(Self.bound(.ranges, some))
      for axis in 0..<3 { #expect(ranges[axis] <= differences[axis] + 1e-12) }
      let fewer = try #require(Self.bound(.differences, Array(anchors.prefix(count - 1)), heightSigma: 0.3))
      let more = try #require(Self.bound(.differences, some, heightSigma: 0.3))
      for axis in 0..<3 { #expect(more[axis] <= fewer[axis] + 1e-12) }
    }
  }

  @Test("Three ranges along the axes determine each coordinate alone")
  func alone() throws {
    let anchors = [SIMD3(9.0, 0, 0), SIMD3(0, 9, 0), SIMD3(0, 0, 9)]
    let sigma = try #require(Self.bound(.ranges, anchors, sigma: 0.3))
    for axis in 0..<3 { #expect((sigma[axis] - 0.3).magnitude < 1e-12) }
  }

  @Test("Too few anchors, anchors in a plane and a tag at an anchor give none")
  func undetermined() {
    #expect(Self.bound(.ranges, []) == nil)
    #expect(Self.bound(.ranges, Array(Self.cross.prefix(2))) == nil)
    #expect(Self.bound(.differences, Array(Self.cross.prefix(3))) == nil)
    #expect(Self.bound(.ranges, Array(Self.cross.prefix(4))) == nil)
    #expect(Self.bound(.ranges, Array(Self.cross.prefix(4)), heightSigma: 0.2) != nil)
    #expect(Self.bound(.ranges, [.zero, .zero, .zero]) == nil)
  }
}
