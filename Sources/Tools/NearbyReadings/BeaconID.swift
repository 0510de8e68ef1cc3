import NearbyBeacons

/// The ids under which beacons are reported, which are those of ESPresense where it has some.
package enum BeaconID {
  /// The id and the power at 1 m, dBm; `nil` for frames that don't identify their sender.
  package static func text(_ frame: BeaconFrame) -> (id: String, power: Double?)? {
    switch frame {
    case .iBeacon(let beacon): ("iBeacon:" + text(beacon.identity), Double(beacon.measuredPower))
    case .altBeacon(let beacon): ("altBeacon:" + text(beacon.identity), Double(beacon.measuredPower))
    // Eddystone states the power at 0 m; a metre weakens it by 41 dB (Eddystone protocol specification, "Tx Power").
    case .eddystoneUID(let uid):
      (
        "eddystone:" + hex(uid.namespaceHigh, 16) + hex(UInt64(uid.namespaceLow), 4) + "-"
          + hex(uid.instance, 12),
        Double(uid.power) - 41
      )
    case .eddystoneURL, .eddystoneTLM, .eddystoneEID: nil
    }
  }

  private static func text(_ identity: BeaconIdentity) -> String {
    "\(identity.uuid)".lowercased() + "-\(identity.major)-\(identity.minor)"
  }

  private static func hex(_ value: UInt64, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }
}
