import NearbyOctets

/// Parses and writes DL-TDoA measurements.
///
/// ```
/// size     field
/// 2 or 8   address
/// 1        status
/// 1        message type
/// 2        message control
///             bit 0       common time base
///             bit 1       size of the transmit timestamp: 0 is 40 bits, 1 is 64 bits
///             bit 3       size of the receive timestamp, likewise
///             bits 5–6    location: 0 none, 1 WGS-84, 2 relative
///             bits 7–10   number of active rounds
///             others      reserved; AOSP's own test vector has bit 4 set and a timestamp of 40 bits
/// 2        block index
/// 1        round index
/// 1        non-line-of-sight indicator
/// 3        azimuth: s16 in Q9.7 degrees, figure of merit u8
/// 3        elevation, likewise
/// 1        RSSI
/// 5 or 8   transmit timestamp
/// 5 or 8   receive timestamp
/// 2        clock offset of the anchor to the common time base
/// 2        clock offset of the anchor to the tag
/// 4        initiator's reply time
/// 4        responder's reply time
/// 2        time of flight
/// 0 to 12  location
/// 0 to 15  indexes of the active rounds
/// ```
extension UCIDownlinkTDoAMeasurement {
  /// The message control, whose bits give the sizes of the fields after it.
  private struct Form {
    var control: UInt16
    var hasLongTransmitted: Bool { control & 2 != 0 }
    var hasLongReceived: Bool { control & 8 != 0 }
    var location: UInt8 { UInt8(control >> 5 & 3) }
    var roundCount: Int { Int(control >> 7 & 0x0F) }
  }

  /// Parses one measurement.
  ///
  /// - Throws: `truncated`; `unsupported` for the reserved form of locations, whose length is unknown.
  init(parsing input: inout UCICursor, usesExtendedAddress: Bool) throws(UCIError) {
    address = try input.takeAddress(isExtended: usesExtendedAddress, .measurement)
    status = try input.takeStatus()
    messageType = try input.takeUInt8(.messageType)
    let form = Form(control: try input.takeUInt16(.messageControl))
    hasCommonTimeBase = form.control & 1 != 0
    reservedControl = form.control & Self.reservedBits
    blockIndex = try input.takeUInt16(.measurement)
    roundIndex = try input.takeUInt8(.measurement)
    nonLineOfSight = try input.takeUInt8(.measurement)
    azimuth = try input.takeAngle()
    elevation = try input.takeAngle()
    rssiHalfDecibels = try input.takeUInt8(.measurement)
    transmitted = try Timestamp(parsing: &input, isLong: form.hasLongTransmitted)
    received = try Timestamp(parsing: &input, isLong: form.hasLongReceived)
    anchorClockOffsetQ6_10 = Int16(bitPattern: try input.takeUInt16(.measurement))
    clockOffsetQ6_10 = Int16(bitPattern: try input.takeUInt16(.measurement))
    initiatorReplyTime = try input.takeUInt32(.measurement)
    responderReplyTime = try input.takeUInt32(.measurement)
    timeOfFlight = try input.takeUInt16(.measurement)
    location =
      switch form.location {
      case 0: nil
      case 1, 2: try UCIAnchorLocation(parsing: &input, isRelative: form.location == 2)
      default: throw .unsupported(.location, value: form.location)
      }
    activeRounds = try input.takeOctets(form.roundCount, .roundIndex)
  }

  func write(to output: inout [UInt8], usesExtendedAddress: Bool) {
    output.append(address, isExtended: usesExtendedAddress)
    output.append(status.rawValue)
    output.append(messageType)
    output.append(littleEndian: control)
    output.append(littleEndian: blockIndex)
    output.append(roundIndex)
    output.append(nonLineOfSight)
    output.append(azimuth)
    output.append(elevation)
    output.append(rssiHalfDecibels)
    transmitted.write(to: &output)
    received.write(to: &output)
    output.append(littleEndian: anchorClockOffsetQ6_10)
    output.append(littleEndian: clockOffsetQ6_10)
    output.append(littleEndian: initiatorReplyTime)
    output.append(littleEndian: responderReplyTime)
    output.append(littleEndian: timeOfFlight)
    output.append(contentsOf: location?.octets ?? [])
    output.append(contentsOf: activeRounds.prefix(15))
  }

  /// The message control that describes this measurement's fields.
  private var control: UInt16 {
    let rounds = UInt16(Swift.min(activeRounds.count, 15))
    let form: UInt16 = location.map { $0.isRelative ? 2 : 1 } ?? 0
    return (hasCommonTimeBase ? 1 : 0) | (transmitted.isLong ? 2 : 0) | (received.isLong ? 8 : 0) | form << 5
      | rounds << 7 | reservedControl & Self.reservedBits
  }
}

extension UCIDownlinkTDoAMeasurement.Timestamp {
  init(parsing input: inout UCICursor, isLong: Bool) throws(UCIError) {
    self =
      isLong
      ? .bits64(try input.takeUInt64(.measurement)) : .bits40(try input.takeUInt(octets: 5, .measurement))
  }

  var isLong: Bool {
    switch self {
    case .bits40: false
    case .bits64: true
    }
  }

  func write(to output: inout [UInt8]) {
    switch self {
    case .bits40(let ticks): output.append(ticks, octets: 5)
    case .bits64(let ticks): output.append(littleEndian: ticks)
    }
  }
}
