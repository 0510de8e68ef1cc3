import Foundation

/// The program's commands when libFuzzer does not drive it.
enum FuzzCommand {
  private static let usage = """
    usage: NearbyFuzz <entry|all> <count> <seed>  run the corpus and a fixed sequence of mutations of it
           NearbyFuzz run <entry> <file>...       run single inputs, to reproduce a finding
           NearbyFuzz list                        print the names of the entries
           NearbyFuzz export <entry> <folder>     write the corpus and a dictionary, for libFuzzer
           NearbyFuzz pack <entry> <folder>       write a folder of inputs as Fuzz/Grown/<entry>.txt

    """

  static func run(_ arguments: [String]) {
    do {
      switch (arguments.first, arguments.count) {
      case ("list", 1): entries.forEach { write($0.name + "\n") }
      case ("run", 3...): try reproduce(entry(arguments[1]), arguments.dropFirst(2))
      case ("export", 3): try export(entry(arguments[1]), to: arguments[2])
      case ("pack", 3):
        let (found, written) = try Corpus.pack(entry(arguments[1]), from: arguments[2])
        write("\(arguments[1]): \(written) of \(found) inputs written\n")
      case (let name?, 3): try mutate(name, Int(arguments[1]), UInt64(arguments[2]))
      case _: fail(usage)
      }
    } catch {
      fail("NearbyFuzz: \(error.localizedDescription)\n")
    }
  }

  static func entry(_ name: String) -> FuzzEntry {
    guard let entry = entries.first(where: { $0.name == name }) else {
      fail("NearbyFuzz: no entry '\(name)'; `NearbyFuzz list` prints their names\n")
    }
    return entry
  }

  private static func reproduce(_ entry: FuzzEntry, _ files: ArraySlice<String>) throws {
    for file in files {
      entry.run([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))))
      write("\(entry.name): \(file): no finding\n")
    }
  }

  private static func mutate(_ name: String, _ count: Int?, _ seed: UInt64?) throws {
    guard let count, count >= 0, let seed else { fail(usage) }
    for entry in name == "all" ? entries : [entry(name)] { try mutate(entry, count, seed) }
  }

  private static func mutate(_ entry: FuzzEntry, _ count: Int, _ seed: UInt64) throws {
    let corpus = try Corpus.seeds(entry.corpus) + Corpus.grown(entry)
    var mutator = Mutator(
      corpus: corpus, words: entry.dictionary, longest: entry.longest, frames: entry.frames,
      random: FuzzRandom(state: seed))
    let start = ContinuousClock.now
    corpus.forEach(entry.run)
    for _ in 0..<count { entry.run(mutator.next()) }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    write(
      "\(entry.name): \(corpus.count) corpus entries and \(count) mutations of seed \(seed), no finding, "
        + String(format: "%.1f s\n", seconds))
  }

  /// Writes FOLDER/seeds/NUMBER, and libFuzzer's settings FOLDER/words and FOLDER/options.
  private static func export(_ entry: FuzzEntry, to folder: String) throws {
    let folder = URL(fileURLWithPath: folder)
    let seeds = folder.appendingPathComponent("seeds")
    try? FileManager.default.removeItem(at: seeds)
    try FileManager.default.createDirectory(at: seeds, withIntermediateDirectories: true)
    for (number, octets) in try (Corpus.seeds(entry.corpus) + Corpus.grown(entry)).enumerated() {
      try Data(octets).write(to: seeds.appendingPathComponent("\(number)"))
    }
    let words = entry.dictionary.map { "\"" + $0.map(escaped).joined() + "\"\n" }.joined()
    try Data(words.utf8).write(to: folder.appendingPathComponent("words"))
    try Data("-max_len=\(entry.longest)\n".utf8).write(to: folder.appendingPathComponent("options"))
  }

  private static func escaped(_ octet: UInt8) -> String {
    let isPlain = (0x20..<0x7F).contains(octet) && octet != 0x22 && octet != 0x5C
    guard !isPlain else { return String(UnicodeScalar(octet)) }
    return "\\x" + String(octet >> 4, radix: 16) + String(octet & 15, radix: 16)
  }

  /// Unbuffered, unlike `print`: a buffered line would be lost if the next entry crashes.
  private static func write(_ line: String) { FileHandle.standardOutput.write(Data(line.utf8)) }

  static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data(text.utf8))
    exit(64)
  }
}

#if !GUIDED_FUZZING
  @main struct NearbyFuzz {
    static func main() { FuzzCommand.run(Array(CommandLine.arguments.dropFirst())) }
  }
#endif
