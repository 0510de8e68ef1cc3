import NearbySchedule

extension AirTime {
  /// Converts RSTU to nanoseconds. The ranging scheduling time unit is 416 chips at 499.2 MHz, so that 1200
  /// RSTU are 1 ms (IEEE 802.15.4z).
  static func nanoseconds(rstu: Int64) -> Int64 { rstu * 2500 / 3 }
}
