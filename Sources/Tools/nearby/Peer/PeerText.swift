import Foundation
import MultipeerConnectivity
import NearbyPeerLink
import NearbyTextForms

/// Peers and errors as text.
enum PeerText {
  /// Maximum number of characters shown of one message.
  static let longestMessage = 4096

  static func name(_ peer: MCPeerID) -> String { PrintableText.name(peer.displayName) }

  /// Distinguishes peers with the same name.
  static func identity(_ peer: MCPeerID) -> String { String(peer.peer.identity.description.prefix(8)) }

  static func reason(_ error: any Error) -> String { (error as? MCError)?.localizedDescription ?? "\(error)" }

  static func octets(_ count: Double) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (value, unit) = (count, 0)
    while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
    return "\(NumberFormat.fixed(value, unit == 0 ? 0 : 1)) \(units[unit])"
  }
}
