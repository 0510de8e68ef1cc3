import NearbyOctets

/// What an observer of a device receives: measurements of its chip, and the true pose.
package enum WorldObservation: Equatable, Sendable {
  case range(ObservedRange)
  case pose(ObservedPose)
}

/// One range as a device's chip reported it.
package struct ObservedRange: Equatable, Sendable {
  /// The other device's name.
  package var object: String
  /// Measured and true range, metres.
  package var range: Double
  package var trueRange: Double
  /// True position of the other device, metres.
  package var place: SIMD3<Double>
  /// dBm.
  package var rssi: Double?
  package var isLineOfSight: Bool
  package var looksNonLineOfSight: Bool
  /// Degrees.
  package var azimuth: Double?
  package var elevation: Double?

  package init(
    object: String, range: Double, trueRange: Double, place: SIMD3<Double>, rssi: Double?,
    isLineOfSight: Bool, looksNonLineOfSight: Bool, azimuth: Double?, elevation: Double?
  ) {
    self.object = object
    self.range = range
    self.trueRange = trueRange
    self.place = place
    self.rssi = rssi
    self.isLineOfSight = isLineOfSight
    self.looksNonLineOfSight = looksNonLineOfSight
    self.azimuth = azimuth
    self.elevation = elevation
  }
}

/// A device's true pose in the world, and its pose in the camera's track while tracking runs.
package struct ObservedPose: Equatable, Sendable {
  /// Position, metres, and the quaternion x, y, z, w that rotates from the device's frame.
  package struct Placement: Equatable, Sendable {
    package var position: SIMD3<Double>
    package var attitude: SIMD4<Double>
    package init(position: SIMD3<Double>, attitude: SIMD4<Double>) {
      self.position = position
      self.attitude = attitude
    }
  }

  package var inWorld: Placement
  package var inTrack: Placement?
  package init(inWorld: Placement, inTrack: Placement?) {
    self.inWorld = inWorld
    self.inTrack = inTrack
  }
}

extension WorldObservation {
  func write(to octets: inout [UInt8]) {
    switch self {
    case .range(let range): range.write(to: &octets)
    case .pose(let pose):
      pose.inWorld.write(to: &octets)
      octets.append(optional: pose.inTrack) { $1.write(to: &$0) }
    }
  }

  init(range reader: inout WorldReader) throws(WorldProtocolError) {
    self = .range(try ObservedRange(&reader))
  }

  init(pose reader: inout WorldReader) throws(WorldProtocolError) {
    let inWorld = try ObservedPose.Placement(&reader)
    let inTrack = try reader.takeOptional("track") { (reader) throws(WorldProtocolError) in
      try ObservedPose.Placement(&reader)
    }
    self = .pose(ObservedPose(inWorld: inWorld, inTrack: inTrack))
  }
}

/// Layout: object (text), range (`f64`), true range (`f64`), position (3 `f64`), optional RSSI (`f64`), line
/// of sight (`u8`), looks blocked (`u8`), optional azimuth (`f64`), optional elevation (`f64`).
extension ObservedRange {
  func write(to octets: inout [UInt8]) {
    octets.append(text: object, maximum: DeviceHello.longestText)
    octets.append(number: range)
    octets.append(number: trueRange)
    octets.append(vector: place)
    octets.append(optional: rssi) { $0.append(number: $1) }
    octets.append(flag: isLineOfSight)
    octets.append(flag: looksNonLineOfSight)
    octets.append(optional: azimuth) { $0.append(number: $1) }
    octets.append(optional: elevation) { $0.append(number: $1) }
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    func number(
      _ field: String
    ) -> ((inout WorldReader) throws(WorldProtocolError) -> Double) {
      { (reader) throws(WorldProtocolError) in try reader.takeDouble(field) }
    }
    object = try reader.takeText("object", maximum: DeviceHello.longestText)
    range = try reader.takeDouble("range")
    trueRange = try reader.takeDouble("true range")
    place = try reader.takeVector("place")
    rssi = try reader.takeOptional("rssi", number("rssi"))
    isLineOfSight = try reader.takeBool("line of sight")
    looksNonLineOfSight = try reader.takeBool("looks blocked")
    azimuth = try reader.takeOptional("azimuth", number("azimuth"))
    elevation = try reader.takeOptional("elevation", number("elevation"))
  }
}

/// Layout: position (3 `f64`), attitude (4 `f64`).
extension ObservedPose.Placement {
  func write(to octets: inout [UInt8]) {
    octets.append(vector: position)
    octets.append(attitude: attitude)
  }

  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    position = try reader.takeVector("position")
    attitude = try reader.takeAttitude()
  }
}
