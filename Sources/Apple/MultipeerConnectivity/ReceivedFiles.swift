/// Stores files from peers that a program accepts without asking its user.
package enum ReceivedFiles {
  /// The longest name in octets, not counting a number added to make it unique.
  private static let maximumName = 200

  /// Moves a file into a folder under an unused name; never replaces a file.
  ///
  /// - Parameter name: A safe name, see `safeName`.
  /// - Returns: The file's new location.
  /// - Throws: `CocoaError`.
  package static func store(_ file: URL, as name: String, in folder: URL) throws -> URL {
    let (stem, ending) = parts(of: name)
    for number in 1...9999 {
      let place = folder.appendingPathComponent(number == 1 ? name : "\(stem)-\(number)\(ending)")
      do {
        // `NearbyFoundation`'s `moveItem`: Foundation's own traps if the name is taken and not ASCII.
        try FileManager.default.moveItem(at: file, to: place)
        return place
      } catch CocoaError.fileWriteFileExists {
        continue
      }
    }
    throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: folder.path])
  }

  /// Makes a file name from a peer's name for a resource: its last path component, without a leading dot or
  /// control characters, at most 200 octets.
  ///
  /// - Parameter printable: Replaces the characters that a terminal would interpret.
  package static func safeName(_ name: String, printable: (String) -> String) -> String {
    // Split by octets: a slash followed by a combining accent is a different `Character`, but the file system
    // still treats it as a slash. The same goes for dots.
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

  /// Splits a name before its last dot, which belongs to the second part.
  private static func parts(of name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex
    else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }
}
