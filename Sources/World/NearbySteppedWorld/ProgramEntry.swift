import Foundation

/// A program that is a device of a world, as `--run DEVICE=COMMAND` names it.
package struct ProgramEntry: Equatable, Sendable {
  /// Variable with the world's process ID, so that a program can check whether its world still runs.
  package static let ownerKey = "NEARBY_WORLD_PROCESS"

  package var device: String
  /// A shell command.
  package var command: String

  package init(device: String, command: String) {
    self.device = device
    self.command = command
  }

  /// The environment in which the program joins a world of this process.
  ///
  /// - Parameters:
  ///   - world: The world's address, `HOST:PORT`.
  ///   - programFolder: Where this process's program is. The command finds it as `nearby`, wherever it is installed.
  ///   - environment: The environment of this process, to which the variables are added.
  package func environment(
    world: String, token: String, programFolder: String, from environment: [String: String]
  ) -> [String: String] {
    var environment = environment
    for key in ["NEARBY_RADIO", "NEARBY_CAMERA"] { environment[key] = nil }
    environment["NEARBY_WORLD"] = world
    environment["NEARBY_DEVICE"] = device
    environment["NEARBY_TOKEN"] = token
    environment[Self.ownerKey] = "\(getpid())"
    environment["PATH"] = [programFolder, environment["PATH"] ?? "/usr/bin:/bin"].joined(separator: ":")
    return environment
  }
}
