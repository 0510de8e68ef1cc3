import NearbyPosition

/// A site: a building with receivers at known places, its rooms and fences, and the tags to locate.
///
/// All places are in one frame: metres, x to the right on the plan, y upwards on the plan, z up.
package struct SitePlan: Equatable, Sendable {
  /// Anything that sends readings: an anchor, a gateway, an ESPresense room.
  package struct Receiver: Equatable, Sendable {
    package var id: String
    package var position: SIMD3<Double>
    /// The storey's number.
    package var floor: Int
    /// Index of the room in `rooms` that contains the receiver; `nil` if none does.
    package var room: Int?
    /// Decibels that are added to each RSSI, to make receivers comparable.
    package var offset = 0.0
    /// Standard deviation of the surveyed place, metres.
    package var surveySigma = 0.0

    package init(
      id: String, position: SIMD3<Double>, floor: Int, room: Int? = nil, offset: Double = 0,
      surveySigma: Double = 0
    ) {
      self.id = id
      self.position = position
      self.floor = floor
      self.room = room
      self.offset = offset
      self.surveySigma = surveySigma
    }
  }

  /// A room, for which tags report being in at most one.
  package struct Room: Equatable, Sendable {
    package var id: String
    package var name: String
    package var floor: Int
    package var outline: SiteOutline

    package init(id: String, name: String, floor: Int, outline: SiteOutline) {
      self.id = id
      self.name = name
      self.floor = floor
      self.outline = outline
    }
  }

  /// An area whose entries and exits are reported; fences may overlap each other and rooms.
  package struct Fence: Equatable, Sendable {
    package var id: String
    package var name: String
    package var floor: Int
    package var outline: SiteOutline
    /// Seconds for which a tag must be inside or outside before that is reported.
    package var enterDelay = 0.5
    package var exitDelay = 2.0
    /// Seconds inside after which a dwell is reported; `nil` for never.
    package var dwell: Double?

    package init(id: String, name: String, floor: Int, outline: SiteOutline, dwell: Double? = nil) {
      self.id = id
      self.name = name
      self.floor = floor
      self.outline = outline
      self.dwell = dwell
    }
  }

  /// What is located.
  package struct Tag: Equatable, Sendable {
    package var id: String
    package var name: String
    /// Other ids under which receivers report it, such as `iBeacon:<uuid>-<major>-<minor>`.
    package var aliases: [String] = []
    /// Power at 1 m in dBm, for beacons whose readings do not state it; `nil` for the usual one.
    package var measuredPower: Double?

    package init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// What places on the globe the plan's coordinates are.
  package struct Origin: Equatable, Sendable {
    /// Degrees, WGS 84, of the point (0, 0).
    package var latitude: Double
    package var longitude: Double
    /// Direction of the y axis, degrees clockwise from north.
    package var azimuth = 0.0

    package init(latitude: Double, longitude: Double, azimuth: Double = 0) {
      self.latitude = latitude
      self.longitude = longitude
      self.azimuth = azimuth
    }
  }

  /// Lower-case letters, digits, `-` and `_`: it is a part of topics.
  package var name: String
  package var origin: Origin?
  package var broker = SiteBroker()
  /// `nil` for a site of one process, whose readings come from the broker.
  package var sharing: SiteSharing?
  /// Whether the configuration names a broker: a shared site publishes there only then.
  package var hasBroker = false
  package var receivers: [Receiver] = []
  package var rooms: [Room] = []
  package var fences: [Fence] = []
  package var tags: [Tag] = []
  /// Height of each storey's floor, metres, by its number; 3 m a storey for those that are not listed.
  package var levels: [Int: Double] = [:]
  /// Heights in which tags can be, metres; `nil` if unknown.
  package var heights: ClosedRange<Double>?
  package var publishers = SitePublishers()
  /// Seconds between two published positions of a tag, > 0.
  package var interval = 0.5
  /// Seconds without a reading after which a tag is away.
  package var silence = 15.0
  /// Where the page and `/metrics` are served; `nil` for nowhere.
  package var page: SitePage?

  package init(name: String) { self.name = name }

  /// The receivers as anchors of a position solver, numbered by index.
  package var anchors: [PositionAnchor] {
    receivers.enumerated().map {
      PositionAnchor(
        id: $0, position: $1.position, surveySigma: $1.surveySigma,
        floor: AnchorFloor(
          number: Double($1.floor), heightAboveFloor: $1.position.z - level(of: $1.floor)))
    }
  }

  /// Height of a storey's floor, metres.
  package func level(of floor: Int) -> Double { levels[floor] ?? 3 * Double(floor) }

  /// Limits of a configuration, so that no file exhausts memory.
  package enum Limits {
    package static let octets = 4 << 20
    package static let receivers = 512
    package static let rooms = 1000
    package static let fences = 256
    package static let tags = 20_000
    package static let corners = 200
    package static let aliases = 8
    /// Octets of an id.
    package static let id = 100
  }
}

/// What a site publishes, and under which topics.
package struct SitePublishers: Equatable, Sendable {
  /// Prefix of Home Assistant's discovery; `nil` for no discovery.
  package var homeAssistant: String? = "homeassistant"
  /// Prefix under which readings of ESPresense are subscribed to; `nil` for none.
  package var espresenseInput: String? = "espresense"
  /// Prefix under which this site publishes as if its receivers were ESPresense rooms.
  package var espresenseOutput: String?
  /// User under which OwnTracks locations and events are published; requires an origin.
  package var ownTracks: String?
  /// Base address of an omlox hub, such as `http://localhost:8081`.
  package var omlox: String?
  /// File to which positions and events are appended as JSON lines.
  package var history: String?

  package init() {}
}

/// Where the page is served.
package struct SitePage: Equatable, Sendable {
  package var host = "127.0.0.1"
  package var port: UInt16 = 8080

  package init() {}
}
