import NearbyInteraction
import NearbyTestIssues
import NearbyTesting
import Testing

@testable import App

struct FinderTests {
  @Test("Two phones measure their distance")
  func distance() async throws {
    let world = World(seed: 7)
    let anna = world.addPhone("Anna", at: [0, 0, 0])
    let ben = world.addPhone("Ben", at: [3, 0, 0])
    let (first, second) = (anna.run { Finder() }, ben.run { Finder() })
    let tokens = (
      try #require(first.session.discoveryToken), try #require(second.session.discoveryToken)
    )
    anna.run { first.run(with: tokens.1) }
    ben.run { second.run(with: tokens.0) }
    await world.advance(by: .seconds(6))
    let last = try #require(first.distances.last)
    #expect(abs(last - 3) < 0.5)
    #expect(!first.hasGivenUp)
  }

  @Test("The app's own timer follows the world's time")
  func timer() async throws {
    let world = World(seed: 7)
    let anna = world.addPhone("Anna", at: [0, 0, 0])
    let ben = world.addPhone("Ben", at: [3, 0, 0])
    let finder = anna.run { Finder() }
    let token = try #require(ben.run { NISession() }.discoveryToken)
    anna.run { finder.run(with: token) }
    await world.advance(by: .seconds(4))
    #expect(!finder.hasGivenUp)
    await world.advance(by: .seconds(2))
    #expect(finder.hasGivenUp)
  }
}
