import NearbyBluetooth

/// Why an operation on a connected device failed.
package enum GATTFailure: Error, Equatable, Sendable {
  case notConnected
  case timedOut
  case pairingFailed
  case unknownAttribute
  case att(ATTError)

  /// Whether the operation requires pairing first.
  var asksForPairing: Bool {
    switch self {
    case .att(.insufficientAuthentication), .att(.insufficientEncryption),
      .att(.insufficientEncryptionKeySize):
      true
    case .att, .notConnected, .timedOut, .pairingFailed, .unknownAttribute: false
    }
  }

  /// Interprets an error of the daemon, which has names for some codes of the attribute protocol and puts
  /// others into the text.
  init(_ error: BusError) {
    switch error {
    case .closed: self = .notConnected
    case .timedOut: self = .timedOut
    case .malformed, .unencodable, .system: self = .att(.unlikelyError)
    case .refused(let name, let text): self.init(name: name, text: text)
    }
  }

  private init(name: String, text: String) {
    switch name {
    case BlueZError.notConnected, BlueZError.doesNotExist, BlueZName.unknownObject, BlueZName.unknownMethod:
      self = .notConnected
    case BlueZError.notAuthorized: self = .att(.insufficientAuthorization)
    case BlueZError.notSupported: self = .att(.requestNotSupported)
    case BlueZError.invalidOffset: self = .att(.invalidOffset)
    case BlueZError.invalidLength: self = .att(.invalidAttributeValueLength)
    case BlueZError.notPermitted: self = .att(Self.refusal(text))
    case BlueZError.invalidArguments:
      self = .att(text.contains("ffset") ? .invalidOffset : .invalidAttributeValueLength)
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": self = .timedOut
    case _ where name.hasPrefix("org.bluez.Error.Authentication"): self = .pairingFailed
    case _ where text.contains("Not connected"): self = .notConnected
    case _: self = .att(Self.code(in: text).map(ATTError.init(code:)) ?? .unlikelyError)
    }
  }

  private static func refusal(_ text: String) -> ATTError {
    if text.hasPrefix("Read") { return .readNotPermitted }
    return text.hasPrefix("Write") ? .writeNotPermitted : .insufficientEncryption
  }

  /// The two hexadecimal digits after the last `0x`.
  private static func code(in text: String) -> UInt8? {
    let characters = Array(text.utf8)
    guard
      let index = characters.indices.last(where: {
        $0 + 3 < characters.count && characters[$0] == UInt8(ascii: "0")
          && characters[$0 + 1] == UInt8(ascii: "x")
      })
    else { return nil }
    return UInt8(String(decoding: characters[index + 2...index + 3], as: UTF8.self), radix: 16)
  }
}
