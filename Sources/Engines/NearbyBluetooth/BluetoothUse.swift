/// Identifies a user of a device's Bluetooth: a central or peripheral manager, a beacon scan or an
/// accessory.
package struct BluetoothUser: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a user of Bluetooth does.
package enum BluetoothRole: Hashable, Sendable {
  /// Scans, and connects to peripherals. `restoring` is the user's restoration name.
  case central(restoring: String?)
  /// Advertises, and serves attributes. `restoring` is the user's restoration name.
  case peripheral(restoring: String?)
  /// Scans on behalf of the system, which reports to the app only what the app may know, such as beacons.
  /// The app needs no Bluetooth permission, and the scan continues unchanged in the background.
  case system
}

/// Identifies another device. The value is random, not an address, and stays the same for as long as this
/// device knows the other. `CBPeer.identifier` shows it.
package struct BluetoothPeer: Hashable, Comparable, Sendable {
  /// The UUID's octets in written order, as two halves.
  package let high: UInt64
  package let low: UInt64
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// Whether Bluetooth can be used. The raw values are those of `CBManagerState`.
package enum BluetoothState: Int, Sendable {
  case unknown = 0
  case resetting, unsupported, unauthorized, poweredOff, poweredOn
}

/// Whether the person allows the app to use Bluetooth. The raw values are those of
/// `CBManagerAuthorization`.
package enum BluetoothAuthorization: Int, Sendable {
  case notDetermined = 0
  case restricted, denied, allowedAlways
}

/// A scan for advertisements. A user's second scan replaces the first.
package struct BluetoothScan: Hashable, Sendable {
  /// Report only advertisers of one of these services; `nil` reports all.
  package var services: [BluetoothUUID]?
  /// Whether every advertisement is reported, not only the first from each advertiser.
  package var allowsDuplicates: Bool
  package init(services: [BluetoothUUID]?, allowsDuplicates: Bool) {
    self.services = services
    self.allowsDuplicates = allowsDuplicates
  }
}

/// An advertisement to broadcast.
package struct BluetoothAdvertising: Hashable, Sendable {
  package var advertisement: Advertisement
  /// The time between two advertisements; `nil` lets the radio decide.
  package var interval: Duration?
  package init(_ advertisement: Advertisement, interval: Duration? = nil) {
    self.advertisement = advertisement
    self.interval = interval
  }
}

/// A received advertisement.
package struct BluetoothSighting: Hashable, Sendable {
  package var peer: BluetoothPeer
  package var advertisement: Advertisement
  /// The signal strength in dBm. Always a measured value, never a placeholder for "unknown".
  package var rssi: Int
  /// When it was received, on the device's clock.
  package var time: Duration
  package init(peer: BluetoothPeer, advertisement: Advertisement, rssi: Int, time: Duration) {
    self.peer = peer
    self.advertisement = advertisement
    self.rssi = rssi
    self.time = time
  }
}

/// Identifies a read or write that the server's program must answer.
package struct BluetoothRequestID: Hashable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
}

/// One of the writes in a `writeRequest`.
package struct BluetoothWrite: Hashable, Sendable {
  package var attribute: AttributeID
  package var offset: Int
  package var value: [UInt8]
  package init(attribute: AttributeID, offset: Int, value: [UInt8]) {
    self.attribute = attribute
    self.offset = offset
    self.value = value
  }
}
