import Foundation
import MultipeerConnectivity
import NearbyCommandLine

/// Finds one peer and connects to it: the first found, or the one with a given name.
struct PeerSearch {
  let run: PeerRun
  /// A display name; `nil` for any peer.
  let name: String?
  /// Whether to consider a peer with this discovery info.
  var fits: ([String: String]) -> Bool = { _ in true }

  /// Waits until a peer is connected.
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
        throw .unavailable("\(PeerText.name(peer)) declined the invitation or did not answer")
      case .state, .invited, .data, .arriving, .arrived, .delivered, .line: continue
      }
    }
    throw .unavailable(name.map { "peer '\($0)' was not found" } ?? "no peer was found")
  }
}
