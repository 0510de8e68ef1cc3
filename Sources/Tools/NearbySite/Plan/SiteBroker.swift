/// How several processes of a site share its tags, through a NATS server with JetStream.
package struct SiteSharing: Equatable, Sendable {
  /// Servers: `nats://host:port` or `tls://host:port`, with commas between them.
  package var url: String
  /// Files: the user's credentials, and the authorities to trust, PEM.
  package var credentials: String?
  package var authorities: String?
  /// Servers of a cluster that keep the readings and the tags' states.
  package var replicas = 1

  package init(url: String) { self.url = url }

  package static let expectedURL = "nats://HOST[:PORT] or tls://HOST[:PORT], several with commas between them"

  package static func isURL(_ text: String) -> Bool {
    let servers = text.split(separator: ",", omittingEmptySubsequences: false)
    return servers.count <= 16
      && servers.allSatisfy { server in
        ["nats://", "tls://"].contains { server.hasPrefix($0) && server.utf8.count > $0.utf8.count }
          && !server.contains { $0.isWhitespace }
      }
  }
}

/// How to reach the MQTT broker.
package struct SiteBroker: Equatable, Sendable {
  package var host = "localhost"
  package var port: UInt16 = 1883
  package var usesTLS = false
  package var user: String?
  /// File whose first line is the password: a configuration is often shared or committed, a password must not be.
  package var passwordFile: String?
  /// PEM files: the authorities to trust, and this client's certificate and key.
  package var authorities: String?
  package var certificate: String?
  package var key: String?
  /// MQTT 5 instead of 3.1.1.
  package var usesVersion5 = false

  package init() {}

  package static let expectedURL = "mqtt://HOST[:PORT] or mqtts://HOST[:PORT]"

  /// Parses a URL; `nil` if it is none of a broker. Users and passwords are not part of it, since URLs are shown.
  package init?(url: String) {
    let rest: Substring
    if url.hasPrefix("mqtts://") {
      (usesTLS, port, rest) = (true, 8883, url.dropFirst(8))
    } else if url.hasPrefix("mqtt://") {
      rest = url.dropFirst(7)
    } else {
      return nil
    }
    var host = rest
    // An IPv6 address has colons of its own and stands in brackets.
    let bracket = rest.lastIndex(of: "]")
    if let colon = rest.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
      guard let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else { return nil }
      self.port = port
      host = rest[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, host.utf8.count <= 255, !host.contains(where: { "/@?# ".contains($0) }) else {
      return nil
    }
    self.host = String(host)
  }
}
