import NearbyOctets

/// Parses and writes SESSION_INFO_NTF.
///
/// ```
/// offset  size  field
/// 0       4     sequence number
/// 4       4     session token
/// 8       1     RCR indicator
/// 9       4     interval, milliseconds
/// 13      1     ranging type: 1 two-way, 2 DL-TDoA, 3 OWR-AoA
/// 14      1     reserved
/// 15      1     address size: 0 is 2 octets, any other value 8 octets
/// 16      4     session id of the hybrid primary session (2.0), reserved in 1.x
/// 20      4     reserved
/// 24      1     number of measurements
/// 25            measurements, then a vendor's octets
/// ```
extension UCISessionInfo {
  /// The size of the fixed part, including the number of measurements.
  private static let headSize = 25

  /// Parses the payload of SESSION_INFO_NTF.
  ///
  /// Two-way measurements cost one bounds check and one allocation, without a cursor, because this notification
  /// arrives in every round. Octets after the measurements are kept as `vendor`.
  package init(parsing payload: Span<UInt8>) throws(UCIError) {
    guard payload.count >= Self.headSize else {
      throw .truncated(.header, needed: Self.headSize, left: payload.count)
    }
    sequence = payload.littleEndian(at: 0)
    token = UCISessionToken(payload.littleEndian(at: 4))
    rcrIndicator = payload[8]
    intervalMilliseconds = payload.littleEndian(at: 9)
    let type = payload[13]
    let isExtended = payload[15] != 0
    primarySessionID = payload.littleEndian(at: 16)
    if type == 1 {
      let count = Int(payload[Self.headSize - 1])
      measurements = .twoWay(try Self.twoWay(payload, count, isExtended), usesExtendedAddresses: isExtended)
      let end = Self.headSize &+ count &* UCITwoWayMeasurement.size
      vendor = payload.count == end ? [] : payload.extracting(droppingFirst: end).octets
    } else {
      // The count of the measurements is the list's own.
      var input = UCICursor(payload.extracting(droppingFirst: Self.headSize - 1), at: Self.headSize - 1)
      measurements = try Self.others(&input, type, isExtended)
      vendor = input.isEmpty ? [] : input.takeRest()
    }
  }

  @inline(__always)
  private static func twoWay(
    _ payload: Span<UInt8>, _ count: Int, _ isExtended: Bool
  ) throws(UCIError) -> [UCITwoWayMeasurement] {
    let needed = count &* UCITwoWayMeasurement.size
    guard payload.count &- headSize >= needed else {
      throw .truncated(.measurement, needed: needed, left: payload.count &- headSize)
    }
    var result: [UCITwoWayMeasurement] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      result.append(
        UCITwoWayMeasurement(
          payload, at: headSize &+ index &* UCITwoWayMeasurement.size, usesExtendedAddress: isExtended))
    }
    return result
  }

  private static func others(
    _ input: inout UCICursor, _ type: UInt8, _ isExtended: Bool
  ) throws(UCIError) -> UCIMeasurements {
    switch type {
    case 2:
      .downlinkTDoA(
        try input.takeList(atLeast: 0, .measurement) { (input) throws(UCIError) in
          try UCIDownlinkTDoAMeasurement(parsing: &input, usesExtendedAddress: isExtended)
        }, usesExtendedAddresses: isExtended)
    case 3:
      .oneWayAngle(
        try input.takeList(atLeast: isExtended ? 19 : 13, .measurement) { (input) throws(UCIError) in
          try UCIOneWayAngleMeasurement(parsing: &input, usesExtendedAddress: isExtended)
        }, usesExtendedAddresses: isExtended)
    default: .unknown(type: type, usesExtendedAddresses: isExtended, payload: input.takeRest())
    }
  }

  /// Appends the payload of SESSION_INFO_NTF. Measurements past 255 are left out.
  package func write(to output: inout [UInt8]) {
    output.append(littleEndian: sequence)
    output.append(token)
    output.append(rcrIndicator)
    output.append(littleEndian: intervalMilliseconds)
    output.append(measurements.type)
    output.append(0)
    output.append(measurements.usesExtendedAddresses ? 1 : 0)
    output.append(littleEndian: primarySessionID)
    output.append(littleEndian: UInt32(0))
    switch measurements {
    case .twoWay(let list, let isExtended):
      output.append(list: list) { $1.write(to: &$0, usesExtendedAddress: isExtended) }
    case .oneWayAngle(let list, let isExtended):
      output.append(list: list) { $1.write(to: &$0, usesExtendedAddress: isExtended) }
    case .downlinkTDoA(let list, let isExtended):
      output.append(list: list) { $1.write(to: &$0, usesExtendedAddress: isExtended) }
    case .unknown(_, _, let payload): output.append(contentsOf: payload)
    }
    output.append(contentsOf: vendor)
  }
}

extension UCIMeasurements {
  /// The ranging type on the wire.
  package var type: UInt8 {
    switch self {
    case .twoWay: 1
    case .downlinkTDoA: 2
    case .oneWayAngle: 3
    case .unknown(let type, _, _): type
    }
  }

  package var usesExtendedAddresses: Bool {
    switch self {
    case .twoWay(_, let isExtended), .oneWayAngle(_, let isExtended), .downlinkTDoA(_, let isExtended),
      .unknown(_, let isExtended, _):
      isExtended
    }
  }
}

extension UCITwoWayMeasurement {
  /// The size of one measurement in octets, for both address sizes.
  package static let size = 31

  /// Parses one measurement.
  ///
  /// ```
  /// size     field
  /// 2 or 8   address
  /// 1        status
  /// 1        non-line-of-sight indicator
  /// 2        distance, centimetres
  /// 3        azimuth: s16 in Q9.7 degrees, figure of merit u8
  /// 3        elevation, likewise
  /// 3        destination azimuth, likewise
  /// 3        destination elevation, likewise
  /// 1        slot index
  /// 1        RSSI
  /// 11 or 5  reserved, so that the measurement has 31 octets
  /// ```
  /// - Parameter start: The first of the 31 octets, which the caller has checked to exist.
  @inline(__always)
  init(_ input: Span<UInt8>, at start: Int, usesExtendedAddress: Bool) {
    var index = start
    if usesExtendedAddress {
      address = .extended(input.littleEndian(at: index))
      index &+= 8
    } else {
      address = .short(input.littleEndian(at: index))
      index &+= 2
    }
    status = UCIStatus(rawValue: input[index])
    nonLineOfSight = input[index &+ 1]
    distanceCentimetres = input.littleEndian(at: index &+ 2)
    azimuth = input.angle(at: index &+ 4)
    elevation = input.angle(at: index &+ 7)
    destinationAzimuth = input.angle(at: index &+ 10)
    destinationElevation = input.angle(at: index &+ 13)
    slotIndex = input[index &+ 16]
    rssiHalfDecibels = input[index &+ 17]
  }

  func write(to output: inout [UInt8], usesExtendedAddress: Bool) {
    output.append(address, isExtended: usesExtendedAddress)
    output.append(status.rawValue)
    output.append(nonLineOfSight)
    output.append(littleEndian: distanceCentimetres)
    for angle in [azimuth, elevation, destinationAzimuth, destinationElevation] { output.append(angle) }
    output.append(slotIndex)
    output.append(rssiHalfDecibels)
    output.append(contentsOf: repeatElement(0, count: usesExtendedAddress ? 5 : 11))
  }
}

extension UCIOneWayAngleMeasurement {
  /// Layout: address of 2 or 8 octets, status u8, non-line-of-sight indicator u8, frame sequence number u8,
  /// block index u16, azimuth (s16, u8), elevation (s16, u8).
  init(parsing input: inout UCICursor, usesExtendedAddress: Bool) throws(UCIError) {
    address = try input.takeAddress(isExtended: usesExtendedAddress, .measurement)
    status = try input.takeStatus()
    nonLineOfSight = try input.takeUInt8(.measurement)
    frameSequence = try input.takeUInt8(.measurement)
    blockIndex = try input.takeUInt16(.measurement)
    azimuth = try input.takeAngle()
    elevation = try input.takeAngle()
  }

  func write(to output: inout [UInt8], usesExtendedAddress: Bool) {
    output.append(address, isExtended: usesExtendedAddress)
    output.append(status.rawValue)
    output.append(nonLineOfSight)
    output.append(frameSequence)
    output.append(littleEndian: blockIndex)
    output.append(azimuth)
    output.append(elevation)
  }
}

extension UCICursor {
  mutating func takeAngle() throws(UCIError) -> UCIAngle {
    try require(3, .measurement)
    defer { skip(3) }
    return rest.angle(at: 0)
  }
}

extension Span where Element == UInt8 {
  /// Parses an angle from the 3 octets at `index`, which the caller has checked to exist.
  @inline(__always)
  fileprivate func angle(at index: Int) -> UCIAngle {
    UCIAngle(degreesQ9_7: littleEndian(at: index), figureOfMerit: self[index &+ 2])
  }
}

extension Array where Element == UInt8 {
  mutating func append(_ angle: UCIAngle) {
    append(littleEndian: angle.degreesQ9_7)
    append(angle.figureOfMerit)
  }
}
