import Foundation
import Testing

/// A program that tests start but the package itself does not need. `Scripts/bootstrap test` installs all but
/// Avahi.
public enum InstalledTool: String, CaseIterable, Sendable {
  case avahiDaemon = "avahi-daemon"
  case dbusDaemon = "dbus-daemon"
  case ip
  case mosquitto
  case natsServer = "nats-server"
  case openssl
  case python3
  case unshare

  /// Where the program is: on `PATH`, or in a system folder that an ordinary user's `PATH` omits.
  public var path: String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]).lazy
      .map { "\($0)/\(self.rawValue)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether the program can be started here.
  public var isInstalled: Bool { path != nil }

  /// Names the missing tools and how to install them, or returns `nil` if all are installed.
  public static func missing(of tools: [InstalledTool]) -> String? {
    let names = tools.filter { !$0.isInstalled }.map(\.rawValue)
    return names.isEmpty
      ? nil
      : "not installed: \(names.joined(separator: ", ")) (Scripts/bootstrap test installs what tests need)"
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, naming the tool, if a tool that the test starts is not installed.
  public static func needs(_ tools: InstalledTool...) -> Self {
    let missing = InstalledTool.missing(of: tools)
    return .enabled(if: missing == nil, "\(missing ?? "installed")")
  }
}
