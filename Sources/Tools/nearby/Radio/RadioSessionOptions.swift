import NearbyCommandLine
import NearbyUCI

/// The session that the options of `nearby radio range` describe.
struct RadioSessionOptions {
  private static let role = CommandOption<UCIDeviceRole>.value(
    "role", "ROLE", "initiator (controller) or responder (controlee)",
    as: .choice(["initiator": .initiator, "responder": .responder]), default: "initiator")
  private static let address = CommandOption<UInt16>.value(
    "address", "ADDRESS", "Own short address", as: .sixteenBits, default: "0x0001")
  private static let peer = CommandOption<[UInt16]>.list(
    "peer", "ADDRESS", "A peer's short address; may be repeated", as: .sixteenBits)
  private static let oneToMany = CommandOption<Bool>.flag(
    "one-to-many", "Use one-to-many mode even with a single --peer, as its responders require")
  private static let session = CommandOption<UInt32>.value(
    "session", "ID", "Session id; must be the same on both sides", as: .sessionID, default: "42")
  // The HRP UWB channels that CHANNEL_NUMBER allows (FiRa UCI, APP configuration 0x04).
  private static let channel = CommandOption<UInt8>.value(
    "channel", "N", "UWB channel",
    as: .choice([5, 6, 8, 9, 10, 12, 13, 14].map { ("\($0)", $0) }), default: "9")
  // Preamble codes 1 to 32 of IEEE 802.15.4-2020, tables 15-6 and 15-7, and 15.2.6.2.
  private static let preamble = CommandOption<Int>.value(
    "preamble", "N", "Preamble code index", as: .integer(1...32), default: "10")
  private static let interval = CommandOption<Int>.value(
    "interval", "MS", "Milliseconds between rounds", as: .integer(1...3_600_000), default: "200")
  private static let slot = CommandOption<Int>.value(
    "slot", "RSTU", "Slot duration; 1200 is 1 ms", as: .integer(1...65_535), default: "2400")
  private static let slots = CommandOption<Int>.value(
    "slots", "N", "Slots per round", as: .integer(1...255), default: "25")
  private static let vendor = CommandOption<[UInt8]>.value(
    "vendor-id", "HEX", "Static STS: vendor id in wire order, 2 octets", as: .octets([2]), default: "0807")
  private static let iv = CommandOption<[UInt8]>.value(
    "iv", "HEX", "Static STS: initialisation vector, 6 octets", as: .octets([6]), default: "010203040506")
  private static let key = CommandOption<[UInt8]?>.optional(
    "key", "HEX", "Provisioned STS: session key, 16 or 32 octets", as: .octets([16, 32]))

  /// In the order of the help.
  static let all: [any DeclaredOption] = [
    role, address, peer, oneToMany, session, channel, preamble, interval, slot, slots, vendor, iv, key,
  ]

  /// Addresses in one multicast list of a controller: FiRa's NUMBER_OF_CONTROLEES is at most 8.
  private static let mostPeers = 8

  let request: UCISessionRequest

  init(_ arguments: CommandArguments) throws(UsageError) {
    let peers = try arguments[Self.peer]
    guard !peers.isEmpty else { throw .missing(Self.peer) }
    let isInitiator = try arguments[Self.role] == .initiator
    guard isInitiator || peers.count == 1 else {
      throw .conflict("a responder needs exactly one \(Self.peer), its initiator")
    }
    guard peers.count <= Self.mostPeers, Set(peers).count == peers.count else {
      throw .conflict("\(Self.peer): expected up to \(Self.mostPeers) different addresses")
    }
    let own = try arguments[Self.address]
    guard !peers.contains(own) else { throw .conflict("\(Self.peer) and \(Self.address) must differ") }
    let isOneToMany = try arguments[Self.oneToMany] || peers.count > 1
    var parameters: [UCIAppParameter] = [
      .macAddressMode(.short), .numberOfControlees(UInt8(clamping: peers.count)),
      .deviceType(isInitiator ? .controller : .controlee),
      .deviceRole(isInitiator ? .initiator : .responder),
      .multiNodeMode(isOneToMany ? .oneToMany : .unicast), .rangingRoundUsage(.doubleSidedDeferred),
      .scheduleMode(.timeScheduled), .deviceAddress(.short(own)),
      .destinationAddresses(peers.map { .short($0) }),
    ]
    parameters += try Self.timing(arguments) + Self.security(arguments)
    parameters += [
      // Result reports and control messages, in band (FiRa UCI, APP configuration 0x0C, bits 0 and 1).
      .rangingRoundControl(0x03), .angleRequest(.both),
      // Time of flight, azimuth, elevation and figure of merit (FiRa UCI, APP configuration 0x2E).
      .resultReportConfiguration(0x0F),
      .rssiReporting(1), .notificationConfiguration(.always),
    ]
    request = UCISessionRequest(sessionID: try arguments[Self.session], parameters: parameters)
  }

  private static func timing(_ arguments: CommandArguments) throws(UsageError) -> [UCIAppParameter] {
    let channel = try arguments[channel]
    let preamble = try arguments[preamble]
    let interval = try arguments[interval]
    let slot = try arguments[slot]
    let slots = try arguments[slots]
    return [
      .channel(UCIChannel(rawValue: channel)),
      .preambleCodeIndex(UInt8(clamping: preamble)),
      .rangingDuration(milliseconds: UInt32(clamping: interval)),
      .slotDuration(rstu: UInt16(clamping: slot)), .slotsPerRound(UInt8(clamping: slots)),
    ]
  }

  private static func security(_ arguments: CommandArguments) throws(UsageError) -> [UCIAppParameter] {
    if let key = try arguments[key] {
      return [.stsConfiguration(.provisioned), .sessionKey(key)]
    }
    let vendor = try arguments[vendor]
    let iv = try arguments[iv]
    return [
      .stsConfiguration(.fixed), .vendorID(UInt16(vendor[0]) | UInt16(vendor[1]) << 8), .staticSTSIV(iv),
    ]
  }
}

extension OptionReader where Value == UInt32 {
  /// A session's id: 32 bits, decimal or hexadecimal.
  static var sessionID: Self {
    Self(expected: "a session id from 0 to 4294967295, or 0x…") { text in
      NumberText.whole(text).flatMap(UInt32.init(exactly:))
    }
  }
}
