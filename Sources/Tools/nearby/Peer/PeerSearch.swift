import Foundation
import MultipeerConnectivity
import NearbyCommandLine

/// Looks for one peer and connects with it: the first in sight, or one of a name.
struct PeerSearch {
  let run: PeerRun
  /// A display name; `nil` takes anybody.
  let name: String?
  /// Whether what a peer advertises makes it one to look at.
  var fits: ([String: String]) -> Bool = { _ in true }

  /// Waits until somebody is connected.
  ///
  /// - Parameter end: When to give up.
  func connect(until end: ContinuousClock.Instant?) throws(CommandError) -> MCPeerID {
    var chosen: MCPeerID?
    while let letter = run.mailbox.next(until: end) {
      switch letter {
      case .interrupted: throw .interrupted
      case .notStarted: throw PeerRun.unavailable
      case .found(let peer, let info):
        guard chosen == nil, name == nil || peer.displayName == name, fits(info) else { continue }
        chosen = peer
        run.invite(peer)
      case .lost(let peer): if chosen == peer { chosen = nil }
      case .state(let peer, .connected): return peer
      case .state(let peer, .notConnected):
        throw .unavailable("\(PeerText.name(peer)) declined or did not answer")
      case .state, .invited, .data, .arriving, .arrived, .delivered, .line: continue
      }
    }
    throw .unavailable("\(name.map { "'\($0)'" } ?? "nobody") was\(name == nil ? "" : " not") found")
  }
}
