import Foundation
import NearbyFiles
import NearbyPeerNetwork

/// The settings of a live device's peer network.
///
/// | variable | is |
/// |---|---|
/// | `NEARBY_PEER_KEYS` | an absolute path: the folder of archived peers' keys; `memory` keeps none |
/// | `XDG_STATE_HOME` | an absolute path: the keys are in `swift-nearby/peers` in it, in place of `~/.local/state` |
/// | `NEARBY_DISCOVERY` | `daemon` or `embedded`: the only way to DNS-SD that is tried |
package struct PeerSettings: Sendable {
  /// `nil` keeps keys in memory.
  package var keyFolder: URL?
  package var discovery = ServiceDiscovery.Preference.automatic
  package var notices: [String] = []

  package init() {}

  package init(environment: [String: String], home: URL) {
    let state = XDGFolder.state.url(environment, home: home)
    keyFolder = state.appendingPathComponent("swift-nearby/peers")
    switch environment["NEARBY_PEER_KEYS"] {
    case nil, "": break
    case "memory": keyFolder = nil
    case .some(let path) where path.hasPrefix("/"): keyFolder = URL(fileURLWithPath: path)
    case .some(let text): notices.append("NEARBY_PEER_KEYS=\(text): expected an absolute path or memory")
    }
    switch environment["NEARBY_DISCOVERY"] {
    case nil, "": break
    case "daemon": discovery = .only(.daemon)
    case "embedded": discovery = .only(.embedded)
    case .some(let text): notices.append("NEARBY_DISCOVERY=\(text): expected daemon or embedded")
    }
  }
}
