import Foundation
import NearbyDeviceMachine
import NearbyInteraction

/// Parses octets as the archive of a peer's token, as an app does with a message from an unknown sender.
func fuzzTokenArchive(_ octets: [UInt8]) {
  let data = Data(octets)
  guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data) else {
    return
  }
  let again = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
  let read = again.flatMap {
    try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: $0)
  }
  precondition(read == token && read?.hash == token.hash, "a token changes when it is archived and read back")
  agree(with: token.identity)
}

/// Parses octets as the contents of a token, and makes a session from them.
func fuzzDiscoveryIdentity(_ octets: [UInt8]) {
  guard let identity = DiscoveryIdentity(octets: octets) else { return }
  precondition(identity.octets == octets, "an identity is written differently than it was read")
  agree(with: identity)
}

/// The agreements that two sides derive from each other's tokens must match.
private func agree(with peer: DiscoveryIdentity) {
  var random = FuzzRandom(state: 1)
  let own = DiscoveryIdentity(capabilities: [.preciseDistance, .direction], using: &random)
  guard own != peer else { return }
  let here = PairAgreement(own: own, peer: peer)
  let there = PairAgreement(own: peer, peer: own)
  precondition(
    here.sessionID == there.sessionID && here.sessionKey == there.sessionKey
      && here.isInitiator != there.isInitiator && here.ownAddress == there.peerAddress
      && here.ownAddress != here.peerAddress, "the two sides derive different agreements: \(peer.octets)")
}
