import NearbyEstimation
import TestSupport
import Testing

@Suite("Blocked paths of a site")
struct BlockedPathSiteTests {
  /// Scores of several normal groups: mean, spread and count of each.
  private func site(_ groups: [(mean: Double, sigma: Double, count: Int)], seed: UInt64 = 1)
    -> BlockedPathSite
  {
    var random = RangingRandom(seed: seed)
    var site = BlockedPathSite()
    for group in groups {
      for _ in 0..<group.count {
        site.add(score: group.mean + group.sigma * random.normal())
      }
    }
    return site
  }

  @Test(
    "Two groups as far apart as direct and blocked paths move the threshold between them",
    arguments: [-1.2, 0, 1.4])
  func twoGroups(offset: Double) {
    let site = site([(-3 + offset, 1, 800), (3.2 + offset, 1.3, 500)])
    guard case .shifted(let shift) = site.adaptation() else {
      Issue.record("\(site.adaptation())")
      return
    }
    #expect((shift - offset).magnitude < 0.7)
    // The threshold separates the groups.
    #expect(shift > -3 + offset + 1.5 && shift < 3.2 + offset - 1.5)
  }

  @Test(
    "A site with one kind of path is left alone",
    arguments: [
      [(mean: -2.5, sigma: 1.3, count: 2000)], [(mean: 3.5, sigma: 2.5, count: 2000)],
      // Single links form narrow groups of their own.
      [(mean: -4.5, sigma: 0.4, count: 600), (mean: -1, sigma: 0.4, count: 600)],
      [(mean: 1.5, sigma: 0.6, count: 500), (mean: 5.5, sigma: 1.5, count: 900)],
      [(mean: -3, sigma: 1.2, count: 1500), (mean: 3.5, sigma: 1, count: 60)],
    ])
  func oneKind(groups: [(mean: Double, sigma: Double, count: Int)]) {
    for seed in 1...10 as ClosedRange<UInt64> {
      #expect(site(groups, seed: seed).adaptation() == .oneGroup, "seed \(seed)")
    }
  }

  @Test("A valley far from the usual threshold is not trusted")
  func tooFar() {
    guard case .tooFar(let valley) = site([(1, 0.8, 500), (7.5, 1.2, 700)]).adaptation() else {
      Issue.record("adapted")
      return
    }
    #expect(valley > 2)
  }

  @Test("Too few scores change nothing")
  func tooFew() {
    #expect(BlockedPathSite().adaptation() == .tooFewRows(0))
    #expect(site([(-3, 1, 140), (3, 1, 140)]).adaptation() == .tooFewRows(280))
  }

  @Test("Scores out of bounds, equal ones and those that are not finite do no harm")
  func hostile() {
    var site = BlockedPathSite()
    for _ in 0..<400 {
      for score in [Double.nan, .infinity, -.infinity] { site.add(score: score) }
    }
    #expect(site.adaptation() == .tooFewRows(0))
    for _ in 0..<400 { site.add(score: 1e308) }
    #expect(site.adaptation() == .oneGroup)
    for _ in 0..<400 { site.add(score: -1e308) }
    // Two points at the outer bounds are 24 apart, so nearly any threshold separates them.
    #expect(site.adaptation() != .tooFewRows(800))
  }
}
