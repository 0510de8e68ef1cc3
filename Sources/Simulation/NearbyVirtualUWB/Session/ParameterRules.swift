import NearbyOctets
import NearbyUCI

/// Checks single application parameters before a chip accepts them.
struct ParameterRules: Sendable {
  let channels: [UInt8]
  let maximumControlees: Int
  let measuresAngles: Bool
  /// Whether RANGING_ROUND_USAGE 6 is accepted. google/pica and the hosts written for it use this value.
  let takesAngleUsage: Bool
  /// Whether the chip can be an anchor or a tag of DL-TDoA.
  let hasDownlinkTDoA: Bool

  /// The lengths in octets that an id allows; `nil` if the chip does not know the id.
  ///
  /// The length of addresses depends on other parameters and is only limited here.
  static func lengths(of id: UInt8) -> ClosedRange<Int>? {
    switch id {
    case 0x00...0x05, 0x0B...0x0E, 0x11...0x1C, 0x1E, 0x1F, 0x21...0x26, 0x29, 0x2C...0x2F, 0x31, 0x35...0x37,
      0x39, 0x3A, 0x3C...0x40, 0x42...0x44, 0x47, 0x49...0x4D, 0xE3...0xE8, 0xEA,
      ParameterID.downlinkNotification:
      1...1
    case ParameterID.deviceAddress: 2...8
    case ParameterID.destinationAddresses: 2...254
    case ParameterID.slotDuration, ParameterID.nearProximity, ParameterID.farProximity, 0x20,
      ParameterID.vendorID, ParameterID.maximumRoundRetries, ParameterID.maximumMeasurements, 0x3B:
      2...2
    case ParameterID.rangingDuration, 0x0A, ParameterID.subSessionID, 0x33, 0x34: 4...4
    case ParameterID.angleBounds: 8...8
    case ParameterID.staticSTSVector: 6...6
    case ParameterID.initiationTime: 4...8
    case 0x38: 1...9
    case 0x41: 1...13
    case ParameterID.initiatorRounds: 0...255
    case ParameterID.sessionKey, ParameterID.subSessionKey: 16...32
    case 0x48: 9...9
    // Android before 14 sends 4 octets, of which only the first counts.
    case ParameterID.diagnosticsFields: 1...4
    default: nil
    }
  }

  /// OK, or the reason for rejecting this value.
  func status(of parameter: UCITLV) -> UCIStatus {
    guard let lengths = Self.lengths(of: parameter.id) else { return .invalidParameter }
    guard lengths.contains(parameter.value.count) else { return .invalidParameter }
    switch parameter.id {
    case ParameterID.deviceAddress, ParameterID.initiationTime, ParameterID.diagnosticsFields:
      let isEnd = parameter.value.count == lengths.lowerBound || parameter.value.count == lengths.upperBound
      return isEnd ? .ok : .invalidParameter
    case ParameterID.sessionKey, ParameterID.subSessionKey:
      return parameter.value.count == 16 || parameter.value.count == 32 ? .ok : .invalidParameter
    case ParameterID.slotDuration, ParameterID.rangingDuration:
      return parameter.value.allSatisfy { $0 == 0 } ? .invalidRange : .ok
    case ParameterID.angleBounds: return Self.hasOrderedBounds(parameter.value) ? .ok : .invalidRange
    default: return parameter.value.count == 1 ? status(of: parameter.id, parameter.value[0]) : .ok
    }
  }

  private func status(of id: UInt8, _ value: UInt8) -> UCIStatus {
    if let mask = abilities(id) { return value < 64 && mask >> UInt64(value) & 1 != 0 ? .ok : .invalidRange }
    switch id {
    case ParameterID.channel: return channels.contains(value) ? .ok : .invalidRange
    case ParameterID.numberOfControlees:
      return value >= 1 && Int(value) <= maximumControlees ? .ok : .invalidRange
    case ParameterID.angleRequest:
      guard value <= 3 || value == 0xF0 else { return .invalidRange }
      return value == 0 || measuresAngles ? .ok : .notApplicable
    case ParameterID.preambleCode:
      return (9...12).contains(value) || (25...32).contains(value) ? .ok : .invalidRange
    case ParameterID.slotsPerRound: return value == 0 ? .invalidRange : .ok
    default:
      guard let largest = Self.largest(id) else { return .ok }
      return value <= largest ? .ok : .invalidRange
    }
  }

  /// The values that the capabilities allow, one bit for each; `nil` if no capability lists them.
  private func abilities(_ id: UInt8) -> UInt64? {
    switch id {
    case ParameterID.deviceRole:
      ChipAbilities.deviceRoles | (hasDownlinkTDoA ? ChipAbilities.downlinkRoles : 0)
    case ParameterID.rangingRoundUsage:
      ChipAbilities.rangingMethods | (takesAngleUsage ? 1 << 6 : 0)
        | (hasDownlinkTDoA ? ChipAbilities.downlinkMethods : 0)
    case ParameterID.stsConfiguration: ChipAbilities.stsConfigurations
    case ParameterID.multiNodeMode: ChipAbilities.multiNodeModes
    case ParameterID.timeStructure: ChipAbilities.timeStructures
    case ParameterID.scheduleMode: ChipAbilities.scheduleModes
    case ParameterID.rframeConfiguration: ChipAbilities.rframes
    default: nil
    }
  }

  /// The largest value of an enumerated parameter; `nil` if any value is allowed.
  private static func largest(_ id: UInt8) -> UInt8? {
    switch id {
    case ParameterID.deviceType, ParameterID.rssiReporting, ParameterID.preambleDuration, 0x0B,
      ParameterID.phrRate, ParameterID.suspendRounds, 0x23, ParameterID.transferStatusConfiguration,
      ParameterID.diagnostics:
      1
    case ParameterID.hoppingMode, ParameterID.prfMode, ParameterID.addressMode, ParameterID.stsLength:
      2
    case ParameterID.psduRate: 3
    case ParameterID.sfd, ParameterID.stsSegments: 4
    case ParameterID.notificationConfiguration: 7
    case ParameterID.resultReport: 0x0F
    default: nil
    }
  }

  private static func hasOrderedBounds(_ octets: [UInt8]) -> Bool {
    let bounds = AngleBounds(octets)
    return bounds.azimuth.0 <= bounds.azimuth.1 && bounds.elevation.0 <= bounds.elevation.1
  }
}

/// AOA_BOUND_CONFIG: the sector a peer has to be in, Q9.7 degrees.
struct AngleBounds: Sendable {
  var azimuth: (Int16, Int16)
  var elevation: (Int16, Int16)

  /// All directions.
  static let all = AngleBounds(azimuth: (-180 * 128, 180 * 128), elevation: (-90 * 128, 90 * 128))

  init(azimuth: (Int16, Int16), elevation: (Int16, Int16)) {
    self.azimuth = azimuth
    self.elevation = elevation
  }

  /// Parses AOA_BOUND_CONFIG.
  ///
  /// - Parameter octets: 8 octets, little-endian; missing ones count as 0.
  init(_ octets: some Collection<UInt8>) {
    let list = Array(octets)
    func number(_ index: Int) -> Int16 {
      index + 1 < list.count ? list.span.littleEndian(at: index) : 0
    }
    self.init(azimuth: (number(0), number(2)), elevation: (number(4), number(6)))
  }
}
