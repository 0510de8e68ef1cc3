import NearbySchedule

extension AirTime {
  /// Nanoseconds of a time in RSTU, the ranging scheduling time unit: 416 chips of 499.2 MHz, so 1200 make a
  /// millisecond (IEEE 802.15.4z).
  static func nanoseconds(rstu: Int64) -> Int64 { rstu * 2500 / 3 }
}
