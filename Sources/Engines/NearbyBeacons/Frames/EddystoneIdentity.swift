/// Names an Eddystone beacon by what its frame says, its power left out.
package enum EddystoneIdentity: Hashable, Sendable {
  case uid(namespaceHigh: UInt64, namespaceLow: UInt16, instance: UInt64)
  case url(String)
  /// Changes every few minutes to hours.
  case ephemeral(UInt64)

  /// `nil` for frames of other kinds, and for telemetry, which names nobody.
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

  /// Ten octets of namespace as hexadecimal digits; `nil` where there is none.
  package var namespace: String? {
    guard case .uid(let high, let low, _) = self else { return nil }
    return Self.digits(high, octets: 8) + Self.digits(UInt64(low), octets: 2)
  }

  /// Six octets of instance as hexadecimal digits; `nil` where there is none.
  package var instance: String? {
    guard case .uid(_, _, let instance) = self else { return nil }
    return Self.digits(instance, octets: 6)
  }

  /// Eight octets of a changing identity as hexadecimal digits; `nil` where there is none.
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
