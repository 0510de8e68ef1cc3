/// One reading of a gateway: what it measured of a peer.
///
/// On MQTT and NATS each kind has a topic of its own, `nearby/<site>/<device>/<kind>`; the payload is a JSON object, or a
/// list of at most 1000 of them (`Docs/gateway.md`).
package struct GatewayReading: Equatable, Sendable {
  /// The last part of the topic.
  package enum Kind: String, CaseIterable, Sendable {
    /// A two-way range.
    case range
    /// A difference of distances to two anchors.
    case difference
    /// The loudness of a Bluetooth advertisement.
    case advertisement
  }

  package enum Value: Equatable, Sendable {
    /// Metres, and what is known about them: standard deviation, the probability of a blocked path, dBm.
    case range(metres: Double, sigma: Double?, blocked: Double?, rssi: Double?)
    /// The distance to the peer minus that to another anchor, metres.
    case difference(from: String, metres: Double, sigma: Double?)
    /// dBm, and the stated power at 1 m.
    case advertisement(rssi: Double, power: Double?)
  }

  /// Unix seconds.
  package var time: Double
  /// Standard deviation of the time, seconds; `nil` if unknown.
  package var uncertainty: Double?
  /// Number of the reading, which grows also over restarts of the gateway; `nil` if the sender has none.
  package var number: UInt64?
  /// The other device's id.
  package var peer: String
  package var value: Value

  package init(
    time: Double, uncertainty: Double? = nil, number: UInt64? = nil, peer: String, value: Value
  ) {
    self.time = time
    self.uncertainty = uncertainty
    self.number = number
    self.peer = peer
    self.value = value
  }

  package var kind: Kind {
    switch value {
    case .range: .range
    case .difference: .difference
    case .advertisement: .advertisement
    }
  }
}

/// The topics of a site's readings.
package enum ReadingTopic {
  package static func text(site: String, device: String, _ kind: GatewayReading.Kind) -> String {
    "nearby/\(site)/\(device)/\(kind.rawValue)"
  }

  /// The pattern that a site subscribes to.
  package static func pattern(site: String, _ kind: GatewayReading.Kind) -> String {
    "nearby/\(site)/+/\(kind.rawValue)"
  }

  /// The device and kind of a topic; `nil` if it is not one of the site's readings.
  package static func parse(_ topic: String, site: String) -> (device: String, kind: GatewayReading.Kind)? {
    let parts = topic.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "nearby", parts[1] == site, !parts[2].isEmpty,
      let kind = GatewayReading.Kind(rawValue: String(parts[3]))
    else { return nil }
    return (String(parts[2]), kind)
  }

  /// Whether a text can be a part of a topic: 1 to 100 octets, no `/`, no wildcard, nothing unprintable.
  package static func isPart(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0x7F && !"/+#".unicodeScalars.contains($0)
      }
  }
}
