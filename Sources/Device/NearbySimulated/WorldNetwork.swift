import NearbyDevice
import NearbyPeerLink
import NearbySchedule

/// Something that happens on the simulated network.
enum NetworkTask: Sendable {
  case wake(station: Int, at: Duration)
  case dialled(StationLink, PeerIdentity, contact: [UInt8])
  case secured(StationLink, PeerIdentity)
  case closed(StationLink)
  /// The first that waits in a pipe arrives at this side.
  case arrival(pipe: Int, side: Int)
  case datagram(StationLink, [UInt8])
  /// A browser's host hears, or no longer hears, of a record.
  case look(browser: PeerUser, record: Int)
  /// A record that a browser's host does not hear any more is forgotten, if nothing changed since.
  case expire(browser: PeerUser, record: Int, epoch: Int)
  case discoveryWake(browser: PeerUser)
}

/// One side of a link: the node and its own name of the link.
struct StationLink: Hashable, Sendable {
  let station: Int
  let link: LinkID
}

/// A local peer of a device: one node. A relaunch ends it; its number is not used again.
struct PeerStation: Sendable {
  let device: Int
  var node: PeerNode
  var sessions: [SessionKey: PeerUser] = [:]
  var wake: Duration?
}

/// A byte stream between two stations. Side 0 dialled, side 1 accepted.
struct NetworkPipe: Sendable {
  enum Item: Sendable {
    case octets([UInt8])
    case end
  }

  var ends: [StationLink?]
  /// On the way to each side, first in first out.
  var queues: [[Item]] = [[], []]
  /// Arrivals that a partition holds back, as TCP does.
  var stalled = [0, 0]
  var lastArrival: [Duration] = [.zero, .zero]
}

/// An advertiser's record, as DNS-SD would carry it.
struct NetworkRecord: Sendable {
  let device: Int
  let station: Int
  let type: ServiceType
  let advertised: AdvertisedPeer
  var isWithdrawn = false
}

/// One user of the network, and what it is there for.
struct NetworkUser: Sendable {
  enum Role: Sendable {
    case session(SessionKey)
    case advertiser(ServiceType, DiscoveryInfo, record: Int?)
    case browser(ServiceType, DiscoveryMachine, isOn: Bool)
    /// The peer's key is not this device's, or its process ended.
    case unavailable
  }

  let device: Int
  let local: PeerID
  var station: Int?
  var sink: any PeerSink
  var role: Role
  /// What a session's app gave, to be shown to peers that ask.
  var certificates: [[UInt8]] = []
}

/// The network of a simulated world: who hears whom, how late, and the nodes on it.
///
/// Octets between two stations arrive in order after a latency and its jitter. A partition holds them back; a
/// loss delays octets, as a retransmission does, and loses datagrams.
struct WorldNetwork: Sendable {
  /// Mean one-way time; what is drawn lies between the half and three halves of it.
  var latency = Duration.milliseconds(2)
  /// Share of packets that are lost.
  var loss = 0.0
  /// Pairs of devices that do not hear each other, the lower first.
  var partitions: Set<[Int]> = []
  /// Devices that left the network.
  var away: Set<Int> = []
  /// Devices whose user does not let the app use the network.
  var denied: Set<Int> = []
  /// The service types that the app of a device declares; all, where it is not said.
  var declared: [Int: Set<String>] = [:]
  /// Counts the changes of who hears whom.
  var epoch = 0

  var stations: [Int: PeerStation] = [:]
  var pipes: [Int: NetworkPipe] = [:]
  /// Devices at the ends of each pipe.
  var hosts: [Int: (Int, Int)] = [:]
  var places: [StationLink: (pipe: Int, side: Int)] = [:]
  var records: [Int: NetworkRecord] = [:]
  var users: [PeerUser: NetworkUser] = [:]
  /// Whose key an identity's is.
  var owners: [PeerIdentity: Int] = [:]
  var stationOf: [PeerIdentity: Int] = [:]
  var random: SplitMix64
  private var made = 0

  /// How long a record outlives the last word of its host: the TTL of RFC 6762, section 10.
  static let recordLife = Duration.seconds(120)
  /// A retransmission's delay: the least of RFC 6298.
  static let retransmission = Duration.milliseconds(200)
  /// When a connection attempt that nobody answers counts as failed; the node tries again.
  static let dialTime = Duration.seconds(1)
  /// Cryptography of a handshake, both sides.
  static let handshake = Duration.milliseconds(3)
  /// Octets of the largest datagram.
  static let datagramSize = 1200

  init(seed: UInt64) { random = SplitMix64(seed: seed ^ 0x4E45_5457_4F52_4B21) }

  mutating func makeNumber() -> Int {
    made += 1
    return made
  }

  /// Whether what one device sends reaches the other.
  func hears(_ a: Int, _ b: Int) -> Bool {
    if a == b { return true }
    return away.isDisjoint(with: [a, b]) && denied.isDisjoint(with: [a, b])
      && !partitions.contains([min(a, b), max(a, b)])
  }

  mutating func isLost() -> Bool { loss > 0 && Double.random(in: 0..<1, using: &random) < loss }

  mutating func drawLatency() -> Duration { latency * Double.random(in: 0.5...1.5, using: &random) }

  /// One way, retransmissions included, at most five.
  mutating func drawReliableLatency() -> Duration {
    var wait = drawLatency()
    var again = Self.retransmission
    for _ in 0..<5 where isLost() {
      wait += again
      again *= 2
    }
    return wait
  }

  /// A responder waits 20 to 120 ms before it answers (RFC 6762, section 6).
  mutating func drawDiscovery() -> Duration {
    .milliseconds(Int.random(in: 20...120, using: &random)) + drawReliableLatency()
  }
}
