import Foundation
import MultipeerConnectivity
import Synchronization
import TestSupport
import Testing

@Suite("Received files on the disk")
struct IncomingFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(size: UInt64?, available: UInt64, total: UInt64 = 1 << 40) throws -> IncomingFile {
    try IncomingFile(size: size, in: folder.url) { DiskSpace(available: available, total: total) }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
  }

  private struct SpaceCase: Sendable {
    let available: UInt64
    let total: UInt64
    let count: UInt64
    let hasRoom: Bool
    init(_ available: UInt64, _ total: UInt64, _ count: UInt64, _ hasRoom: Bool) {
      (self.available, self.total, self.count, self.hasRoom) = (available, total, count, hasRoom)
    }
  }
  private static let spaceCases: [SpaceCase] = [
    SpaceCase(2 << 30, 1 << 40, 1 << 30, true), SpaceCase(2 << 30, 1 << 40, (1 << 30) + 1, false),
    SpaceCase(100, 1000, 50, true), SpaceCase(100, 1000, 51, false), SpaceCase(49, 1000, 0, false),
    SpaceCase(.max, .max, .max, false),
  ]

  @Test("A twentieth of the disk, at most 1 GiB, stays free", arguments: spaceCases)
  private func reserve(space: SpaceCase) {
    let disk = DiskSpace(available: space.available, total: space.total)
    #expect(disk.hasRoom(for: space.count) == space.hasRoom)
  }

  @Test("A file over the limit, or over the free space, is refused and leaves nothing")
  func tooLarge() throws {
    let largest = UInt64.max / 2
    let claims: [(UInt64, UInt64)] = [
      (IncomingFile.maximumSize + 1, largest), (UInt64.max, largest), (2 << 30, 2 << 30),
    ]
    for (size, available) in claims {
      #expect(throws: CocoaError.self) { try file(size: size, available: available) }
    }
    #expect(try names.isEmpty)
  }

  @Test("A file of unknown size fails before the disk is full")
  func unknownSize() throws {
    // Plenty while the files are created, because other tests receive files at the same time.
    let available = Mutex<UInt64>(1 << 40)
    let space = { @Sendable in DiskSpace(available: available.withLock { $0 }, total: 1 << 40) }
    let file = try IncomingFile(size: nil, in: folder.url, space: space)
    let second = try IncomingFile(size: nil, in: folder.url, space: space)
    available.withLock { $0 = (1 << 30) + 100 }
    try file.write([UInt8](repeating: 1, count: 100))
    #expect(throws: CocoaError.self) { try second.write([UInt8](repeating: 1, count: 101)) }
  }

  @Test("A file is readable only by its owner, and removed with its last reference")
  func lifetime() throws {
    do {
      let file = try file(size: 3, available: 1 << 40)
      try file.write([1, 2, 3])
      var info = stat()
      #expect(stat(file.url.path, &info) == 0)
      #expect(info.st_mode & 0o777 == 0o600)
      #expect(try Data(contentsOf: file.url) == Data([1, 2, 3]))
    }
    #expect(try names.isEmpty)
  }

  @Test("Files left by a dead process are removed; files in use and other files stay")
  func left() throws {
    let held = try file(size: 1, available: 1 << 40)
    let left = IncomingFile.prefix + UUID().uuidString
    let others = ["swift-nearby-received-notes.txt", "other"]
    for name in [left] + others {
      try Data([1]).write(to: folder.url.appendingPathComponent(name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent(IncomingFile.prefix + UUID().uuidString).path,
      withDestinationPath: folder.url.appendingPathComponent("other").path)
    IncomingFile.removeLeft(in: folder.url)
    let names = try names
    #expect(!names.contains(left))
    #expect(names.contains(held.url.lastPathComponent))
    #expect(others.allSatisfy { names.contains($0) })
    #expect(names.count == 4)
  }
}

@Suite("Moving files")
struct FileManagerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Moving or copying to an existing name is an error in every form, and nothing is replaced",
    arguments: ["a.txt", "Überblick.pdf", "日本.txt", "ß", "İ", "👋🏽"])
  func existing(name: String) throws {
    let (source, place) = (try folder.file(Data([1])), folder.url.appendingPathComponent(name))
    try Data([2]).write(to: place)
    let manager: FileManager = .default
    #expect(throws: CocoaError.self) { try FileManager.default.moveItem(at: source, to: place) }
    #expect(throws: CocoaError.self) {
      try FileManager.default.moveItem(atPath: source.path, toPath: place.path)
    }
    #expect(throws: CocoaError.self) { try manager.moveItem(at: source, to: place) }
    #expect(throws: CocoaError.self) { try FileManager.default.copyItem(at: source, to: place) }
    #expect(try Data(contentsOf: place) == Data([2]) && Data(contentsOf: source) == Data([1]))
  }

  @Test("Files and folders are moved to free names only")
  func free() throws {
    let (file, folderFrom) = (try folder.file(Data([1])), folder.url.appendingPathComponent("Ordner é"))
    try FileManager.default.createDirectory(at: folderFrom, withIntermediateDirectories: false)
    let (to, folderTo) = (folder.url.appendingPathComponent("ä"), folder.url.appendingPathComponent("Ö"))
    try FileManager.default.moveItem(at: file, to: to)
    try FileManager.default.moveItem(at: folderFrom, to: folderTo)
    #expect(throws: CocoaError.self) { try FileManager.default.moveItem(at: to, to: folderTo) }
    #expect(throws: CocoaError.self) { try FileManager.default.moveItem(at: file, to: folderTo) }
    try FileManager.default.moveItem(at: to, to: to)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["ä", "Ö"].sorted())
  }
}
