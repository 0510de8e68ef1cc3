import NearbyBluetooth

/// A beacon's identity: its owner's UUID, and two numbers that the owner assigned.
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

/// Selects beacons: all with one UUID, those of one major, or a single one.
///
/// A minor without a major matches any major, which Apple's API cannot express.
package struct BeaconConstraint: Hashable, Comparable, Sendable {
  package let uuid: BluetoothUUID
  /// `nil` matches any.
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
