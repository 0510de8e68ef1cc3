import Foundation
import NearbyFiles

/// Why a table of names cannot be used.
package enum NameTableError: Error, Equatable, Sendable, CustomStringConvertible {
  case missing(path: String)
  /// A line other than `module`, `exports`, `free` or `members` followed by names.
  case malformed(file: String, line: Int)
  case duplicateModule(file: String, line: Int, module: String)
  /// More modules than a `ModuleTable` can hold.
  case tooManyModules(count: Int)

  package var description: String {
    switch self {
    case .missing(let path): "\(path): the table of names can't be read; it belongs beside the program"
    case .malformed(let file, let line):
      "\(file):\(line): expected module, exports, free or members, and names"
    case .duplicateModule(let file, let line, let module): "\(file):\(line): \(module) is there twice"
    case .tooManyModules(let count):
      "\(count) modules in the tables of names; expected at most \(ModuleTable.capacity)"
    }
  }
}

/// A file that lists the declarations of modules, as written by Scripts/toolchain-names and
/// Scripts/package-names.
///
///     module NAME
///     exports NAME…
///     free NAME…
///     members NAME…
///
/// Each module starts with its `module` line; the other lines are optional and may be repeated. Empty lines
/// and lines that begin with `#` are ignored.
struct NameTable: Equatable, Sendable {
  let modules: [ModuleNames]

  /// Reads a table from this target's resources.
  init(resource file: String) throws(NameTableError) {
    try self.init(parsing: Self.octets(ofResource: file), file: file)
  }

  static func octets(ofResource file: String) throws(NameTableError) -> [UInt8] {
    let place: URL
    do throws(ResourceFolder.Missing) {
      place = try ResourceFolder.find("NearbySourceCheck").appendingPathComponent("Names/" + file)
    } catch {
      throw .missing(path: error.searched.joined(separator: ", "))
    }
    guard let octets = try? Data(contentsOf: place) else { throw .missing(path: place.path) }
    return [UInt8](octets)
  }

  /// - Parameter file: Name of the file in errors.
  init(parsing octets: [UInt8], file: String) throws(NameTableError) {
    var modules: [ModuleNames] = []
    var current: ModuleNames?
    var seen: Set<String> = []
    let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && line.first != UInt8(ascii: "#") {
      guard let (keyword, names) = Self.words(line) else { throw .malformed(file: file, line: index + 1) }
      switch (keyword, names.first) {
      case ("module", let name?) where names.count == 1:
        guard seen.insert(name).inserted else {
          throw .duplicateModule(file: file, line: index + 1, module: name)
        }
        if let current { modules.append(current) }
        current = ModuleNames(module: name)
      case ("exports", _) where current != nil: current?.exports += names
      case ("free", _) where current != nil: current?.free += names
      case ("members", _) where current != nil: current?.members += names
      default: throw .malformed(file: file, line: index + 1)
      }
    }
    if let current { modules.append(current) }
    self.modules = modules
  }

  /// A line's first word and the names after it; `nil` if there are no names.
  private static func words(_ line: ArraySlice<UInt8>) -> (keyword: String, names: [String])? {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard let keyword = words.first, words.count > 1, words.dropFirst().allSatisfy(isName) else { return nil }
    return (
      String(decoding: keyword, as: UTF8.self), words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    )
  }

  /// Letters, digits and underscores, not starting with a digit; everything beyond ASCII counts as a letter.
  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, !isDigit(first) else { return false }
    return word.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") || isLetter($0) }
  }

  private static func isDigit(_ octet: UInt8) -> Bool {
    octet >= UInt8(ascii: "0") && octet <= UInt8(ascii: "9")
  }

  private static func isLetter(_ octet: UInt8) -> Bool {
    octet >= 0x80 || octet | 0x20 >= UInt8(ascii: "a") && octet | 0x20 <= UInt8(ascii: "z")
  }
}
