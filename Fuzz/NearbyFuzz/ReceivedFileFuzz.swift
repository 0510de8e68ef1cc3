import Foundation
import MultipeerConnectivity

/// The name that a peer gives its file, and the size that it claims. Whatever they are, the file must be in
/// the folder, visible, and must not replace another. A file for which the disk has no room must be rejected.
///
/// The first 24 octets are a size, and the free and total space of a disk; the rest is the name.
func fuzzReceivedFile(_ octets: [UInt8]) {
  let numbers = stride(from: 0, to: 24, by: 8).map { start in
    octets.dropFirst(start).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
  let space = DiskSpace(available: numbers[1], total: numbers[2])
  let folder = FuzzedFolder.shared
  let name = ReceivedFiles.safeName(String(decoding: octets.dropFirst(24), as: UTF8.self)) { $0 }
  let isPlain = !name.utf8.contains(0) && !name.utf8.contains(UInt8(ascii: "/"))
  precondition(
    isPlain && name.utf8.first.map { $0 != UInt8(ascii: ".") } ?? false,
    "an unsafe file name was accepted: \(name)")
  guard let file = try? IncomingFile(size: numbers[0], in: folder.arriving, space: { space }) else { return }
  precondition(
    numbers[0] <= IncomingFile.maximumSize && space.hasRoom(for: numbers[0]),
    "a file was accepted without room for it")
  try? file.write(Array(octets.prefix(64)))
  folder.storeTwice(file.url, as: name)
}

/// The fuzzer's files. `@unchecked Sendable`: the fuzzer has one thread, and nothing changes.
private final class FuzzedFolder: @unchecked Sendable {
  static let shared = FuzzedFolder()
  let arriving: URL
  private let kept: URL

  private init() {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-fuzz-\(getpid())")
    arriving = root.appendingPathComponent("arriving")
    kept = root.appendingPathComponent("kept")
    for folder in [arriving, kept] {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    atexit {
      try? FileManager.default.removeItem(
        at: FileManager.default.temporaryDirectory.appendingPathComponent("nearby-fuzz-\(getpid())"))
    }
  }

  /// Keeps two files of the same name. The second must get another name, and both must be in the folder.
  func storeTwice(_ file: URL, as name: String) {
    var places: [URL] = []
    for _ in 0..<2 {
      let copy = arriving.appendingPathComponent("copy")
      try? Data([1]).write(to: copy)
      guard let place = try? ReceivedFiles.store(copy, as: name, in: kept) else {
        preconditionFailure("a file named \(name) cannot be stored")
      }
      precondition(place.deletingLastPathComponent().path == kept.path, "\(place.path) is outside the folder")
      places.append(place)
    }
    precondition(places[0] != places[1], "\(name) was replaced")
    for place in places {
      precondition(unlink(place.path) == 0, "\(place.path) does not exist")
    }
  }
}
