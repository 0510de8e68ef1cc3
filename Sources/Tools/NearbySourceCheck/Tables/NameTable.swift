import Foundation
import NearbyFiles

/// Why a table of names can't be used.
package enum NameTableError: Error, Equatable, Sendable, CustomStringConvertible {
  case missing(path: String)
  /// A line that is none of `module`, `exports`, `free` and `members` with names behind it.
  case malformed(file: String, line: Int)
  case duplicateModule(file: String, line: Int, module: String)
  /// More modules than a `ModuleTable` can tell apart.
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

/// A file that says what modules declare, as Scripts/toolchain-names and Scripts/package-names write it.
///
/// Each module begins with a line `module NAME`. The lines behind it begin with `exports`, `free` or `members`, and
/// list names. Empty lines and lines that begin with `#` mean nothing.
struct NameTable: Equatable, Sendable {
  let modules: [ModuleNames]

  /// Reads one of the tables that are resources of this target.
  init(resource file: String) throws(NameTableError) {
    let place: URL
    do throws(ResourceFolder.Missing) {
      place = try ResourceFolder.find("NearbySourceCheck").appendingPathComponent("Names/" + file)
    } catch {
      throw .missing(path: error.searched.joined(separator: ", "))
    }
    guard let octets = try? Data(contentsOf: place) else { throw .missing(path: place.path) }
    try self.init(parsing: [UInt8](octets), file: file)
  }

  /// - Parameter file: What errors call it.
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

  /// A line's first word, and the names behind it; `nil` unless there is one at least.
  private static func words(_ line: ArraySlice<UInt8>) -> (keyword: String, names: [String])? {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard let keyword = words.first, words.count > 1, words.dropFirst().allSatisfy(isName) else { return nil }
    return (
      String(decoding: keyword, as: UTF8.self), words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    )
  }

  /// Letters, digits and underscores, no digit first; what is not ASCII counts as letters.
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
