import Foundation
import NearbyScenarios
import NearbyWorld
import TestSupport
import Testing

@Suite("World state file", .ownThreads)
struct WorldStateFileTests {
  /// A folder for one test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    /// The names of all files except the lock file.
    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { $0 != lock }.sorted()
    }
    let lock = ".state.json.lock"
    var hasLock: Bool { FileManager.default.fileExists(atPath: path(lock)) }
  }

  private func failure(_ path: String) -> WorldStateFile.Failure? {
    do throws(WorldStateFile.Failure) {
      _ = try WorldStateFile(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test("The first save creates the file and the next replaces it; nothing else is left")
  func saves() throws {
    let folder = try Folder()
    let file = try WorldStateFile(path: folder.path("state.json"))
    #expect(folder.names.isEmpty)
    #expect(try file.read() == nil)
    try file.write(Data("one".utf8))
    try file.write(Data("two".utf8))
    #expect(try file.read() == Data("two".utf8))
    #expect(folder.names == ["state.json"])
  }

  @Test("Saving keeps a file's mode, and follows a symbolic link")
  func link() throws {
    let folder = try Folder()
    try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path("kept.json")))
    chmod(folder.path("kept.json"), 0o640)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("state.json"), withDestinationPath: "kept.json")
    let file = try WorldStateFile(path: folder.path("state.json"))
    try file.write(Data("two".utf8))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("state.json")) == "kept.json")
    #expect(FileManager.default.contents(atPath: folder.path("kept.json")) == Data("two".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("kept.json"))[.posixPermissions]
    #expect(mode as? Int == 0o640)
  }

  @Test("A missing folder, a folder, a pipe, a device and circular links are refused at the start, by name")
  func refusals() throws {
    let folder = try Folder()
    mkfifo(folder.path("pipe"), 0o600)
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path("a"), withDestinationPath: "b")
    try FileManager.default.createSymbolicLink(atPath: folder.path("b"), withDestinationPath: "a")
    let before = folder.names
    for (name, words) in [
      ("nowhere/state.json", "no folder"), ("pipe", "a pipe"), ("folder", "a folder"), ("a", "leads nowhere"),
    ] {
      let found = try #require(failure(folder.path(name)))
      #expect(found.description.hasPrefix(folder.path(name)), "\(found)")
      #expect(found.description.contains(words), "\(found)")
    }
    #expect(failure("/dev/null")?.description == "/dev/null: a device; expected a file")
    #expect(folder.names == before)
  }

  @Test("Temporary files of processes that ended are removed; those of running ones are not")
  func leftovers() throws {
    let folder = try Folder()
    // No process has this number: Linux assigns none over 2²².
    for number in ["99999999", "1"] {
      try Data().write(to: URL(fileURLWithPath: folder.path(".state.json.saving-\(number)")))
    }
    _ = try WorldStateFile(path: folder.path("state.json"))
    #expect(folder.names == [".state.json.saving-1"])
  }

  @Test("A second world with the same file is refused, by name and process; the lock ends with the first")
  func twoWorlds() throws {
    let folder = try Folder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: "state.json")
    var first: WorldStateFile? = try WorldStateFile(path: folder.path("state.json"))
    try first?.write(Data("one".utf8))
    for name in ["state.json", "link.json"] {
      let refusal = try #require(failure(folder.path(name)))
      #expect(refusal.kind == .inUse)
      #expect(
        refusal.description
          == "\(folder.path(name)): another running world (process \(getpid())) keeps its state there; "
          + "expected a file of this world's own")
    }
    #expect(folder.hasLock)
    first = nil
    #expect(!folder.hasLock)
    #expect(folder.names == ["link.json", "state.json"])
    #expect(try WorldStateFile(path: folder.path("link.json")).read() == Data("one".utf8))
  }

  @Test("A file over the limit is not read")
  func tooLarge() throws {
    let folder = try Folder()
    _ = FileManager.default.createFile(atPath: folder.path("state.json"), contents: nil)
    truncate(folder.path("state.json"), WorldStateFile.sizeLimit + 1)
    let file = try WorldStateFile(path: folder.path("state.json"))
    let error = #expect(throws: WorldStateFile.Failure.self) { _ = try file.read() }
    #expect(error?.description.contains("at most") == true)
  }

  @Test("A changed scene is saved while the world runs, and the time a little later")
  func keeper() throws {
    let folder = try Folder()
    let world = try ServedWorld()
    let file = try WorldStateFile(path: folder.path("state.json"))
    let keeper = WorldKeeper(world.server, file) { _ in }
    func saved() -> HostedWorld? {
      guard let data = try? file.read() else { return nil }
      return try? WorldSave(parsing: data, file: "x").world(settings: HostedWorld.Settings())
    }
    let watch = try FolderWatch(folder.url.path)
    func awaits(_ isThere: (HostedWorld) -> Bool) -> Bool { watch.wait { saved().map(isThere) ?? false } }
    world.server.withWorld { $0.perform(.addDevice(name: "anna", .phone, [1, 2, 3])) }
    #expect(awaits { $0.deviceNames == ["anna"] })
    let time = try #require(saved()).time
    #expect(awaits { $0.time > time })
    world.server.withWorld { $0.perform(.removeDevice(0)) }
    try keeper.stop()
    #expect(saved()?.deviceNames == [])
  }
}
