import NearbyOctets

extension UCIPowerStatistics {
  init(parsing input: inout UCICursor) throws(UCIError) {
    idleMilliseconds = try input.takeUInt32(.statistics)
    transmitMilliseconds = try input.takeUInt32(.statistics)
    receiveMilliseconds = try input.takeUInt32(.statistics)
    wakes = try input.takeUInt32(.statistics)
  }

  func write(to output: inout [UInt8]) {
    for number in [idleMilliseconds, transmitMilliseconds, receiveMilliseconds, wakes] {
      output.append(littleEndian: number)
    }
  }
}

extension UCIRangeDiagnostics {
  /// Layout: token u32, sequence u32, count u8, then `count` × report.
  init(parsing input: inout UCICursor) throws(UCIError) {
    token = try input.takeToken()
    sequence = try input.takeUInt32(.sequence)
    reports = try input.takeList(atLeast: 4, .frameReport, UCIFrameReport.init(parsing:))
  }

  func write(to output: inout [UInt8]) {
    output.append(token)
    output.append(littleEndian: sequence)
    output.append(list: reports) { $1.write(to: &$0) }
  }
}

extension UCIFrameReport {
  /// Layout: message u8, action u8, antenna set u8, count u8, then `count` × (type u8, length u16, value).
  init(parsing input: inout UCICursor) throws(UCIError) {
    messageID = UCIFrameMessage(rawValue: try input.takeUInt8(.frameReport))
    action = try input.takeUInt8(.frameReport)
    antennaSet = try input.takeUInt8(.frameReport)
    let count = UInt16(try input.takeUInt8(.frameReport))
    fields = try input.takeArray(of: count, atLeast: 3, .frameReport) { (input) throws(UCIError) in
      let type = try input.takeUInt8(.frameReport)
      let length = Int(try input.takeUInt16(.frameReport))
      return UCIFrameField(type: type, try input.takeOctets(length, .frameReport))
    }
  }

  func write(to output: inout [UInt8]) {
    output.append(messageID.rawValue)
    output.append(action)
    output.append(antennaSet)
    output.append(list: fields) { output, field in
      let value = field.octets.prefix(Int(UInt16.max))
      output.append(field.type)
      output.append(littleEndian: UInt16(clamping: value.count))
      output += value
    }
  }
}

extension UCIFrameField {
  /// Interprets a field's value. A value whose length does not fit its type is kept as `other`.
  init(type: UInt8, _ octets: [UInt8]) {
    switch type {
    case 0: self = .rssi(octets)
    case 1 where octets.count.isMultiple(of: UCIFrameAngle.size):
      let starts = stride(from: 0, to: octets.count, by: UCIFrameAngle.size)
      self = .angles(starts.map { UCIFrameAngle(octets.span, at: $0) })
    default: self = .other(type: type, octets)
    }
  }

  var type: UInt8 {
    switch self {
    case .rssi: 0
    case .angles: 1
    case .other(let type, _): type
    }
  }

  var octets: [UInt8] {
    switch self {
    case .rssi(let octets), .other(_, let octets): octets
    case .angles(let angles): angles.flatMap(\.octets)
    }
  }
}

extension UCIFrameAngle {
  static let size = 8

  /// Layout: time difference u16, phase difference u16, angle s16, figure of merit u8, axis u8.
  ///
  /// - Parameter start: The first of the 8 octets, which the caller has checked to exist.
  init(_ octets: Span<UInt8>, at start: Int) {
    timeDifference = octets.littleEndian(at: start)
    phaseDifference = octets.littleEndian(at: start &+ 2)
    angle = UCIAngle(degreesQ9_7: octets.littleEndian(at: start &+ 4), figureOfMerit: octets[start &+ 6])
    axis = octets[start &+ 7]
  }

  var octets: [UInt8] {
    timeDifference.littleEndianOctets + phaseDifference.littleEndianOctets
      + angle.degreesQ9_7.littleEndianOctets + [angle.figureOfMerit, axis]
  }
}
