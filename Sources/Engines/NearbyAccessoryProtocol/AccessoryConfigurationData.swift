import NearbyOctets

/// How often an accessory wishes to be measured.
package struct AccessoryUpdateRate: Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let automatic = Self(rawValue: 0)
  /// About 1.3 a second.
  package static let infrequent = Self(rawValue: 10)
  /// About 5.5 a second.
  package static let userInteractive = Self(rawValue: 20)
}

/// Who begins each round; the one who does is also the controller. Source: section 6.
package enum AccessoryRangingRole: UInt8, Hashable, Sendable, CaseIterable {
  /// The phone begins.
  case responder = 0
  /// The accessory begins.
  case initiator = 1
}

/// What an accessory tells a phone of itself.
///
/// Source: `facts/accessory-protocol.md`, sections 3, 4 and 7.
package struct AccessoryConfigurationData: Hashable, Sendable {
  /// Of the accessory protocol.
  package var version = AccessoryVersion.v1_0
  package var updateRate: AccessoryUpdateRate
  /// 10 octets, zero.
  package var reserved = [UInt8](repeating: 0, count: Self.reservedCount)
  package var uwb: AccessoryUWBData

  private static let reservedCount = 10
  /// Octets before the ultra-wideband part: version (4), update rate (1), reserved (10), length (1).
  private static let headerCount = 16

  package init(updateRate: AccessoryUpdateRate, uwb: AccessoryUWBData) {
    self.updateRate = updateRate
    self.uwb = uwb
  }

  /// Reads the octets; what follows them is passed over.
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

/// The ultra-wideband part of what an accessory tells of itself.
package struct AccessoryUWBData: Hashable, Sendable {
  /// What an accessory wishes of the schedule; the phone decides.
  package struct Wishes: Hashable, Sendable {
    package var reserved: UInt32 = 0
    /// 0 off, 1 on.
    package var hopping: UInt8 = 0
    /// At least 6.
    package var slotsPerRound: UInt16 = 25
    /// A multiple of 1200, which is 1 ms.
    package var slotDurationRSTU: UInt16 = 2400
    package var intervalMilliseconds: UInt16 = 200
    package init() {}
  }

  package let version: AccessoryVersion
  package var manufacturer: UInt32
  package var model: UInt32
  package var middleware: UInt32
  package var role: AccessoryRangingRole
  /// The accessory's short address: two octets as they travel, read little-endian.
  package var address: UInt16
  /// At most, parts per million. From 1.1 on; as written, 100 where it is not known.
  package var clockDriftPPM: UInt16
  /// From 2.0 on.
  package var wishes: Wishes?
  /// What a later minor version adds.
  package var extra: [UInt8] = []

  /// - Parameter wishes: Written from 2.0 on.
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

  /// 19 in 1.0, 21 from 1.1 on, 32 from 2.0 on.
  private static func count(_ version: AccessoryVersion) -> Int {
    version.hasSchedule ? 32 : version.hasClockDrift ? 21 : 19
  }

  init(parsing input: Span<UInt8>) throws(AccessoryProtocolError) {
    var input = AccessoryCursor(input)
    let length = input.left
    // The least any version has, so that a short one is told by its length whatever it holds.
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
