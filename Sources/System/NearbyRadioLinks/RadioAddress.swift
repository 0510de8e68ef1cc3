/// The address of a UCI controller: `tcp:HOST:PORT` or `serial:DEVICE[@BAUD]`.
///
/// An IPv6 host is written in brackets: `tcp:[::1]:7000`.
package enum RadioAddress: Hashable, Sendable, CustomStringConvertible {
  case tcp(host: String, port: UInt16)
  case serial(device: String, baud: UInt32)

  /// The rate that Qorvo's tools use.
  package static let standardBaud: UInt32 = 115_200

  package init(_ text: String) throws(LinkError) {
    if text.hasPrefix("tcp:") {
      let (host, port) = try Self.hostAndPort(String(text.dropFirst(4)), allowsPortZero: false)
      self = .tcp(host: host, port: port)
    } else if text.hasPrefix("serial:") {
      self = try Self.serial(text.dropFirst(7))
    } else {
      throw .badAddress(found: text, expected: "tcp:HOST:PORT or serial:DEVICE[@BAUD]")
    }
  }

  /// `HOST:PORT` in the form that `hostAndPort` parses, with an IPv6 address in brackets.
  package static func text(host: String, port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Parses `HOST:PORT`, with brackets around an IPv6 host.
  ///
  /// - Parameter allowsPortZero: Whether port 0 is valid, for servers that accept any free port.
  package static func hostAndPort(_ text: String, allowsPortZero: Bool) throws(LinkError) -> (
    host: String, port: UInt16
  ) {
    guard let colon = text.lastIndex(of: ":") else {
      throw .badAddress(found: text, expected: "HOST:PORT")
    }
    var host = text[..<colon]
    let portText = text[text.index(after: colon)...]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw .badAddress(found: String(host), expected: "an IPv6 host in brackets, as in [::1]:7000")
    }
    guard !host.isEmpty else { throw .badAddress(found: text, expected: "a host before the port") }
    guard host.utf8.allSatisfy(isOfHost) else {
      throw .badAddress(found: String(host), expected: "a host name or IP address in ASCII")
    }
    let isNumber = !portText.isEmpty && portText.allSatisfy { $0.isASCII && $0.isNumber }
    guard isNumber, let port = UInt16(portText), allowsPortZero || port > 0 else {
      throw .badAddress(
        found: String(portText), expected: "a port from \(allowsPortZero ? 0 : 1) to 65535")
    }
    return (String(host), port)
  }

  /// Letters, digits and the other characters of host names, IPv4 addresses, and IPv6 addresses with a zone.
  private static func isOfHost(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: ".-_:%".utf8.contains(octet)
    }
  }

  private static func serial(_ text: Substring) throws(LinkError) -> RadioAddress {
    var device = text
    var baud = standardBaud
    // Search the octets: what precedes an "@" in the path could merge with it into one `Character`.
    if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
      device = text[..<at]
      let baudText = text[text.utf8.index(after: at)...]
      let isNumber = baudText.allSatisfy { $0.isASCII && $0.isNumber }
      guard isNumber, let found = UInt32(baudText), (50...20_000_000).contains(found) else {
        throw .badAddress(found: String(baudText), expected: "a baud rate from 50 to 20000000")
      }
      baud = found
    }
    guard !device.isEmpty else {
      throw .badAddress(found: "serial:\(text)", expected: "a device such as serial:/dev/ttyACM0")
    }
    return .serial(device: String(device), baud: baud)
  }

  package var description: String {
    switch self {
    case .tcp(let host, let port): "tcp:\(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .serial(let device, let baud): "serial:\(device)@\(baud)"
    }
  }
}
