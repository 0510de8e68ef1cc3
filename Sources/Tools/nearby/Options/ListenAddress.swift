import NearbyCommandLine
import NearbyRadioLinks

/// Where a server listens.
struct ListenAddress: Equatable, Sendable {
  var host: String
  var port: UInt16
}

extension OptionReader where Value == ListenAddress {
  /// HOST:PORT; port 0 takes a free one.
  ///
  /// - Parameter port: One that errors name as an example.
  static func address(port: Int) -> Self {
    Self(expected: "HOST:PORT such as 127.0.0.1:\(port) or [::1]:0") { text in
      (try? RadioAddress.hostAndPort(text, allowsPortZero: true)).map(ListenAddress.init)
    }
  }
}

extension CommandError {
  /// A server's addresses, and why it does not listen there; an error that names the address itself stands alone.
  static func cannotListen(on addresses: String, _ error: LinkError) -> CommandError {
    switch error {
    case .inUse, .notLocal: .unavailable("can't listen: \(error)")
    default: .unavailable("can't listen on \(addresses): \(error)")
    }
  }
}
