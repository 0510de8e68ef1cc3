import NearbyOctets

/// The content of a discovery token: the identity of a session, and the capabilities of its device.
///
/// Octets, in order: version (1), capabilities (little-endian UInt16), identity (16 random octets).
/// The layout is ours: Apple's tokens are opaque.
package struct DiscoveryIdentity: Hashable, Sendable, Comparable {
  /// The 16 random octets, little-endian in two words, because each event compares them.
  private let low: UInt64
  private let high: UInt64
  package let capabilities: DeviceCapabilities

  package static let version: UInt8 = 1
  package static let octetCount = 19

  /// A fresh identity.
  package init(capabilities: DeviceCapabilities, using generator: inout some RandomNumberGenerator) {
    low = generator.next()
    high = generator.next()
    self.capabilities = capabilities
  }

  /// - Parameter random: 16 octets.
  package init(capabilities: DeviceCapabilities, random: [UInt8]) {
    precondition(random.count == 16, "an identity has \(random.count) octets instead of 16")
    low = random.span.littleEndian(at: 0)
    high = random.span.littleEndian(at: 8)
    self.capabilities = capabilities
  }

  /// Parses a token's octets; `nil` if they are no token of this version.
  package init?(octets: [UInt8]) {
    guard octets.count == Self.octetCount, octets[0] == Self.version else { return nil }
    capabilities = DeviceCapabilities(rawValue: octets.span.littleEndian(at: 1))
    low = octets.span.littleEndian(at: 3)
    high = octets.span.littleEndian(at: 11)
  }

  /// 16 random octets, new for each session.
  package var random: [UInt8] { low.littleEndianOctets + high.littleEndianOctets }

  package var octets: [UInt8] { [Self.version] + capabilities.rawValue.littleEndianOctets + random }

  package static func < (left: Self, right: Self) -> Bool {
    left.octets.lexicographicallyPrecedes(right.octets)
  }
}

/// What a device can do, as its token carries it to its peers.
package struct DeviceCapabilities: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let preciseDistance = DeviceCapabilities(rawValue: 1)
  package static let direction = DeviceCapabilities(rawValue: 2)
  package static let cameraAssistance = DeviceCapabilities(rawValue: 4)
  package static let extendedDistance = DeviceCapabilities(rawValue: 8)
  package static let downlinkTDoA = DeviceCapabilities(rawValue: 16)
  package static let channelSounding = DeviceCapabilities(rawValue: 32)
  /// An accessory instead of a peer: it ranges by its configuration data, never by tokens.
  package static let accessory = DeviceCapabilities(rawValue: 0x8000)
}
