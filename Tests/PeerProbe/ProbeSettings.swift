import Foundation
import MultipeerConnectivity
import NearbySchedule

/// A probe's arguments: `NAME [--type T] [--archive FILE] [--encryption required|optional|none]
/// [--timeout SECONDS] [--refuse-certificates] [--identity PEM]`.
struct ProbeSettings {
  var name = "probe"
  var type = "probe"
  /// Where the ID is archived. The first run creates it.
  var archive: URL?
  var encryption = MCEncryptionPreference.required
  var timeout: TimeInterval = 30
  var refusesCertificates = false
  /// The app's own key and certificate.
  var identity: [Any]?

  struct Unknown: Error { let argument: String }

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value() throws -> String {
      guard let next = rest.popFirst() else { throw Unknown(argument: "a value is missing") }
      return next
    }
    name = try value()
    while let argument = rest.popFirst() {
      switch argument {
      case "--type": type = try value()
      case "--archive": archive = URL(fileURLWithPath: try value())
      case "--timeout": timeout = TimeInterval(try value()) ?? 30
      case "--identity":
        identity = [try MCSecurityIdentity(pem: try Data(contentsOf: URL(fileURLWithPath: try value())))]
      case "--refuse-certificates": refusesCertificates = true
      case "--encryption":
        let preferences: [String: MCEncryptionPreference] = [
          "required": .required, "optional": .optional, "none": .none,
        ]
        guard let preference = preferences[try value()] else { throw Unknown(argument: argument) }
        encryption = preference
      default: throw Unknown(argument: argument)
      }
    }
  }

  /// The archived ID, or a new one, which is then archived.
  func peer() throws -> MCPeerID {
    guard let archive else { return MCPeerID(displayName: name) }
    if let data = try? Data(contentsOf: archive),
      let peer = try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)
    {
      return peer
    }
    let peer = MCPeerID(displayName: name)
    try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true).write(to: archive)
    return peer
  }

  /// 64-bit FNV-1a, as text, which is enough to detect a changed octet.
  static func hash(_ data: Data) -> String {
    "\(data.count):\(String(StableHash.of(data), radix: 16))"
  }
}
