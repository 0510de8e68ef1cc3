import NearbyBluetooth
import NearbyOctets

extension BeaconFrame {
  /// The identity by which beacons are ranged and monitored; `nil` for Eddystone.
  package var identity: BeaconIdentity? {
    switch self {
    case .iBeacon(let beacon): beacon.identity
    case .altBeacon(let beacon): beacon.identity
    case .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEID: nil
    }
  }

  /// Power at 1 m in dBm; `nil` for telemetry.
  package var measuredPower: Int? {
    switch self {
    case .iBeacon(let beacon): Int(beacon.measuredPower)
    case .altBeacon(let beacon): Int(beacon.measuredPower)
    case .eddystoneUID(let uid): uid.measuredPower
    case .eddystoneURL(let url): url.measuredPower
    case .eddystoneEID(let id): Int(id.power) - Eddystone.firstMetre
    case .eddystoneTLM: nil
    }
  }

  /// Appends the AD structures that carry the frame, without Flags.
  package func write(to payload: inout [UInt8]) {
    switch self {
    case .iBeacon(let beacon): Self.append(beacon.manufacturerOctets, of: IBeacon.company, to: &payload)
    case .altBeacon(let beacon): Self.append(beacon.manufacturerOctets, of: beacon.company, to: &payload)
    case .eddystoneUID(let uid): Self.append(service: uid.serviceOctets, to: &payload)
    case .eddystoneURL(let url): Self.append(service: url.serviceOctets, to: &payload)
    case .eddystoneTLM(let telemetry): Self.append(service: telemetry.serviceOctets, to: &payload)
    case .eddystoneEID(let id): Self.append(service: id.serviceOctets, to: &payload)
    }
  }

  private static func append(_ octets: [UInt8], of company: UInt16, to payload: inout [UInt8]) {
    payload += [UInt8(octets.count + 3), AdvertisingStructures.Kind.manufacturerData]
    payload.append(littleEndian: company)
    payload += octets
  }

  private static func append(service octets: [UInt8], to payload: inout [UInt8]) {
    payload += [3, AdvertisingStructures.Kind.allServices16]
    payload.append(littleEndian: Eddystone.service)
    payload += [UInt8(octets.count + 3), AdvertisingStructures.Kind.serviceData16]
    payload.append(littleEndian: Eddystone.service)
    payload += octets
  }
}
