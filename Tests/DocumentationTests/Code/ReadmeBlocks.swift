import NearbyAccessory
import NearbyInteraction
import NearbyPeers
import NearbyTesting
import Testing

@Suite("The README's code")
struct ReadmeBlocks {
  @Test("They find each other")
  func meeting() {
    let world = World(seed: 7)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    let seeker = ann.launch { Seeker() }  // your own class with its NISession
    let target = ben.launch { Seeker() }
    if let token = target.session.discoveryToken { seeker.find(token) }
    if let token = seeker.session.discoveryToken { target.find(token) }
    world.advance(by: .seconds(10))  // virtual time: a few milliseconds
    #expect(abs((seeker.distance ?? 0) - 3) < 0.3)
  }

  func openDoor() {}

  func guardDoor() async {
    var profile = AccessoryProfile(name: "Door")
    profile.access = .paired  // not whoever passes by: phones that paired with this machine
    let door = Accessory(profile)
    door.start()  // phones' apps find it over Bluetooth
    for await reading in door.readings where reading.isAuthorized {
      if let distance = reading.distance, distance < 1.5 { openDoor() }
    }
  }

  func printPeers() async {
    let finder = PeerFinder(named: "Ann", serviceType: "example")  // NearbyPeers, ours
    finder.start()
    for await peers in finder.peers {
      for peer in peers { print(peer.name, peer.distance ?? .nan, peer.azimuth ?? .nan) }
    }
  }
}
