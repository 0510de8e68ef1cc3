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
///             bits 1–2    size of the transmit timestamp: 0 is 40 bits, 1 is 64 bits
///             bits 3–4    size of the receive timestamp, likewise
///             bits 5–6    location: 0 none, 1 WGS-84, 2 relative
///             bits 7–10   number of active rounds
///             bits 11–15  reserved
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
    var transmitted: UInt8 { UInt8(control >> 1 & 3) }
    var received: UInt8 { UInt8(control >> 3 & 3) }
    var location: UInt8 { UInt8(control >> 5 & 3) }
    var roundCount: Int { Int(control >> 7 & 0x0F) }
  }

  /// Parses one measurement.
  ///
  /// - Throws: `truncated`; `unsupported` for the reserved sizes of timestamps and locations, after which
  ///   the length of the remaining fields is unknown.
  init(parsing input: inout UCICursor, usesExtendedAddress: Bool) throws(UCIError) {
    address = try input.takeAddress(isExtended: usesExtendedAddress, .measurement)
    status = try input.takeStatus()
    messageType = try input.takeUInt8(.messageType)
    let form = Form(control: try input.takeUInt16(.messageControl))
    hasCommonTimeBase = form.control & 1 != 0
    reservedControl = UInt8(form.control >> 11)
    blockIndex = try input.takeUInt16(.measurement)
    roundIndex = try input.takeUInt8(.measurement)
    nonLineOfSight = try input.takeUInt8(.measurement)
    azimuth = try input.takeAngle()
    elevation = try input.takeAngle()
    rssiHalfDecibels = try input.takeUInt8(.measurement)
    transmitted = try Timestamp(parsing: &input, size: form.transmitted)
    received = try Timestamp(parsing: &input, size: form.received)
    anchorClockOffsetQ6_10 = Int16(bitPattern: try input.takeUInt16(.measurement))
    clockOffsetQ6_10 = Int16(bitPattern: try input.takeUInt16(.measurement))
    initiatorReplyTime = try input.takeUInt32(.measurement)
    responderReplyTime = try input.takeUInt32(.measurement)
    timeOfFlight = try input.takeUInt16(.measurement)
    location = try Location(parsing: &input, form: form.location)
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
    location.write(to: &output)
    output.append(contentsOf: activeRounds.prefix(15))
  }

  /// The message control that describes this measurement's fields.
  private var control: UInt16 {
    let rounds = UInt16(Swift.min(activeRounds.count, 15))
    return (hasCommonTimeBase ? 1 : 0) | transmitted.size << 1 | received.size << 3 | location.form << 5
      | rounds << 7 | UInt16(reservedControl) << 11
  }
}

extension UCIDownlinkTDoAMeasurement.Timestamp {
  init(parsing input: inout UCICursor, size: UInt8) throws(UCIError) {
    switch size {
    case 0: self = .bits40(try input.takeUInt(octets: 5, .measurement))
    case 1: self = .bits64(try input.takeUInt64(.measurement))
    default: throw .unsupported(.messageControl, value: size)
    }
  }

  var size: UInt16 {
    switch self {
    case .bits40: 0
    case .bits64: 1
    }
  }

  func write(to output: inout [UInt8]) {
    switch self {
    case .bits40(let ticks): output.append(ticks, octets: 5)
    case .bits64(let ticks): output.append(littleEndian: ticks)
    }
  }
}

extension UCIDownlinkTDoAMeasurement.Location {
  /// Parses a location, a little-endian bit field.
  ///
  /// ```
  /// WGS-84    bits 0–32 latitude   bits 33–65 longitude   bits 66–95 altitude
  /// relative  bits 0–27 x          bits 28–55 y           bits 56–79 z
  /// ```
  init(parsing input: inout UCICursor, form: UInt8) throws(UCIError) {
    switch form {
    case 0: self = .none
    case 1:
      let low = try input.takeUInt64(.location)
      let high = UInt64(try input.takeUInt32(.location))
      self = .wgs84(
        latitudeQ9_24: low.signed(bits: 33), longitudeQ9_24: (low >> 33 | high << 31).signed(bits: 33),
        altitudeQ9_21: Int32(truncatingIfNeeded: (high >> 2).signed(bits: 30)))
    case 2:
      let low = try input.takeUInt64(.location)
      let high = UInt64(try input.takeUInt16(.location))
      self = .relative(
        x: Int32(truncatingIfNeeded: low.signed(bits: 28)),
        y: Int32(truncatingIfNeeded: (low >> 28).signed(bits: 28)),
        z: Int32(truncatingIfNeeded: (low >> 56 | high << 8).signed(bits: 24)))
    default: throw .unsupported(.location, value: form)
    }
  }

  var form: UInt16 {
    switch self {
    case .none: 0
    case .wgs84: 1
    case .relative: 2
    }
  }

  func write(to output: inout [UInt8]) {
    switch self {
    case .none: break
    case .wgs84(let latitude, let longitude, let altitude):
      let first = UInt64(bitPattern: latitude).low(bits: 33)
      let second = UInt64(bitPattern: longitude).low(bits: 33)
      let third = UInt64(bitPattern: Int64(altitude)).low(bits: 30)
      output.append(littleEndian: first | second << 33)
      output.append(second >> 31 | third << 2, octets: 4)
    case .relative(let x, let y, let z):
      let third = UInt64(bitPattern: Int64(z)).low(bits: 24)
      output.append(
        littleEndian: UInt64(bitPattern: Int64(x)).low(bits: 28)
          | UInt64(bitPattern: Int64(y)).low(bits: 28) << 28 | third << 56)
      output.append(third >> 8, octets: 2)
    }
  }
}

extension UInt64 {
  /// The low `bits` bits, 1 to 63.
  fileprivate func low(bits: Int) -> UInt64 { self & (1 << UInt64(bits) &- 1) }

  /// The low `bits` bits, 1 to 63, as a two's complement number.
  fileprivate func signed(bits: Int) -> Int64 {
    Int64(bitPattern: self << UInt64(64 - bits)) >> Int64(64 - bits)
  }
}
