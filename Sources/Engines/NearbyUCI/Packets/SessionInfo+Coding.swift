/// SESSION_INFO_NTF, both ways (section 4).
extension UCISessionInfo {
  /// Octets of the head with the count behind it.
  private static let headSize = 25

  /// Reads the payload of SESSION_INFO_NTF: one bounds check and one allocation for two-way measurements.
  ///
  /// Octets after the measurements are vendor's and kept.
  package init(parsing input: inout Span<UInt8>) throws(UCIError) {
    try input.require(Self.headSize, .header)
    sequence = input.uint32(at: 0)
    token = UCISessionToken(input.uint32(at: 4))
    rcrIndicator = input[8]
    intervalMilliseconds = input.uint32(at: 9)
    let type = input[13]
    let usesExtendedAddresses = input[15] != 0
    primarySessionID = input.uint32(at: 16)
    let count = Int(input[24])
    switch type {
    case 1:
      input = input.extracting(droppingFirst: Self.headSize)
      measurements = .twoWay(
        try Self.twoWay(count, &input, usesExtendedAddresses), usesExtendedAddresses: usesExtendedAddresses)
    case 2:
      input = input.extracting(droppingFirst: Self.headSize)
      measurements = .downlinkTDoA(
        try Self.downlinkTDoA(count, &input, usesExtendedAddresses),
        usesExtendedAddresses: usesExtendedAddresses)
    case 3:
      input = input.extracting(droppingFirst: Self.headSize)
      measurements = .oneWayAngle(
        try Self.oneWayAngle(count, &input, usesExtendedAddresses),
        usesExtendedAddresses: usesExtendedAddresses)
    default:
      input = input.extracting(droppingFirst: Self.headSize - 1)
      measurements = .unknown(
        type: type, usesExtendedAddresses: usesExtendedAddresses, payload: input.takeRest())
    }
    vendor = input.isEmpty ? [] : input.takeRest()
  }

  @inline(__always)
  private static func twoWay(
    _ count: Int, _ input: inout Span<UInt8>, _ isExtended: Bool
  ) throws(UCIError) -> [UCITwoWayMeasurement] {
    try input.require(count &* UCITwoWayMeasurement.size, .measurement)
    var result: [UCITwoWayMeasurement] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      result.append(
        UCITwoWayMeasurement(
          input, at: index &* UCITwoWayMeasurement.size, usesExtendedAddress: isExtended))
    }
    input = input.extracting(droppingFirst: count &* UCITwoWayMeasurement.size)
    return result
  }

  private static func oneWayAngle(
    _ count: Int, _ input: inout Span<UInt8>, _ isExtended: Bool
  ) throws(UCIError) -> [UCIOneWayAngleMeasurement] {
    try input.require(count * (isExtended ? 19 : 13), .measurement)
    var result: [UCIOneWayAngleMeasurement] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      result.append(try UCIOneWayAngleMeasurement(parsing: &input, usesExtendedAddress: isExtended))
    }
    return result
  }

  private static func downlinkTDoA(
    _ count: Int, _ input: inout Span<UInt8>, _ isExtended: Bool
  ) throws(UCIError) -> [UCIDownlinkTDoAMeasurement] {
    var result: [UCIDownlinkTDoAMeasurement] = []
    for _ in 0..<count {
      result.append(try UCIDownlinkTDoAMeasurement(parsing: &input, usesExtendedAddress: isExtended))
    }
    return result
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
      output.append(UInt8(clamping: list.count))
      for entry in list.prefix(255) { entry.write(to: &output, usesExtendedAddress: isExtended) }
    case .oneWayAngle(let list, let isExtended):
      output.append(UInt8(clamping: list.count))
      for entry in list.prefix(255) { entry.write(to: &output, usesExtendedAddress: isExtended) }
    case .downlinkTDoA(let list, let isExtended):
      output.append(UInt8(clamping: list.count))
      for entry in list.prefix(255) { entry.write(to: &output, usesExtendedAddress: isExtended) }
    case .unknown(_, _, let payload): output.append(contentsOf: payload)
    }
    output.append(contentsOf: vendor)
  }
}

extension UCIMeasurements {
  /// The ranging type of the wire.
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
  /// Octets of one measurement, with either address size.
  package static let size = 31

  /// Reads the 31 octets at `start`, which the caller has checked to be there.
  @inline(__always)
  init(_ input: Span<UInt8>, at start: Int, usesExtendedAddress: Bool) {
    var index = start
    if usesExtendedAddress {
      address = .extended(input.uint64(at: index))
      index &+= 8
    } else {
      address = .short(input.uint16(at: index))
      index &+= 2
    }
    status = UCIStatus(rawValue: input[index])
    nonLineOfSight = input[index &+ 1]
    distanceCentimetres = input.uint16(at: index &+ 2)
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
  init(parsing input: inout Span<UInt8>, usesExtendedAddress: Bool) throws(UCIError) {
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

extension Span where Element == UInt8 {
  mutating func takeAddress(isExtended: Bool, _ field: UCIField) throws(UCIError) -> UCIAddress {
    isExtended ? .extended(try takeUInt64(field)) : .short(try takeUInt16(field))
  }

  mutating func takeAngle() throws(UCIError) -> UCIAngle {
    try require(3, .measurement)
    let value = angle(at: 0)
    self = extracting(droppingFirst: 3)
    return value
  }

  @inline(__always)
  fileprivate func angle(at index: Int) -> UCIAngle {
    UCIAngle(degreesQ9_7: Int16(bitPattern: uint16(at: index)), figureOfMerit: self[index &+ 2])
  }
}

extension Array where Element == UInt8 {
  /// Appends an address in the size that the message says, cut or extended with zeros.
  mutating func append(_ address: UCIAddress, isExtended: Bool) {
    append(address.zeroExtended, octets: isExtended ? 8 : 2)
  }

  mutating func append(_ angle: UCIAngle) {
    append(littleEndian: angle.degreesQ9_7)
    append(angle.figureOfMerit)
  }
}
