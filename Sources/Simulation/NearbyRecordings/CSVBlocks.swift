import Foundation

/// Reads a file in blocks of whole lines, so that a `CSVReader` never holds more than one block.
///
/// A line feed inside quotes does not end a line.
struct CSVBlocks {
  private let file: String
  private let handle: FileHandle
  private let size: Int
  private var rest: [UInt8] = []
  private var isAtEnd = false

  /// - Parameter size: Octets to read at a time; a longer line is an error.
  init(file: URL, size: Int) throws(RecordingError) {
    self.file = file.path
    self.size = size
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
      throw .missingFile(file: file.path)
    }
    if isFolder.boolValue { throw .unreadable(file: file.path, reason: "a folder; expected a file") }
    do {
      handle = try FileHandle(forReadingFrom: file)
    } catch {
      throw .unreadable(file: file.path, reason: error.localizedDescription)
    }
  }

  /// The next lines; `nil` at the end of the file.
  mutating func next() throws(RecordingError) -> [UInt8]? {
    while !isAtEnd {
      let more = try read()
      if more.isEmpty { isAtEnd = true }
      rest += more
      guard !isAtEnd else { break }
      if let end = Self.endOfLines(rest) {
        let lines = Array(rest[..<end])
        rest.removeSubrange(..<end)
        return lines
      }
      guard rest.count <= size else {
        throw .unreadable(
          file: file, reason: "a line of over \(size) octets, or a quote that is never closed")
      }
    }
    defer { rest = [] }
    return rest.isEmpty ? nil : rest
  }

  private func read() throws(RecordingError) -> Data {
    do {
      return try handle.read(upToCount: size) ?? Data()
    } catch {
      throw .unreadable(file: file, reason: error.localizedDescription)
    }
  }

  /// Index after the last line feed that is not inside quotes.
  private static func endOfLines(_ bytes: [UInt8]) -> Int? {
    var isQuoted = false
    var end: Int?
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n"), !isQuoted { end = index + 1 }
    }
    return end
  }
}
