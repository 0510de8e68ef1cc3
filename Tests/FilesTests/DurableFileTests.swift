import Foundation
import NearbyFiles
import TestSupport
import Testing

@testable import NearbyLive

@Suite("Files that several programs write", .ownThreads)
struct DurableFileTests {
  private let folder: URL

  init() throws { folder = try RangingFolders.temporary() }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  @Test("Concurrent changes of one file under its lock do not overwrite each other")
  func together() async throws {
    let path = path("counts.json")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            try DurableFile.withLock(on: path) {
              let data = try DurableFile.read(path)
              var counts = try data.map { try JSONDecoder().decode([String: Int].self, from: $0) } ?? [:]
              counts["\(writer)", default: 0] += 1
              try DurableFile.replace(path, with: DurableFile.json(counts), mode: 0o600)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try JSONDecoder().decode([String: Int].self, from: #require(try DurableFile.read(path)))
    #expect(counts == Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0)", 20) }))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.filter { $0.hasPrefix("counts") } == ["counts.json", "counts.json.lock"])
  }

  @Test("A file written with mode 0600 and the folders created for it are accessible to their owner only")
  func modes() throws {
    let (place, file) = (path("deep/er"), path("deep/er/secret"))
    try DurableFile.makeFolder(place)
    try DurableFile.makeFolder(place)
    try DurableFile.replace(file, with: [1, 2, 3], mode: 0o600)
    var info = stat()
    #expect(stat(file, &info) == 0)
    #expect(info.st_mode & 0o777 == 0o600)
    #expect(stat(place, &info) == 0)
    #expect(info.st_mode & 0o777 == 0o700)
    #expect(stat(path("deep"), &info) == 0)
    #expect(info.st_mode & 0o777 == 0o700)
    #expect(try DurableFile.read(file) == Data([1, 2, 3]))
  }

  @Test("A missing file reads as nil; an unreadable one throws an error with its path and is not replaced")
  func unreadable() throws {
    #expect(try DurableFile.read(path("none")) == nil)
    let blocked = path("blocked.json")
    try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
    #expect(throws: FileFailure(call: "open", path: blocked, number: EISDIR)) {
      try DurableFile.read(blocked)
    }
    #expect(throws: FileFailure(call: "rename", path: blocked, number: EISDIR)) {
      try DurableFile.replace(blocked, with: [1], mode: 0o600)
    }
    // The temporary file must be gone, too.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0 == "blocked.json" })
  }

  @Test("Replacing a file without giving a mode keeps its mode; a file over the size limit is not read")
  func keptMode() throws {
    let file = path("shared")
    try DurableFile.replace(file, with: [1], mode: 0o640)
    chmod(file, 0o604)
    try DurableFile.replace(file, with: [1, 2, 3], mode: nil)
    var info = stat()
    #expect(stat(file, &info) == 0)
    #expect(info.st_mode & 0o777 == 0o604)
    #expect(try DurableFile.read(file, limit: 3) == Data([1, 2, 3]))
    #expect(throws: FileFailure(call: "open", path: file, number: EFBIG)) {
      try DurableFile.read(file, limit: 2)
    }
  }

  @Test("Temporary files of ended processes are removed; those of running processes and of other files stay")
  func drafts() throws {
    // No process has this number: Linux assigns none over 2²².
    for name in [
      ".file.saving-99999999", ".file.saving-99999999-77", ".file.saving-1-77", ".other.saving-99999999-7",
    ] {
      try Data().write(to: URL(fileURLWithPath: path(name)))
    }
    DurableFile.removeDrafts(of: path("file"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == [".file.saving-1-77", ".other.saving-99999999-7"])
  }
}
