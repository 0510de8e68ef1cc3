import Foundation
import NearbyFiles
import NearbyNATS
import NearbyPeerNetwork

/// The settings of a live device's peer network.
///
/// | variable | is |
/// |---|---|
/// | `NEARBY_PEER_KEYS` | an absolute path: the folder of archived peers' keys; `memory` keeps none |
/// | `XDG_STATE_HOME` | an absolute path: the keys are in `swift-nearby/peers` in it, in place of `~/.local/state` |
/// | `NEARBY_DISCOVERY` | `daemon` or `embedded`: the only way to DNS-SD that is tried |
/// | `NEARBY_PEERS` | `nats://host:port` or `tls://host:port`: the server through which peers meet, in place of the local network |
/// | `NEARBY_PEERS_CREDENTIALS` | an absolute path: the user's credentials for that server |
/// | `NEARBY_PEERS_CERTIFICATES` | an absolute path: the certificates by which the server is trusted |
package struct PeerSettings: Sendable {
  /// `nil` keeps keys in memory.
  package var keyFolder: URL?
  package var discovery = ServiceDiscovery.Preference.automatic
  /// The NATS server through which peers meet; `nil` on the local network.
  package var relay: NATSConnection.Options?
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
    readRelay(environment)
  }

  private mutating func readRelay(_ environment: [String: String]) {
    guard let url = environment["NEARBY_PEERS"], !url.isEmpty else { return }
    guard url.split(separator: ",").allSatisfy(Self.isServer) else {
      // The value is not printed: it may hold a password.
      notices.append("NEARBY_PEERS: expected nats://host:port or tls://host:port")
      return
    }
    var relay = NATSConnection.Options(url: url, name: "swift-nearby peers")
    relay.credentials = path("NEARBY_PEERS_CREDENTIALS", environment)
    relay.certificates = path("NEARBY_PEERS_CERTIFICATES", environment)
    self.relay = relay
  }

  private static func isServer(_ text: Substring) -> Bool {
    ["nats://", "tls://"].contains { text.hasPrefix($0) && text.count > $0.count }
  }

  private mutating func path(_ name: String, _ environment: [String: String]) -> String? {
    guard let path = environment[name], !path.isEmpty else { return nil }
    if path.hasPrefix("/") { return path }
    notices.append("\(name)=\(path): expected an absolute path")
    return nil
  }
}
