import NearbyOctets

/// What a phone's system creates for an accessory so that it can take part in ranging: session, schedule,
/// channel and key.
///
/// ```
/// offset  size  field
/// 0       2     major version: 1 or 2
/// 2       2     minor version
/// 4       1     length of the rest
/// 5       2     country, two letters
/// 7       4     session id
/// 11      1     preamble code index
/// 12      1     channel
/// 13      2     slots in each round
/// 15      2     slot duration, RSTU
/// 17      2     time from round to round, milliseconds
/// 19      1     round control
/// 20      6     initialisation vector of the static STS
/// 26      2     the phone's short address
/// 28      2     clock drift, ppm                       from 1.1 on
/// 30      4     reserved                               from 2.0 on
/// 34      1     hopping: 0 off, 1 on                   from 2.0 on
///               fields of later minor versions
/// ```
/// All numbers are little-endian. The layout is what open implementations agree on (`Docs/accessory.md`).
/// After parsing, every value is one to which a controller can be set.
package struct ShareableConfigurationData: Hashable, Sendable {
  /// The version of the ultra-wideband part. The accessory protocol's own version is not contained.
  package let version: AccessoryVersion
  /// Two ASCII letters, such as "US".
  package var country: [UInt8] = Array("US".utf8)
  package var sessionID: UInt32
  /// 9 to 12.
  package var preamble: UInt8 = 10
  package var channel: UInt8 = 9
  /// 6 to 255: a control message, three frames and two reports need 6.
  package var slotsPerRound: UInt16 = 25
  /// 1200 RSTU are 1 ms; must not be 0.
  package var slotDurationRSTU: UInt16 = 2400
  /// The time from one round to the next, at least as long as a round.
  package var intervalMilliseconds: UInt16 = 200
  /// 0x03 time-scheduled, 0x06 contention-based.
  package var roundControl: UInt8 = 0x03
  /// The 6 octets that determine the static STS together with Apple's vendor id.
  package var initialVector: [UInt8]
  /// The phone's short address: two octets, little-endian on the wire.
  package var phoneAddress: UInt16
  /// The largest clock drift, in parts per million. Present from 1.1 on.
  package var clockDriftPPM: UInt16 = 100
  /// Present from 2.0 on.
  package var reserved: UInt32 = 0
  /// 0 off, 1 on. Present from 2.0 on.
  package var hopping: UInt8 = 0
  /// Unknown octets that a later minor version adds.
  package var extra: [UInt8] = []

  /// Apple's vendor id in the STS, the same as its Bluetooth company identifier; `4C 00` on the wire.
  package static let appleVendorID: UInt16 = 0x004C
  package static let channels: [UInt8] = [5, 6, 8, 9, 10, 12, 13, 14]
  package static let leastSlots: UInt16 = 6
  package static let millisecondRSTU: UInt16 = 1200
  private static let initialVectorCount = 6

  /// Creates data with the default schedule and channel.
  ///
  /// - Parameter initialVector: 6 octets; any other count traps.
  package init(version: AccessoryVersion, sessionID: UInt32, initialVector: [UInt8], phoneAddress: UInt16) {
    precondition(
      initialVector.count == Self.initialVectorCount,
      "the IV must have 6 octets, not \(initialVector.count)")
    self.version = version
    self.sessionID = sessionID
    self.initialVector = initialVector
    self.phoneAddress = phoneAddress
  }

  /// The smallest value of the length field: 23 octets in 1.0, 25 from 1.1 on, 30 from 2.0 on.
  private static func count(_ version: AccessoryVersion) -> Int {
    version.hasSchedule ? 30 : version.hasClockDrift ? 25 : 23
  }

  /// Parses shareable configuration data and ignores octets after it.
  ///
  /// - Throws: `truncated`; `unsupportedVersion`; `tooShort`; `outOfRange` for a value that no controller
  ///   accepts.
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
    // SLOTS_PER_RR of a chip has one octet.
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
