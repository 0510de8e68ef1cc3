import Foundation
import MultipeerConnectivity
import NearbySchedule

/// What a probe is told by its arguments: `NAME [--type T] [--archive FILE] [--encryption required|optional|none]
/// [--timeout SECONDS] [--refuse-certificates] [--identity PEM]`.
struct ProbeSettings {
  var name = "probe"
  var type = "probe"
  /// Where the ID is archived; made there in the first run.
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

  /// The archived ID, or a new one that is archived.
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

  /// The hash as text: enough to see that no octet is another's.
  static func hash(_ data: Data) -> String {
    "\(data.count):\(String(StableHash.of(data), radix: 16))"
  }
}
