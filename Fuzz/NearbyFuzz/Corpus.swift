import Foundation

/// The committed inputs of an entry: those written by hand, and those that guided runs found.
enum Corpus {
  /// The size limit of Fuzz/Grown/ENTRY.txt in octets, which keeps all entries together under a megabyte.
  static let mostGrown = 28_000

  /// Octets of a file of hexadecimal text. Lines that begin with # are comments.
  static func octets(ofHex text: String) -> [UInt8] {
    let digits =
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined().compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// The inputs in Fuzz/Corpus/FOLDER, or in the same folder of NEARBY_FUZZ_CORPUS, ordered by file name.
  ///
  /// - Throws: If the folder can't be read.
  static func seeds(_ folder: String) throws -> [[UInt8]] {
    let path = (ProcessInfo.processInfo.environment["NEARBY_FUZZ_CORPUS"] ?? "Fuzz/Corpus") + "/" + folder
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasSuffix(".md") }.sorted()
      .map { name in
        let data = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
        return name.hasSuffix(".hex") ? octets(ofHex: String(decoding: data, as: UTF8.self)) : [UInt8](data)
      }
  }

  /// The inputs in Fuzz/Grown/ENTRY.txt, one per line; empty if the file does not exist.
  static func grown(_ entry: FuzzEntry) throws -> [[UInt8]] {
    let path = grownPath(entry)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { octets(ofHex: String($0)) }
  }

  /// Writes the files of a folder to Fuzz/Grown/ENTRY.txt, the shortest first, as far as they fit.
  ///
  /// - Returns: How many inputs the folder has, and how many were written.
  static func pack(_ entry: FuzzEntry, from folder: String) throws -> (found: Int, written: Int) {
    let seeds = Set(try seeds(entry.corpus))
    let inputs = try FileManager.default.contentsOfDirectory(atPath: folder)
      .map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) }
      .filter { !$0.isEmpty && !seeds.contains($0) }
      .sorted { ($0.count, hex($0)) < ($1.count, hex($1)) }
    var text = "# What guided runs of \(entry.name) found; written by `make fuzz-corpus`.\n"
    var written = 0
    for input in inputs {
      let line = hex(input) + "\n"
      guard text.utf8.count + line.utf8.count <= mostGrown else { break }
      text += line
      written += 1
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: grownPath(entry)))
    return (inputs.count, written)
  }

  private static func grownPath(_ entry: FuzzEntry) -> String { "Fuzz/Grown/\(entry.name).txt" }

  private static func hex(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
