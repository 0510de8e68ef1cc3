import ARKit
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting

/// An app's own object that contains one of ours.
final class Contact: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let peer: MCPeerID
  let token: NIDiscoveryToken?
  let note: String
  let numbers: [Int]
  let weight: Double

  init(peer: MCPeerID, token: NIDiscoveryToken?, note: String) {
    self.peer = peer
    self.token = token
    self.note = note
    numbers = [1, 2, 3]
    weight = 1.5
  }

  init?(coder: NSCoder) {
    guard let peer = coder.decodeObject(of: MCPeerID.self, forKey: "peer"),
      let note = coder.decodeObject(of: NSString.self, forKey: "note")
    else { return nil }
    self.peer = peer
    self.note = String(note)
    token = coder.decodeObject(of: NIDiscoveryToken.self, forKey: "token")
    numbers = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "numbers") as? [Int] ?? []
    weight = coder.decodeDouble(forKey: "weight")
  }

  func encode(with coder: NSCoder) {
    coder.encode(peer, forKey: "peer")
    coder.encode(token, forKey: "token")
    coder.encode(note as NSString, forKey: "note")
    coder.encode(numbers as NSArray, forKey: "numbers")
    coder.encode(weight, forKey: "weight")
  }
}

/// Contains another of its kind.
final class Chain: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let next: Chain?
  init(_ next: Chain?) { self.next = next }
  init?(coder: NSCoder) { next = coder.decodeObject(of: Chain.self, forKey: "next") }
  func encode(with coder: NSCoder) { coder.encode(next, forKey: "next") }
}

/// One object of every class of ours that can be archived.
enum Specimens {
  static func all() throws -> [any NSObject & NSSecureCoding] {
    try World(seed: 3).addPhone("Ann").launch {
      let session = NISession()
      let token = try requireToken(session)
      let configuration = NINearbyPeerConfiguration(peerToken: token)
      configuration.isCameraAssistanceEnabled = true
      let peer = MCPeerID(displayName: "Ann")
      return [
        token, configuration, peer, ARAnchor(name: "here", transform: matrix_identity_float4x4),
        Contact(peer: peer, token: token, note: "ünïcødé 🐙"),
      ]
    }
  }

  private struct NoToken: Error {}

  private static func requireToken(_ session: NISession) throws -> NIDiscoveryToken {
    guard let token = session.discoveryToken else { throw NoToken() }
    return token
  }

  /// Other archives that a peer may send: Foundation's objects, alone and with ours inside.
  static func others(_ ours: [any NSObject & NSSecureCoding]) -> [any NSObject & NSSecureCoding] {
    [
      "text" as NSString, NSMutableString(string: "text"), NSNumber(value: 3), NSNumber(value: 2.5),
      NSNumber(value: true), NSData(data: Data([1, 2, 3])), NSMutableData(data: Data([4])), NSDate(),
      NSUUID(),
      NSURL(fileURLWithPath: "/tmp"), NSNull(), [1, "a"] as NSArray, NSSet(array: ["x"]),
      ["a": ["b": Data([7])]] as NSDictionary, NSOrderedSet(array: [1, 2]), ours as NSArray,
      ["object": ours[0], "more": [ours[1], ours[2]]] as NSDictionary,
    ]
  }
}
