/// One who uses a device's Bluetooth: a central or a peripheral manager, a beacon scan, an accessory.
package struct BluetoothUser: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a user of Bluetooth is there for.
package enum BluetoothRole: Hashable, Sendable {
  /// Scans, and connects to peripherals.
  case central(restoring: String?)
  /// Advertises, and serves attributes.
  case peripheral(restoring: String?)
  /// Scans for the system, which then tells the app what the app may know: beacons. The app needs no permission
  /// for Bluetooth, and the scan goes on in the background as it is.
  case system
}

/// Another device, as this one knows it: random, the same for as long as the other is known here, and no
/// address. What `CBPeer.identifier` shows.
package struct BluetoothPeer: Hashable, Comparable, Sendable {
  /// The UUID's octets in the order they are written, as two halves.
  package let high: UInt64
  package let low: UInt64
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// Whether Bluetooth can be used. Raw values are `CBManagerState`'s.
package enum BluetoothState: Int, Sendable {
  case unknown = 0
  case resetting, unsupported, unauthorized, poweredOff, poweredOn
}

/// Whether the user lets the app use Bluetooth. Raw values are `CBManagerAuthorization`'s.
package enum BluetoothAuthorization: Int, Sendable {
  case notDetermined = 0
  case restricted, denied, allowedAlways
}

/// What is looked for. A second scan of one user replaces the first.
package struct BluetoothScan: Hashable, Sendable {
  /// Those that advertise one of these; `nil` is everybody.
  package var services: [BluetoothUUID]?
  /// Every advertisement is told, not the first of each advertiser only.
  package var allowsDuplicates: Bool
  package init(services: [BluetoothUUID]?, allowsDuplicates: Bool) {
    self.services = services
    self.allowsDuplicates = allowsDuplicates
  }
}

/// What is sent to whoever listens.
package struct BluetoothAdvertising: Hashable, Sendable {
  package var advertisement: Advertisement
  /// Between two advertisements; `nil` leaves it to the radio.
  package var interval: Duration?
  package init(_ advertisement: Advertisement, interval: Duration? = nil) {
    self.advertisement = advertisement
    self.interval = interval
  }
}

/// An advertisement that came in.
package struct BluetoothSighting: Hashable, Sendable {
  package var peer: BluetoothPeer
  package var advertisement: Advertisement
  /// dBm; never a value that means there is none.
  package var rssi: Int
  /// When it came, on the device's clock.
  package var time: Duration
  package init(peer: BluetoothPeer, advertisement: Advertisement, rssi: Int, time: Duration) {
    self.peer = peer
    self.advertisement = advertisement
    self.rssi = rssi
    self.time = time
  }
}

/// A read or write that a server's program has to answer.
package struct BluetoothRequestID: Hashable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
}

/// One of the writes that came together.
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
