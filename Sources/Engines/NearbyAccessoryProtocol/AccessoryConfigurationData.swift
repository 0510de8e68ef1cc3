import NearbyOctets

/// How often an accessory asks to be measured.
package struct AccessoryUpdateRate: Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let automatic = Self(rawValue: 0)
  /// About 1.3 times a second.
  package static let infrequent = Self(rawValue: 10)
  /// About 5.5 times a second.
  package static let userInteractive = Self(rawValue: 20)
}

/// Whether an accessory begins each round. The device that does is also the controller
/// (`Docs/accessory.md`).
package enum AccessoryRangingRole: UInt8, Hashable, Sendable, CaseIterable {
  /// The phone begins.
  case responder = 0
  /// The accessory begins.
  case initiator = 1
}

/// What an accessory sends to a phone to describe itself: *accessory configuration data*.
///
/// ```
/// offset  size  field
/// 0       2     accessory protocol, major version: 1
/// 2       2     minor version
/// 4       1     update rate
/// 5       10    reserved, zero
/// 15      1     length of the rest
/// 16            ultra-wideband part (`AccessoryUWBData`)
/// ```
/// All numbers are little-endian. The layout is what open implementations agree on (`Docs/accessory.md`).
package struct AccessoryConfigurationData: Hashable, Sendable {
  /// The version of the accessory protocol.
  package var version = AccessoryVersion.v1_0
  package var updateRate: AccessoryUpdateRate
  /// 10 octets, normally zero.
  package var reserved = [UInt8](repeating: 0, count: Self.reservedCount)
  package var uwb: AccessoryUWBData

  private static let reservedCount = 10
  private static let headerCount = 16

  package init(updateRate: AccessoryUpdateRate, uwb: AccessoryUWBData) {
    self.updateRate = updateRate
    self.uwb = uwb
  }

  /// Parses configuration data and ignores octets after it.
  ///
  /// - Throws: `truncated`; `unsupportedVersion`; `tooShort` or `outOfRange` for the ultra-wideband part.
  package init(parsing input: Span<UInt8>) throws(AccessoryProtocolError) {
    var input = AccessoryCursor(input)
    try input.require(Self.headerCount, .length)
    version = try input.takeVersion(.version)
    guard version.major == 1 else { throw .unsupportedVersion(.version, version) }
    updateRate = AccessoryUpdateRate(rawValue: try input.takeLittleEndian(.updateRate))
    reserved = try input.takeOctets(Self.reservedCount, .reserved)
    let length = Int(try input.takeUInt8(.length))
    try input.require(length, .length)
    uwb = try AccessoryUWBData(parsing: input.rest.extracting(first: length))
  }

  package init(_ octets: [UInt8]) throws(AccessoryProtocolError) { try self.init(parsing: octets.span) }

  package var octets: [UInt8] {
    var result: [UInt8] = []
    result.append(version)
    result.append(updateRate.rawValue)
    for index in 0..<Self.reservedCount { result.append(index < reserved.count ? reserved[index] : 0) }
    let inner = uwb.octets.prefix(255)
    result.append(UInt8(inner.count))
    result += inner
    return result
  }
}

/// The ultra-wideband part of an accessory's configuration data.
///
/// ```
/// offset  size  field
/// 0       2     major version: 1 or 2
/// 2       2     minor version
/// 4       4     manufacturer
/// 8       4     model
/// 12      4     middleware
/// 16      1     role: 0 responder, 1 initiator
/// 17      2     short address
/// 19      2     clock drift, ppm                            from 1.1 on
/// 21      4     reserved                                    from 2.0 on
/// 25      1     hopping: 0 off, 1 on                        from 2.0 on
/// 26      2     slots in each round                         from 2.0 on
/// 28      2     slot duration, RSTU                         from 2.0 on
/// 30      2     time from round to round, milliseconds      from 2.0 on
///               fields of later minor versions
/// ```
package struct AccessoryUWBData: Hashable, Sendable {
  /// The schedule that an accessory would prefer. The phone decides.
  package struct Wishes: Hashable, Sendable {
    package var reserved: UInt32 = 0
    /// 0 off, 1 on.
    package var hopping: UInt8 = 0
    /// At least 6.
    package var slotsPerRound: UInt16 = 25
    /// A multiple of 1200 RSTU, which are 1 ms.
    package var slotDurationRSTU: UInt16 = 2400
    package var intervalMilliseconds: UInt16 = 200
    package init() {}
  }

  package let version: AccessoryVersion
  package var manufacturer: UInt32
  package var model: UInt32
  package var middleware: UInt32
  package var role: AccessoryRangingRole
  /// The accessory's short address: two octets, little-endian on the wire.
  package var address: UInt16
  /// The largest clock drift, in parts per million. Present from 1.1 on; write 100 if it is unknown.
  package var clockDriftPPM: UInt16
  /// Present from 2.0 on.
  package var wishes: Wishes?
  /// Unknown octets that a later minor version adds.
  package var extra: [UInt8] = []

  /// Creates the part for a version.
  ///
  /// - Parameter wishes: Only used from 2.0 on.
  package init(
    version: AccessoryVersion, manufacturer: UInt32 = 0, model: UInt32 = 0, middleware: UInt32 = 0,
    role: AccessoryRangingRole, address: UInt16, clockDriftPPM: UInt16 = 100, wishes: Wishes = Wishes()
  ) {
    self.version = version
    self.manufacturer = manufacturer
    self.model = model
    self.middleware = middleware
    self.role = role
    self.address = address
    self.clockDriftPPM = clockDriftPPM
    self.wishes = version.hasSchedule ? wishes : nil
  }

  /// The length in octets: 19 in 1.0, 21 from 1.1 on, 32 from 2.0 on.
  private static func count(_ version: AccessoryVersion) -> Int {
    version.hasSchedule ? 32 : version.hasClockDrift ? 21 : 19
  }

  init(parsing input: Span<UInt8>) throws(AccessoryProtocolError) {
    var input = AccessoryCursor(input)
    let length = input.left
    // Check the shortest version's length first, so that data that is too short is reported as such
    // whatever it contains.
    guard length >= Self.count(.v1_0) else {
      throw .tooShort(.length, length: length, needed: Self.count(.v1_0))
    }
    version = try input.takeVersion(.uwbVersion)
    guard version.major == 1 || version.major == 2 else { throw .unsupportedVersion(.uwbVersion, version) }
    guard length >= Self.count(version) else {
      throw .tooShort(.length, length: length, needed: Self.count(version))
    }
    manufacturer = try input.takeLittleEndian(.manufacturer)
    model = try input.takeLittleEndian(.model)
    middleware = try input.takeLittleEndian(.middleware)
    let role = try input.takeUInt8(.role)
    guard let known = AccessoryRangingRole(rawValue: role) else { throw .outOfRange(.role, value: Int(role)) }
    self.role = known
    address = try input.takeLittleEndian(.address)
    clockDriftPPM = version.hasClockDrift ? try input.takeLittleEndian(.clockDrift) : 100
    wishes = version.hasSchedule ? try Wishes(parsing: &input) : nil
    extra = input.takeRest()
  }

  var octets: [UInt8] {
    var result: [UInt8] = []
    result.append(version)
    result.append(littleEndian: manufacturer)
    result.append(littleEndian: model)
    result.append(littleEndian: middleware)
    result.append(role.rawValue)
    result.append(littleEndian: address)
    if version.hasClockDrift { result.append(littleEndian: clockDriftPPM) }
    if version.hasSchedule { (wishes ?? Wishes()).write(to: &result) }
    return result + extra
  }
}

extension AccessoryUWBData.Wishes {
  fileprivate init(parsing input: inout AccessoryCursor) throws(AccessoryProtocolError) {
    self.init()
    reserved = try input.takeLittleEndian(.reserved)
    hopping = try input.takeLittleEndian(.hopping)
    slotsPerRound = try input.takeLittleEndian(.slotsPerRound)
    slotDurationRSTU = try input.takeLittleEndian(.slotDuration)
    intervalMilliseconds = try input.takeLittleEndian(.interval)
  }

  fileprivate func write(to output: inout [UInt8]) {
    output.append(littleEndian: reserved)
    output.append(hopping)
    output.append(littleEndian: slotsPerRound)
    output.append(littleEndian: slotDurationRSTU)
    output.append(littleEndian: intervalMilliseconds)
  }
}
