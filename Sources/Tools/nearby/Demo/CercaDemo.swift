import Foundation
import NearbyCommandLine

/// `nearby demo cerca`: two Cerca processes on one air, side by side.
struct CercaDemo {
  private static let names = ["Alice", "Bob"]
  /// The longest time that the script takes.
  private static let length = Duration.seconds(24)

  let seed: UInt64
  let length: Duration
  let isJSON: Bool
  let isPlain: Bool

  init(seed: UInt64?, length: Duration?, isJSON: Bool, isPlain: Bool) {
    self.seed = seed ?? 1
    self.length = length ?? Self.length
    self.isJSON = isJSON
    self.isPlain = isPlain
  }

  /// Bob walks up to Alice. His radio is off for a while, so that he is lost and then found again.
  private static let world = """
    {
      devices: [
        { name: "Alice", motion: { stand: [0, 0] }, facing: { device: "Bob" } },
        { name: "Bob", motion: { walk: [[3, 7], [0.4, 1.2]], speed: 1.1 }, facing: { device: "Alice" } },
      ],
      events: [
        { at: 2, do: "turn", device: "Alice", facing: { heading: 0 } },
        { at: 7, do: "switchOff", device: "Bob" },
        { at: 17.5, do: "switchOn", device: "Bob" },
      ],
    }
    """

  func run(in context: CommandContext) throws {
    // Unique for each demo, so that two demos at a time use two airs.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-demo-\(UUID().uuidString)")
    let scenario = folder.appendingPathComponent("cerca.json")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data("// \(folder.lastPathComponent)\n\(Self.world)".utf8).write(to: scenario)
    } catch {
      throw CommandError.inputOutput("\(folder.path): can't be written: \(FileTrouble.reason(error))")
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    var environment = context.environment
    // The user's own world would take precedence.
    environment["NEARBY_WORLD"] = nil
    environment["XDG_RUNTIME_DIR"] = folder.path
    environment["NEARBY_PERMISSION"] = "allowedOnce"
    environment["NEARBY_PEER_KEYS"] = "memory"
    let stage = CercaStage(
      names: Self.names, length: length, endsWithStory: true,
      footer: "two processes, one air · Ctrl-C quits", isJSON: isJSON, isPlain: isPlain)
    try stage.run(in: context) { name in
      CercaCommand.words(as: name, scenario: scenario.path, seed: seed)
    } environment: { _ in
      environment
    }
  }
}
