import MultipeerConnectivity
import NearbyCommandLine

/// Which peers to accept or invite.
enum PeerRule: Equatable, Sendable {
  case all
  case nobody
  /// By display name.
  case named([String])

  /// - Parameter words: `all`, `none`, or names; empty means `all`.
  init(_ words: [String], _ option: some DeclaredOption) throws(UsageError) {
    switch words {
    case [], ["all"]: self = .all
    case ["none"]: self = .nobody
    case _ where words.contains("all") || words.contains("none"):
      throw .conflict("--\(option.spec.name): all and none can't be combined with other values")
    default: self = .named(words)
    }
  }

  func covers(_ peer: MCPeerID) -> Bool {
    switch self {
    case .all: true
    case .nobody: false
    case .named(let names): names.contains(peer.displayName)
    }
  }
}
