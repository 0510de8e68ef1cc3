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
  ///
  /// - Parameter option: The option that gave the address.
  static func cannotListen(
    on address: String, for option: String? = nil, _ error: LinkError
  ) -> CommandError {
    let what = option.map { "can't listen for \($0)" } ?? "can't listen"
    return switch error {
    case .inUse: .unavailable("\(what): \(error); choose another port, or 0 for a free one")
    case .notLocal: .unavailable("\(what): \(error)")
    default: .unavailable("\(what) on \(address): \(error)")
    }
  }
}
