import Glibc

/// Why a link to a radio could not be opened, or ended.
package enum LinkError: Error, Equatable, Sendable {
  /// The address is malformed; `expected` describes what should be in place of `found`.
  case badAddress(found: String, expected: String)
  /// The host name could not be resolved.
  case unknownHost(String)
  /// The address to listen on does not belong to any interface of this machine.
  case notLocal(host: String, address: String)
  /// Another program is listening on this address, or was until a moment ago.
  case inUse(address: String)
  /// The connection was not established in time.
  case timedOut(address: String)
  /// The other side closed the link, or the device was unplugged.
  case closedByPeer
  /// Another program is using the serial device.
  case busy(device: String)
  /// The device exists but is not a terminal.
  case notATerminal(device: String)
  /// The device does not support the requested speed; it chose `got` instead.
  case baudNotSupported(asked: UInt32, got: UInt32)
  /// The other side does not read: more octets are queued than the link may hold.
  case congested(limit: Int)
  /// A system call failed.
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
