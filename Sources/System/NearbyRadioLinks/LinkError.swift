import Glibc

/// Why a link to a radio does not come about, or ended.
package enum LinkError: Error, Equatable, Sendable {
  /// The address is not one: what was found, what was expected in its place.
  case badAddress(found: String, expected: String)
  /// The name of a host has no address.
  case unknownHost(String)
  /// The address to listen on belongs to no interface of this machine.
  case notLocal(host: String, address: String)
  /// Another program listens on this address, or did until a moment ago.
  case inUse(address: String)
  /// The connection did not come about within the time.
  case timedOut(address: String)
  /// The other side closed, or the device was unplugged.
  case closedByPeer
  /// Another program holds the serial device.
  case busy(device: String)
  /// The serial device is there and is no terminal.
  case notATerminal(device: String)
  /// The device took another speed than asked for.
  case baudNotSupported(asked: UInt32, got: UInt32)
  /// More octets wait than the link may hold: the other side does not read.
  case congested(limit: Int)
  /// A call of the system failed.
  case system(call: String, errno: Int32)
}

extension LinkError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badAddress(let found, let expected): "found '\(found)', expected \(expected)"
    case .unknownHost(let host): "no address for host '\(host)'"
    case .notLocal(let host, let address):
      host == address
        ? "\(address) is not an address of this machine"
        : "'\(host)' is \(address), which is not an address of this machine"
    case .inUse(let address): "\(address) is in use by another program"
    case .timedOut(let address): "no connection to \(address) in time"
    case .closedByPeer: "the other side closed the link"
    case .busy(let device): "\(device) is in use by another program"
    case .notATerminal(let device): "\(device) is no serial device"
    case .baudNotSupported(let asked, let got): "the device can't do \(asked) baud, the nearest is \(got)"
    case .congested(let limit): "the other side does not read; \(limit) octets wait"
    case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
    }
  }
}
