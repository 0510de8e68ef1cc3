import NearbyOctets

/// What a phone's system makes for an accessory to take part: session, schedule, channel, key.
///
/// After reading, every value is one that a controller can be set to.
/// Source: `facts/accessory-protocol.md`, sections 5 and 6.
package struct ShareableConfigurationData: Hashable, Sendable {
  /// Of the ultra-wideband part; there is no outer version.
  package let version: AccessoryVersion
  /// Two letters as they travel, "US".
  package var country: [UInt8] = Array("US".utf8)
  package var sessionID: UInt32
  /// 9 to 12.
  package var preamble: UInt8 = 10
  package var channel: UInt8 = 9
  /// At least 6: control, three frames, two reports.
  package var slotsPerRound: UInt16 = 25
  /// 1200 are 1 ms; not 0.
  package var slotDurationRSTU: UInt16 = 2400
  /// From one round to the next; a round fits in.
  package var intervalMilliseconds: UInt16 = 200
  /// 0x03 time-scheduled, 0x06 contention-based.
  package var roundControl: UInt8 = 0x03
  /// 6 octets: behind Apple's vendor id the static STS's other half.
  package var initialVector: [UInt8]
  /// The phone's short address: two octets as they travel, read little-endian.
  package var phoneAddress: UInt16
  /// At most, parts per million. From 1.1 on.
  package var clockDriftPPM: UInt16 = 100
  /// From 2.0 on.
  package var reserved: UInt32 = 0
  /// From 2.0 on: 0 off, 1 on.
  package var hopping: UInt8 = 0
  /// What a later minor version adds.
  package var extra: [UInt8] = []

  /// Of the STS, as Bluetooth's and ultra-wideband's registries have it: `4C 00` as it travels.
  package static let appleVendorID: UInt16 = 0x004C
  package static let channels: [UInt8] = [5, 6, 8, 9, 10, 12, 13, 14]
  package static let leastSlots: UInt16 = 6
  package static let millisecondRSTU: UInt16 = 1200
  private static let initialVectorCount = 6

  /// - Parameter initialVector: 6 octets.
  package init(version: AccessoryVersion, sessionID: UInt32, initialVector: [UInt8], phoneAddress: UInt16) {
    precondition(initialVector.count == Self.initialVectorCount, "an IV of \(initialVector.count) octets")
    self.version = version
    self.sessionID = sessionID
    self.initialVector = initialVector
    self.phoneAddress = phoneAddress
  }

  /// What follows the length: 23 octets in 1.0, 25 from 1.1 on, 30 from 2.0 on.
  private static func count(_ version: AccessoryVersion) -> Int {
    version.hasSchedule ? 30 : version.hasClockDrift ? 25 : 23
  }

  /// Reads the octets; what follows them is passed over.
  package init(parsing input: Span<UInt8>) throws(AccessoryProtocolError) {
    var input = AccessoryCursor(input)
    version = try input.takeVersion(.version)
    guard version.major == 1 || version.major == 2 else { throw .unsupportedVersion(.version, version) }
    let length = Int(try input.takeUInt8(.length))
    guard length >= Self.count(version) else {
      throw .tooShort(.length, length: length, needed: Self.count(version))
    }
    try input.require(length, .length)
    input.truncate(to: length)
    country = try input.takeOctets(2, .country)
    sessionID = try input.takeLittleEndian(.sessionID)
    preamble = try input.takeLittleEndian(.preamble)
    channel = try input.takeLittleEndian(.channel)
    slotsPerRound = try input.takeLittleEndian(.slotsPerRound)
    slotDurationRSTU = try input.takeLittleEndian(.slotDuration)
    intervalMilliseconds = try input.takeLittleEndian(.interval)
    roundControl = try input.takeLittleEndian(.roundControl)
    initialVector = try input.takeOctets(Self.initialVectorCount, .initialVector)
    phoneAddress = try input.takeLittleEndian(.address)
    if version.hasClockDrift { clockDriftPPM = try input.takeLittleEndian(.clockDrift) }
    if version.hasSchedule {
      reserved = try input.takeLittleEndian(.reserved)
      hopping = try input.takeLittleEndian(.hopping)
    }
    extra = input.takeRest()
    try requireLegalValues()
  }

  package init(_ octets: [UInt8]) throws(AccessoryProtocolError) { try self.init(parsing: octets.span) }

  private func requireLegalValues() throws(AccessoryProtocolError) {
    func require(_ isLegal: Bool, _ field: AccessoryField, _ value: some FixedWidthInteger)
      throws(AccessoryProtocolError)
    { guard isLegal else { throw .outOfRange(field, value: Int(clamping: value)) } }
    try require((9...12).contains(preamble), .preamble, preamble)
    try require(Self.channels.contains(channel), .channel, channel)
    // A chip's parameter has one octet.
    try require((Self.leastSlots...255).contains(slotsPerRound), .slotsPerRound, slotsPerRound)
    try require(slotDurationRSTU > 0, .slotDuration, slotDurationRSTU)
    let round = UInt64(slotsPerRound) * UInt64(slotDurationRSTU)
    try require(
      round <= UInt64(intervalMilliseconds) * UInt64(Self.millisecondRSTU), .interval, intervalMilliseconds)
    try require(hopping <= 1, .hopping, hopping)
  }

  package var octets: [UInt8] {
    var body = Array(country.prefix(2))
    while body.count < 2 { body.append(0) }
    body.append(littleEndian: sessionID)
    body.append(preamble)
    body.append(channel)
    body.append(littleEndian: slotsPerRound)
    body.append(littleEndian: slotDurationRSTU)
    body.append(littleEndian: intervalMilliseconds)
    body.append(roundControl)
    body += initialVector
    body.append(littleEndian: phoneAddress)
    if version.hasClockDrift { body.append(littleEndian: clockDriftPPM) }
    if version.hasSchedule {
      body.append(littleEndian: reserved)
      body.append(hopping)
    }
    body += extra
    var result: [UInt8] = []
    result.append(version)
    result.append(UInt8(clamping: body.count))
    result += body.prefix(255)
    return result
  }
}
