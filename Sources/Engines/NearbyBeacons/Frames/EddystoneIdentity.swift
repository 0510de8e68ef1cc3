/// Identifies an Eddystone beacon by the content of its frame, without the power.
package enum EddystoneIdentity: Hashable, Sendable {
  case uid(namespaceHigh: UInt64, namespaceLow: UInt16, instance: UInt64)
  case url(String)
  /// Changes every few minutes to hours.
  case ephemeral(UInt64)

  /// Returns `nil` for other formats, and for telemetry, which has no identity.
  package init?(_ frame: BeaconFrame) {
    switch frame {
    case .eddystoneUID(let uid):
      self = .uid(
        namespaceHigh: uid.namespaceHigh, namespaceLow: uid.namespaceLow, instance: uid.instance)
    case .eddystoneURL(let url): self = .url(url.link)
    case .eddystoneEID(let id): self = .ephemeral(id.identifier)
    case .eddystoneTLM, .iBeacon, .altBeacon: return nil
    }
  }

  /// The namespace's ten octets as hexadecimal digits; `nil` for other frames.
  package var namespace: String? {
    guard case .uid(let high, let low, _) = self else { return nil }
    return Self.digits(high, octets: 8) + Self.digits(UInt64(low), octets: 2)
  }

  /// The instance's six octets as hexadecimal digits; `nil` for other frames.
  package var instance: String? {
    guard case .uid(_, _, let instance) = self else { return nil }
    return Self.digits(instance, octets: 6)
  }

  /// The ephemeral identifier's eight octets as hexadecimal digits; `nil` for other frames.
  package var ephemeral: String? {
    guard case .ephemeral(let identifier) = self else { return nil }
    return Self.digits(identifier, octets: 8)
  }

  private static func digits(_ value: UInt64, octets: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, 2 * octets - text.count)) + text
  }
}

extension EddystoneIdentity: CustomStringConvertible {
  package var description: String {
    switch self {
    case .uid: "\(namespace ?? "") \(instance ?? "")"
    case .url(let link): link
    case .ephemeral: "ephemeral \(ephemeral ?? "")"
    }
  }
}
