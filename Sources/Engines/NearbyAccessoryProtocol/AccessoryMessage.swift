import NearbyOctets

/// One message of the data channel between a phone's app and an accessory.
///
/// Octet 0 is the message's id, and the rest is its payload. A phone's app passes the payload to its system
/// without interpreting it. The ids follow the convention of Apple's sample app; `Docs/accessory.md` shows
/// the order of the messages.
package enum AccessoryMessage: Hashable, Sendable {
  // Accessory to phone.
  case configurationData([UInt8])
  case didStart
  case didStop
  // Phone to accessory.
  case initialize
  case configureAndStart([UInt8])
  case stop

  private enum ID {
    static let configurationData: UInt8 = 0x01
    static let didStart: UInt8 = 0x02
    static let didStop: UInt8 = 0x03
    static let initialize: UInt8 = 0x0A
    static let configureAndStart: UInt8 = 0x0B
    static let stop: UInt8 = 0x0C
  }

  /// Parses one message. Octets after a message without payload are ignored.
  ///
  /// - Throws: `truncated` for an empty message, `unknownMessage` for an unknown id.
  package init(parsing input: Span<UInt8>) throws(AccessoryProtocolError) {
    var input = AccessoryCursor(input)
    let id = try input.takeUInt8(.messageID)
    switch id {
    case ID.configurationData: self = .configurationData(input.takeRest())
    case ID.didStart: self = .didStart
    case ID.didStop: self = .didStop
    case ID.initialize: self = .initialize
    case ID.configureAndStart: self = .configureAndStart(input.takeRest())
    case ID.stop: self = .stop
    case _: throw .unknownMessage(id)
    }
  }

  package init(_ octets: [UInt8]) throws(AccessoryProtocolError) { try self.init(parsing: octets.span) }

  package var octets: [UInt8] {
    switch self {
    case .configurationData(let payload): [ID.configurationData] + payload
    case .didStart: [ID.didStart]
    case .didStop: [ID.didStop]
    case .initialize: [ID.initialize]
    case .configureAndStart(let payload): [ID.configureAndStart] + payload
    case .stop: [ID.stop]
    }
  }
}
