import NearbyCommandLine
import NearbyRadioLinks

/// The address that a server listens on.
struct ListenAddress: Equatable, Sendable {
  var host: String
  var port: UInt16
}

extension OptionReader where Value == ListenAddress {
  /// HOST:PORT; port 0 chooses a free port.
  ///
  /// - Parameter port: The example port in error messages.
  static func address(port: Int) -> Self {
    Self(expected: "HOST:PORT such as 127.0.0.1:\(port) or [::1]:0") { text in
      (try? RadioAddress.hostAndPort(text, allowsPortZero: true)).map(ListenAddress.init)
    }
  }
}

extension CommandError {
  /// Why a server can't listen on an address. Does not repeat the address if the error already contains it.
  static func cannotListen(on addresses: String, _ error: LinkError) -> CommandError {
    switch error {
    case .inUse, .notLocal: .unavailable("can't listen: \(error)")
    default: .unavailable("can't listen on \(addresses): \(error)")
    }
  }
}
