import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Apps that restart sessions, and apps that use only the first object")
struct RestartTests {
  private let world = World(seed: 47)

  private func pair() -> (phones: [Phone], rangers: [RestartingRanger]) {
    let phones = [
      world.addPhone("Ann", at: [0, 0, 1.2], heading: 0),
      world.addPhone("Ben", at: [0, 3, 1.2], heading: 180),
    ]
    let rangers = phones.map { phone in phone.launch { RestartingRanger() } }
    // Each token arrives at the other phone a moment later, as over a network.
    for (index, ranger) in rangers.enumerated() {
      let (other, world) = (1 - index, world)
      let (phone, receiver) = (phones[other], rangers[other])
      ranger.sendToken = { token in
        world.at(world.now + .milliseconds(50), as: phone) { receiver.peerDidShareDiscoveryToken(token) }
      }
    }
    for (phone, ranger) in zip(phones, rangers) { phone.launch { ranger.startup() } }
    return (phones, rangers)
  }

  @Test("After minutes in the background the app starts a new session, and both phones range again")
  func background() {
    let (phones, rangers) = pair()
    world.advance(by: .seconds(3))
    #expect(rangers.map(\.history) == [["update"], ["update"]])
    let before = rangers[0].session
    phones[0].suspend()
    world.advance(by: .seconds(200))
    #expect(rangers[0].history.contains("invalidated"))
    #expect(rangers[0].session !== before)
    phones[0].resume()
    world.advance(by: .seconds(20))
    #expect(rangers.map { $0.history.last } == ["update", "update"])
    #expect(rangers.allSatisfy { abs($0.distance - 3) < 0.3 })
  }

  // The new token arrives before the goodbye. The delegate is not notified of a peer that the app has
  // replaced.
  @Test("After a peer ends and starts a new session, ranging resumes with its new token")
  func peerEnded() {
    let (phones, rangers) = pair()
    world.advance(by: .seconds(3))
    phones[1].launch {
      rangers[1].session?.invalidate()
      rangers[1].startup()
    }
    world.advance(by: .seconds(10))
    #expect(rangers.map { $0.history.last } == ["update", "update"])
    #expect(rangers[0].peerDiscoveryToken == rangers[1].session?.discoveryToken)
  }

  @Test("The first nearby object is the peer of the last configuration")
  func firstObject() throws {
    let places: [(String, SIMD3<Double>)] = [
      ("Ann", [0, 0, 1.2]), ("Ben", [0, 2, 1.2]), ("Cid", [0, 5, 1.2]),
    ]
    let phones = places.map { world.addPhone($0.0, at: $0.1) }
    let apps = phones.map { phone in phone.launch { FirstObjectRanger() } }
    for (index, expected) in [(1, Float(2)), (2, 5)] {
      phones[index].launch { apps[index].received(apps[0].token) }
      phones[0].launch { apps[0].received(apps[index].token) }
      world.advance(by: .seconds(5))
      #expect(apps[0].first?.discoveryToken == apps[index].niSession.discoveryToken)
      #expect(abs((apps[0].first?.distance ?? 0) - expected) < 0.3)
      #expect(apps[0].nearbyObjects.count == 1)
    }
  }
}
