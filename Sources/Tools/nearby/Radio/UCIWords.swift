import NearbyUCI

extension UCIHostFailure {
  /// Describes the failure in the specification's terms.
  var sentence: String {
    switch self {
    case .timedOut(let group, let opcode): "no answer to \(UCIWords.command(group, opcode))"
    case .lost: "the chip was reset"
    case .refused(let group, let opcode, let status, let parameters):
      "it refused \(UCIWords.command(group, opcode)) with \(status)"
        + (parameters.isEmpty ? "" : ": " + UCIWords.list(parameters))
    }
  }
}

/// The specification's names for numbers on the wire.
enum UCIWords {
  private static let commands: [(UInt8, UInt8, String)] = [
    (0, 0x00, "DEVICE_RESET"), (0, 0x02, "GET_DEVICE_INFO"), (0, 0x03, "GET_CAPS_INFO"),
    (0, 0x04, "SET_CONFIG"), (0, 0x05, "GET_CONFIG"), (1, 0x00, "SESSION_INIT"),
    (1, 0x01, "SESSION_DEINIT"), (1, 0x03, "SET_APP_CONFIG"), (1, 0x04, "GET_APP_CONFIG"),
    (1, 0x07, "UPDATE_CONTROLLER_MULTICAST_LIST"), (2, 0x00, "SESSION_START"), (2, 0x01, "SESSION_STOP"),
  ]

  static func command(_ group: UInt8, _ opcode: UInt8) -> String {
    commands.first { $0.0 == group && $0.1 == opcode }?.2
      ?? "command \(hex(UInt64(group), digits: 1))/\(hex(UInt64(opcode), digits: 2))"
  }

  static func list(_ parameters: [UCIParameterStatus]) -> String {
    parameters.map { "parameter \(hex(UInt64($0.id), digits: 2)) \($0.status)" }.joined(separator: ", ")
  }

  static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  static func hex(_ octets: [UInt8]) -> String {
    octets.map { String(hex(UInt64($0), digits: 2).dropFirst(2)) }.joined()
  }

  static func address(_ address: UCIAddress) -> String {
    switch address {
    case .short(let value): hex(UInt64(value), digits: 4)
    case .extended(let value): hex(value, digits: 16)
    }
  }

  /// The names of the bits set in a mask. A bit without a name is given by its number.
  static func names(_ mask: UInt64, of names: [String]) -> [String] {
    (0..<64).filter { mask & 1 << UInt64($0) != 0 }.map { bit in
      bit < names.count ? names[bit] : "bit \(bit)"
    }
  }
}
