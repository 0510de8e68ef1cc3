import Foundation

/// The standard locations of a user's files. A variable that is unset or not an absolute path is ignored.
/// Source: XDG Base Directory Specification 0.8, "Environment variables".
package enum XDGFolder: Sendable {
  /// `XDG_CONFIG_HOME`, or `~/.config`.
  case configuration
  /// `XDG_STATE_HOME`, or `~/.local/state`.
  case state

  /// - Parameter home: The user's home folder, unless `HOME` is an absolute path.
  package func url(_ environment: [String: String], home: URL) -> URL {
    let (variable, usual) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      }
    return Self.path(variable, environment).map { URL(fileURLWithPath: $0) }
      ?? (Self.path("HOME", environment).map { URL(fileURLWithPath: $0) } ?? home).appendingPathComponent(
        usual)
  }

  /// `XDG_RUNTIME_DIR`, for sockets and locks of the user's processes; `nil` if unset.
  package static func runtimePath(_ environment: [String: String]) -> String? {
    path("XDG_RUNTIME_DIR", environment)
  }

  private static func path(_ variable: String, _ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
