import NearbyBluetooth
import NearbySchedule

/// What one advertiser sends again and again.
struct AdvertisingSet: Sendable {
  let device: Int
  /// Whose it is; `nil` for a plain beacon's.
  let client: Int?
  var content: AdvertisingContent
  var clock: AdvertisingClock
  /// Told apart from what this set sent before.
  var epoch: Int
  /// Its next advertisement stands in the queue.
  var isScheduled = false
}

/// An advertisement as it fits into packets.
struct AdvertisingContent: Sendable {
  /// What everybody hears.
  var advertisement: Advertisement
  /// With what a scan response adds; the same where there is none.
  var complete: Advertisement
  var hasScanResponse: Bool
  /// Bits of services that there was no room for, or that an app in the background has.
  var overflow: UInt128 = 0

  /// Octets of a name that fit into a scan response: its structure has two more.
  private static let nameRoom = Advertisement.legacyPayload - 2

  /// Spreads an advertisement over packets: the name goes into the scan response where it must, services that
  /// find no room into the overflow. `nil` where the rest by itself is too long.
  init?(_ whole: Advertisement) {
    var first = whole
    first.name = nil
    if first.flags == nil, whole.isConnectable { first.flags = 0x06 }
    var overflow: UInt128 = 0
    while first.payload.count > Advertisement.legacyPayload, let service = first.services.popLast() {
      overflow |= Self.bit(of: service)
    }
    guard first.payload.count <= Advertisement.legacyPayload else { return nil }
    var all = first
    if let name = whole.name { all.name = Self.shortened(name) }
    if all.payload.count <= Advertisement.legacyPayload { first = all }
    advertisement = first
    complete = all
    hasScanResponse = first.name != all.name
    self.overflow = overflow
  }

  /// As many whole characters as fit.
  private static func shortened(_ name: String) -> String {
    var result = name
    while result.utf8.count > nameRoom { result.removeLast() }
    return result
  }

  /// What is left of an advertisement while its app is in the background: services, in the overflow.
  static func inBackground(_ whole: Advertisement) -> AdvertisingContent? {
    var rest = Advertisement()
    rest.isConnectable = whole.isConnectable
    guard !whole.services.isEmpty, var content = AdvertisingContent(rest) else { return nil }
    content.overflow = whole.services.reduce(0) { $0 | bit(of: $1) }
    return content
  }

  /// Apple's function is not known; this one, like Apple's, lets two services share a bit.
  static func bit(of service: BluetoothUUID) -> UInt128 {
    let mixed = SplitMix64.mixed(service.high ^ SplitMix64.mixed(service.low))
    return UInt128(1) << UInt128(mixed & 127)
  }
}
