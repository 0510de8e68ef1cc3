import NearbyDevice
import NearbyPeerLink
import NearbySchedule

/// An event on the simulated network.
enum NetworkTask: Sendable {
  case wake(station: Int, at: Duration)
  case dialled(StationLink, PeerIdentity, contact: [UInt8])
  case secured(StationLink, PeerIdentity)
  case closed(StationLink)
  /// The first item in a pipe arrives at this side.
  case arrival(pipe: Int, side: Int)
  case datagram(StationLink, [UInt8])
  /// A browser's host checks whether it can see a record.
  case checkRecord(browser: PeerUser, record: Int)
  /// A browser's host drops a record that it can no longer see, unless the network has changed since.
  case expire(browser: PeerUser, record: Int, epoch: Int)
  case discoveryWake(browser: PeerUser)
}

/// One end of a link: the station and its own name for the link.
struct StationLink: Hashable, Sendable {
  let station: Int
  let link: LinkID
}

/// A local peer of a device, with its node. A relaunch ends it; its number is not reused.
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
  /// In transit to each side, in FIFO order.
  var queues: [[Item]] = [[], []]
  /// Arrivals that a partition holds back, which TCP would retransmit.
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

/// One user of the network and its role.
struct NetworkUser: Sendable {
  enum Role: Sendable {
    case session(SessionKey)
    case advertiser(ServiceType, DiscoveryInfo, record: Int?)
    case browser(ServiceType, DiscoveryMachine, isOn: Bool)
    /// The peer's key belongs to another device, or its process ended.
    case unavailable
  }

  let device: Int
  let local: PeerID
  var station: Int?
  var sink: any PeerSink
  var role: Role
  /// The certificates that a session's app presents to peers.
  var certificates: [[UInt8]] = []
}

/// The network of a simulated world: which devices reach each other, with what latency, and the nodes on it.
///
/// Octets between two stations arrive in order after a latency with jitter. A partition holds them back. Packet
/// loss delays octets by a retransmission and drops datagrams.
struct WorldNetwork: Sendable {
  /// Mean one-way latency; each packet's is drawn between 0.5 and 1.5 times that.
  var latency = Duration.milliseconds(2)
  /// Share of packets that are lost, 0 to 1.
  var loss = 0.0
  /// Pairs of devices that cannot reach each other, the lower first.
  var partitions: Set<[Int]> = []
  /// Devices that left the network.
  var away: Set<Int> = []
  /// Devices whose user denied the app the local network.
  var denied: Set<Int> = []
  /// The service types that a device's app declares; a device without an entry declares all.
  var declared: [Int: Set<String>] = [:]
  /// Counts the changes of which devices reach each other.
  var epoch = 0

  var stations: [Int: PeerStation] = [:]
  var pipes: [Int: NetworkPipe] = [:]
  /// The devices at the ends of each pipe.
  var hosts: [Int: (Int, Int)] = [:]
  var places: [StationLink: (pipe: Int, side: Int)] = [:]
  var records: [Int: NetworkRecord] = [:]
  var users: [PeerUser: NetworkUser] = [:]
  /// The device that has the key of an identity.
  var owners: [PeerIdentity: Int] = [:]
  var stationOf: [PeerIdentity: Int] = [:]
  var random: SplitMix64
  private var made = 0

  /// How long a record outlives its host's last announcement: the TTL of RFC 6762, section 10.
  static let recordLife = Duration.seconds(120)
  /// Delay of the first retransmission: the minimum of Linux's TCP. RFC 6298 prescribes 1 s.
  static let retransmission = Duration.milliseconds(200)
  /// Time after which an unanswered connection attempt fails; the node retries.
  static let dialTime = Duration.seconds(1)
  /// Computing time of a handshake on both sides.
  static let handshake = Duration.milliseconds(3)
  /// Size of the largest datagram, octets.
  static let datagramSize = 1200

  init(seed: UInt64) { random = SplitMix64(seed: seed ^ 0x4E45_5457_4F52_4B21) }

  mutating func makeNumber() -> Int {
    made += 1
    return made
  }

  /// Whether packets of one device reach the other.
  func hears(_ a: Int, _ b: Int) -> Bool {
    if a == b { return true }
    return away.isDisjoint(with: [a, b]) && denied.isDisjoint(with: [a, b])
      && !partitions.contains([min(a, b), max(a, b)])
  }

  mutating func isLost() -> Bool { loss > 0 && Double.random(in: 0..<1, using: &random) < loss }

  mutating func drawLatency() -> Duration { latency * Double.random(in: 0.5...1.5, using: &random) }

  /// One-way latency with retransmissions, at most five.
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
