import NearbyBluetooth
import NearbySchedule

/// What one advertiser broadcasts repeatedly.
struct AdvertisingSet: Sendable {
  let device: Int
  /// The client that advertises; `nil` for a beacon.
  let client: Int?
  var content: AdvertisingContent
  var clock: AdvertisingClock
  /// Distinguishes the set's current events from those scheduled earlier.
  var epoch: Int
  /// Whether its next advertisement is in the queue.
  var isScheduled = false
  /// The devices to which nothing of this set is left to report, each with its interest's version then.
  var exhausted: [Int: Int] = [:]
}

/// An advertisement divided into the packets that carry it.
struct AdvertisingContent: Sendable {
  /// The fields in the advertising packet itself.
  var advertisement: Advertisement
  /// The fields including those of the scan response; equal to `advertisement` without a scan response.
  var complete: Advertisement
  var hasScanResponse: Bool
  /// The overflow bits of services that did not fit, or that an app in the background advertises.
  var overflow: UInt128 = 0

  /// The longest name that fits into a scan response, in octets: the structure has a header of two.
  private static let nameRoom = Advertisement.legacyPayload - 2

  /// Divides an advertisement into packets. The name moves to the scan response if necessary, and services
  /// that do not fit move to the overflow. Returns `nil` if the remaining fields are too long by
  /// themselves.
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

  /// Shortens a name by whole characters until it fits.
  private static func shortened(_ name: String) -> String {
    var result = name
    while result.utf8.count > nameRoom { result.removeLast() }
    return result
  }

  /// The advertisement of an app in the background: only its services, in the overflow; `nil` if it has
  /// none.
  static func inBackground(_ whole: Advertisement) -> AdvertisingContent? {
    var rest = Advertisement()
    rest.isConnectable = whole.isConnectable
    guard !whole.services.isEmpty, var content = AdvertisingContent(rest) else { return nil }
    content.overflow = whole.services.reduce(0) { $0 | bit(of: $1) }
    return content
  }

  /// The overflow bit of a service. Apple's hash function is not public; as with Apple's, two services may
  /// share a bit.
  static func bit(of service: BluetoothUUID) -> UInt128 {
    let mixed = SplitMix64.mixed(service.high ^ SplitMix64.mixed(service.low))
    return UInt128(1) << UInt128(mixed & 127)
  }
}
