import Foundation

/// Where a user's files belong. Source: XDG Base Directory Specification 0.8, "Environment variables": a variable that
/// is not set, or holds no absolute path, counts for nothing.
package enum XDGFolder: Sendable {
  /// `XDG_CONFIG_HOME`, else `~/.config`.
  case configuration
  /// `XDG_STATE_HOME`, else `~/.local/state`.
  case state

  /// - Parameter home: The user's home folder.
  package func url(_ environment: [String: String], home: URL) -> URL {
    let (variable, usual) =
      switch self {
      case .configuration: ("XDG_CONFIG_HOME", ".config")
      case .state: ("XDG_STATE_HOME", ".local/state")
      }
    return Self.path(variable, environment).map { URL(fileURLWithPath: $0) }
      ?? home.appendingPathComponent(usual)
  }

  /// `XDG_RUNTIME_DIR`, for sockets and locks of the user's processes; `nil` without it.
  package static func runtimePath(_ environment: [String: String]) -> String? {
    path("XDG_RUNTIME_DIR", environment)
  }

  private static func path(_ variable: String, _ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
