import NearbyBeacons
import NearbyBluetooth

/// One part of the cost of beacons, for timing and for counting.
enum BeaconPart: String, CaseIterable {
  case parse = "beacon-parse"
  case range = "beacon-range"
  case watch = "beacon-watch"

  func prepare() -> (Int) -> UInt64 {
    switch self {
    case .parse:
      let payloads = BeaconPayloads.all
      return { BeaconPayloads.parse(payloads, count: $0) }
    case .range:
      var load = RangingLoad(beacons: 100)
      return { load.packets($0) }
    case .watch:
      var monitor = RegionMonitor()
      _ = monitor.setListening(true, at: .zero)
      for number in 0..<UInt16(20) {
        let constraint = BeaconConstraint(uuid: RangingLoad.uuid, major: number)
        _ = monitor.add(MonitoredRegion(identifier: "r\(number)", constraint: constraint), at: .zero)
      }
      return { count in
        var sum = 0
        for index in 0..<count {
          let beacon = BeaconIdentity(uuid: RangingLoad.uuid, major: UInt16(index % 20), minor: 1)
          sum += monitor.sighted(beacon, at: .milliseconds(index)).count
        }
        return UInt64(sum)
      }
    }
  }
}

/// Advertising payloads as in a busy place: beacons of all formats, and two of five that are something else.
enum BeaconPayloads {
  static let all: [[UInt8]] = {
    var payloads: [[UInt8]] = []
    for number in 0..<UInt16(1000) {
      let identity = BeaconIdentity(uuid: RangingLoad.uuid, major: number, minor: number &* 7)
      let frame: BeaconFrame? =
        switch number % 10 {
        case 0, 1, 2: .iBeacon(IBeacon(identity: identity))
        case 3: .altBeacon(AltBeacon(company: 0x0118, identity: identity, measuredPower: -60))
        case 4:
          .eddystoneUID(
            Eddystone.UID(power: -18, namespaceHigh: 1, namespaceLow: number, instance: UInt64(number)))
        case 5:
          .eddystoneTLM(
            .plain(
              Eddystone.PlainTelemetry(
                batteryMillivolts: 3000, advertisements: UInt32(number), uptimeTenths: 5)))
        case _: nil
        }
      var payload: [UInt8] = [0x02, 0x01, 0x06]
      if let frame {
        frame.write(to: &payload)
      } else if number.isMultiple(of: 2) {
        payload += [0x07, 0xFF, 0x4C, 0x00, 0x10, 0x05, 0x5A, UInt8(truncatingIfNeeded: number)]
      } else {
        payload += [0x06, 0x09, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x02, 0x0A, 0x04]
      }
      payloads.append(payload)
    }
    return payloads
  }()

  @inline(__always)
  private static func first(_ payload: [UInt8]) throws(BeaconFrameError) -> BeaconFrame? {
    try BeaconFrame.first(in: payload.span)
  }

  /// A number from the beacon in a payload, or 0 if it has none.
  @inline(__always)
  private static func value(of payload: [UInt8]) -> UInt64 {
    switch try? first(payload) {
    case .iBeacon(let beacon)?: UInt64(beacon.identity.minor)
    case .altBeacon(let beacon)?: UInt64(beacon.identity.major)
    case .eddystoneUID(let uid)?: uid.instance
    case .eddystoneTLM?, .eddystoneURL?, .eddystoneEID?: 1
    case nil: 0
    }
  }

  /// Parses `count` payloads in search of beacons.
  static func parse(_ payloads: [[UInt8]], count: Int) -> UInt64 {
    var sum: UInt64 = 0
    var index = 0
    for _ in 0..<count {
      sum &+= value(of: payloads[index])
      index += 1
      if index == payloads.count { index = 0 }
    }
    return sum
  }
}

/// Many beacons, each received once per second, and their reports.
struct RangingLoad {
  static let uuid = BluetoothUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0)
  private var ranger = BeaconRanger()
  private let beacons: Int
  private var next = 0

  init(beacons: Int) {
    self.beacons = beacons
    ranger.start(BeaconConstraint(uuid: Self.uuid), at: .zero)
  }

  /// Feeds `count` packets to the ranger, spread over time as the beacons send them.
  mutating func packets(_ count: Int) -> UInt64 {
    var sum = 0
    for _ in 0..<count {
      let time = Duration.microseconds(Int64(next) * 1_000_000 / Int64(beacons))
      let index = next % beacons
      let identity = BeaconIdentity(
        uuid: Self.uuid, major: UInt16(index >> 8), minor: UInt16(index & 0xFF))
      ranger.received(
        BeaconSighting(
          identity: identity, source: BeaconSource(low: UInt64(index)), measuredPower: -59,
          rssi: -50 - (next &* 7 + index) % 40, time: time))
      if let due = ranger.nextReport, time >= due {
        for report in ranger.timePassed(at: time) { sum += report.beacons.count }
      }
      next += 1
    }
    return UInt64(sum)
  }
}
