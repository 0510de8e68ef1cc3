import NearbyAccessoryProtocol
import NearbyKeyDerivation
import NearbyOctets
import NearbyUCI

/// What both sides derive alike from their two tokens: which side polls, the session's id and addresses, and
/// its key.
///
/// Ranging starts only when both sides run with each other's token, since one token alone gives none of this.
package struct PairAgreement: Hashable, Sendable {
  package let sessionID: UInt32
  /// 16 octets; empty with an accessory.
  package let sessionKey: [UInt8]
  /// 6 octets, for chips that have only static STS.
  package let staticIV: [UInt8]
  /// The other half of a static STS.
  package let staticVendorID: UInt16
  package let ownAddress: UInt16
  package let peerAddress: UInt16
  /// The side with the smaller token polls.
  package let isInitiator: Bool
  /// 9 to 12, codes of length 127 (IEEE 802.15.4).
  package let preambleCode: UInt8

  package init(own: DiscoveryIdentity, peer: DiscoveryIdentity) {
    precondition(own != peer, "a session cannot range with itself")
    isInitiator = own < peer
    let (first, second) = isInitiator ? (own, peer) : (peer, own)
    let material = KeyDerivation.expand(
      secret: first.octets + second.octets, salt: Array("swift-nearby peer session".utf8),
      info: Array("session id, addresses, preamble, IV, key".utf8), count: 33)
    // Some chips use session 0 for test mode.
    sessionID = max(material.span.littleEndian(UInt32.self, at: 0), 1)
    let initiator = Self.address(material.span.littleEndian(at: 4))
    var responder = Self.address(material.span.littleEndian(at: 6))
    if responder == initiator { responder = initiator == 0xFFFE ? 1 : initiator + 1 }
    ownAddress = isInitiator ? initiator : responder
    peerAddress = isInitiator ? responder : initiator
    preambleCode = 9 + material[8] % 4
    staticIV = Array(material[9..<15])
    sessionKey = Array(material[15..<31])
    staticVendorID = material.span.littleEndian(at: 31)
  }

  /// For ranging with an accessory, where the phone alone decides.
  init(
    accessory: UInt16, phone: UInt16, isPhoneInitiator: Bool, sessionID: UInt32, preambleCode: UInt8,
    staticIV: [UInt8]
  ) {
    self.sessionID = sessionID
    sessionKey = []
    self.staticIV = staticIV
    staticVendorID = ShareableConfigurationData.appleVendorID
    ownAddress = phone
    peerAddress = accessory
    isInitiator = isPhoneInitiator
    self.preambleCode = preambleCode
  }

  /// Avoids the reserved addresses 0000 and FFFF (broadcast).
  private static func address(_ value: UInt16) -> UInt16 { min(max(value, 1), 0xFFFE) }
}
