/// Where files of peers are kept that a program takes without asking anybody.
package enum ReceivedFiles {
  /// Octets of the longest name, before a number is put into it.
  private static let maximumName = 200

  /// Moves a file into a folder, under a name that is free there; nothing is replaced.
  ///
  /// - Parameter name: Safe, see `safeName`.
  /// - Returns: Where it is.
  /// - Throws: `CocoaError`.
  package static func keep(_ file: URL, as name: String, in folder: URL) throws -> URL {
    let (stem, ending) = parts(of: name)
    for number in 1...9999 {
      let place = folder.appendingPathComponent(number == 1 ? name : "\(stem)-\(number)\(ending)")
      do {
        // Of `NearbyFoundation`: Foundation's own stops the process where a name is there and not ASCII.
        try FileManager.default.moveItem(at: file, to: place)
        return place
      } catch CocoaError.fileWriteFileExists {
        continue
      }
    }
    throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: folder.path])
  }

  /// The last part of what a peer calls its file: no folders, nothing hidden, nothing that a terminal obeys, at most
  /// 200 octets.
  ///
  /// - Parameter printable: Replaces the characters that a terminal obeys.
  package static func safeName(_ name: String, printable: (String) -> String) -> String {
    // By octets: with an accent behind it a slash or a dot is another character, but the same to the file system.
    let last = name.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
    var whole = printable(last ?? "")
    whole.unicodeScalars.removeAll { $0 == "/" || $0 == "\0" }
    var safe = ""
    for character in whole where safe.utf8.count + character.utf8.count <= maximumName {
      safe.append(character)
    }
    while safe.unicodeScalars.first == "." { safe.unicodeScalars.removeFirst() }
    return safe.isEmpty ? "file" : safe
  }

  /// The name before its last dot, and the rest with the dot.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex
    else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
