import Foundation

/// One entry point of the fuzzer: a name, where its corpus is, what takes the octets.
struct FuzzEntry {
  let name: String
  /// A folder in Fuzz/Corpus with files of hexadecimal text.
  let corpus: String
  let run: ([UInt8]) -> Void
}

let entries: [FuzzEntry] = [
  FuzzEntry(name: "uci-decoder", corpus: "uci", run: fuzzUCIDecoder),
  FuzzEntry(name: "uci-host", corpus: "uci", run: fuzzUCIHost),
]

/// Octets of a file of hexadecimal text; lines that begin with # are remarks.
func octets(ofHex text: String) -> [UInt8] {
  let digits =
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined().compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The corpus in the order of its file names; a folder that can not be read is an error.
func corpus(_ folder: String) throws -> [[UInt8]] {
  let root = ProcessInfo.processInfo.environment["NEARBY_FUZZ_CORPUS"] ?? "Fuzz/Corpus"
  let path = root + "/" + folder
  return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".hex") }.sorted()
    .map { octets(ofHex: try String(contentsOfFile: path + "/" + $0, encoding: .utf8)) }
}

func complain(_ line: String) -> Never {
  FileHandle.standardError.write(Data((line + "\n").utf8))
  exit(64)
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), count >= 0, let seed = UInt64(arguments[3]) else {
  complain("usage: NearbyFuzz <\(entries.map(\.name).joined(separator: "|"))> <count> <seed>")
}
guard let entry = entries.first(where: { $0.name == arguments[1] }) else {
  complain("NearbyFuzz: no entry \(arguments[1]); there are \(entries.map(\.name).joined(separator: ", "))")
}
do {
  let corpus = try corpus(entry.corpus)
  var mutator = Mutator(corpus: corpus, random: FuzzRandom(state: seed))
  corpus.forEach(entry.run)
  for _ in 0..<count { entry.run(mutator.next()) }
  print("\(entry.name): \(corpus.count) corpus entries and \(count) mutations of seed \(seed), no finding")
} catch {
  complain("NearbyFuzz: Fuzz/Corpus/\(entry.corpus): \(error.localizedDescription)")
}
