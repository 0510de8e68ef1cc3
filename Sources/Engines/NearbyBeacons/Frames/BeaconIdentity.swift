import NearbyBluetooth

/// Names a beacon: whose it is, and the two numbers that its owner gave it.
package struct BeaconIdentity: Hashable, Comparable, Sendable {
  package let uuid: BluetoothUUID
  package let major: UInt16
  package let minor: UInt16

  package init(uuid: BluetoothUUID, major: UInt16, minor: UInt16) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.uuid, left.major, left.minor) < (right.uuid, right.major, right.minor)
  }
}

extension BeaconIdentity: CustomStringConvertible {
  package var description: String { "\(uuid) \(major) \(minor)" }
}

/// Says which beacons are meant: those of one UUID, or of one major of it, or a single one.
///
/// A minor without a major stands for any major, which Apple's interface cannot say.
package struct BeaconConstraint: Hashable, Comparable, Sendable {
  package let uuid: BluetoothUUID
  /// `nil` is any.
  package let major: UInt16?
  package let minor: UInt16?

  package init(uuid: BluetoothUUID, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  package func isSatisfied(by beacon: BeaconIdentity) -> Bool {
    beacon.uuid == uuid && (major == nil || beacon.major == major) && (minor == nil || beacon.minor == minor)
  }

  package static func < (left: Self, right: Self) -> Bool {
    func order(_ one: Self) -> (BluetoothUUID, Int, Int) {
      (one.uuid, one.major.map { Int($0) } ?? -1, one.minor.map { Int($0) } ?? -1)
    }
    return order(left) < order(right)
  }
}
