import NearbyRadioLinks
import NearbyWorldProtocol

/// One connection of a world's server: its link, its partially received frame, and its rate limits.
struct WorldConnection: Sendable {
  /// Maximum number of octets that a connection may send per second. `Docs/world-protocol.md` §5.
  static let octetsPerSecond = 8 << 20
  /// Maximum number of frames per second. `Docs/world-protocol.md` §5.
  static let framesPerSecond = 20_000

  let link: DescriptorLink
  /// Whether this is a foreign UCI host, which sends unframed octets.
  let isHost: Bool
  /// Remote address without port.
  let address: String
  var hasJoined = false
  /// Limits the first frame to the size of a hello, because the sender is not known yet.
  private var reader = WorldFrameReader(payloadLimit: DeviceHello.longestPayload)
  private var second = 0
  private var octets = 0
  private var frames = 0

  init(link: DescriptorLink, isHost: Bool, address: String) {
    self.link = link
    self.address = address
    self.isHost = isHost
    hasJoined = isHost
  }

  /// Why a connection is dropped.
  enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
    case frame(WorldProtocolError)
    case tooMuch(String)
    case silent
    case crowded
    case link(LinkError)

    var description: String {
      switch self {
      case .frame(let error): "bad frame: \(error)"
      case .tooMuch(let what): what
      case .silent: "no hello within \(WorldServer.helloLimit.components.seconds) s"
      case .crowded: "no hello yet, and others wait to connect"
      case .link(let error): "\(error)"
      }
    }
  }

  /// Counts received octets. `second` is the current second of the server's life.
  mutating func count(_ given: Int, second: Int) throws(Fault) {
    if second != self.second { (self.second, octets, frames) = (second, 0, 0) }
    octets += given
    guard octets <= Self.octetsPerSecond else {
      throw .tooMuch("more than \(Self.octetsPerSecond) octets in a second")
    }
  }

  mutating func append(_ octets: [UInt8]) { reader.append(octets) }

  /// Returns the next complete message, or `nil` if more octets are needed.
  mutating func next() throws(Fault) -> DeviceMessage? {
    do throws(WorldProtocolError) {
      guard let frame = try reader.next() else { return nil }
      reader.payloadLimit = WorldFrame.maximumPayload
      frames += 1
      if frames <= Self.framesPerSecond { return try DeviceMessage(frame) }
    } catch {
      throw .frame(error)
    }
    throw .tooMuch("more than \(Self.framesPerSecond) frames in a second")
  }
}
