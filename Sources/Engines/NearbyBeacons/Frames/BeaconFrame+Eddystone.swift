extension BeaconFrame {
  /// - Parameter data: Range of the octets after the service UUID; not empty.
  static func eddystone(_ payload: Span<UInt8>, _ data: Range<Int>) throws(BeaconFrameError) -> BeaconFrame {
    let start = data.lowerBound
    switch payload[start] {
    case Eddystone.FrameType.uid: return try uid(payload, data)
    case Eddystone.FrameType.url: return try url(payload, data)
    case Eddystone.FrameType.telemetry: return try telemetry(payload, data)
    case Eddystone.FrameType.ephemeral:
      try check(data, .eddystoneEID, Eddystone.EphemeralID.size...Eddystone.EphemeralID.size)
      return .eddystoneEID(Eddystone.EphemeralID(payload, at: start))
    case let other: throw .unknownType(offset: start, found: other)
    }
  }

  private static func check(
    _ data: Range<Int>, _ format: BeaconFormat, _ allowed: ClosedRange<Int>
  ) throws(BeaconFrameError) {
    guard allowed.contains(data.count) else {
      throw .length(format, offset: data.lowerBound, found: data.count, allowed: allowed)
    }
  }

  private static func uid(_ payload: Span<UInt8>, _ data: Range<Int>) throws(BeaconFrameError) -> BeaconFrame
  {
    try check(data, .eddystoneUID, Eddystone.UID.size...Eddystone.UID.fullSize)
    // Either both reserved octets are present or neither. Any content is accepted, because it is reserved for
    // future use.
    guard data.count != Eddystone.UID.size + 1 else {
      throw .value(
        .eddystoneUID, .reserved, offset: data.upperBound - 1, found: payload[data.upperBound - 1])
    }
    return .eddystoneUID(Eddystone.UID(payload, at: data.lowerBound))
  }

  private static func url(_ payload: Span<UInt8>, _ data: Range<Int>) throws(BeaconFrameError) -> BeaconFrame
  {
    let start = data.lowerBound
    let header = EddystoneURL.headerSize
    try check(data, .eddystoneURL, header...header + EddystoneURL.maximumText)
    let scheme = payload[start + 2]
    guard scheme < 4 else { throw .value(.eddystoneURL, .scheme, offset: start + 2, found: scheme) }
    for index in start + header..<data.upperBound where !EddystoneURL.isLegal(payload[index]) {
      throw .value(.eddystoneURL, .text, offset: index, found: payload[index])
    }
    let power = Int8(bitPattern: payload[start + 1])
    let text = payload.extracting(start + header..<data.upperBound)
    return .eddystoneURL(EddystoneURL(power: power, scheme: scheme, text, from: 0))
  }

  private static func telemetry(
    _ payload: Span<UInt8>, _ data: Range<Int>
  ) throws(BeaconFrameError) -> BeaconFrame {
    let start = data.lowerBound
    let (plain, encrypted) = (Eddystone.Telemetry.plainSize, Eddystone.Telemetry.encryptedSize)
    guard data.count >= 2 else {
      throw .length(.eddystoneTLM, offset: start, found: data.count, allowed: plain...encrypted)
    }
    switch payload[start + 1] {
    case 0:
      try check(data, .eddystoneTLM, plain...plain)
      return .eddystoneTLM(.plain(payload, at: start))
    case 1:
      try check(data, .eddystoneTLM, encrypted...encrypted)
      return .eddystoneTLM(.encrypted(payload, at: start))
    case let version: throw .value(.eddystoneTLM, .version, offset: start + 1, found: version)
    }
  }
}
