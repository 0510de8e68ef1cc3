import Foundation

/// One entry point of the fuzzer: a name, where its corpus is, what takes the octets.
struct FuzzEntry {
  let name: String
  /// A folder in Fuzz/Corpus: `*.hex` are hexadecimal text, `*.md` remarks, anything else is taken as it is.
  let corpus: String
  /// Words of the language that the octets are in, to be put in here and there.
  var words: [String] = []
  let run: ([UInt8]) -> Void
}

/// Numbers that readers trip over.
let numbers = [
  "1e308", "-1e308", "1e-320", "NaN", "Infinity", "-Infinity", "-0", "0x7fffffffffffffff", "1e19", "-1",
  "9007199254740993", "18446744073709551616", "0.1e", "1e400",
]
let scenarioWords = [
  "{", "}", "[", "]", ",", ":", "devices", "motion", "stand", "walk", "speed", "seed", "at", "events",
  "walls", "null", "true", "'", "/*", "//", "\\u0000",
]

let pageWords = [
  "{", "}", "[", "]", ",", ":", "\"do\"", "\"place\"", "\"device\"", "\"value\"", "\"p\"", "null", "true",
  "\"addWall\"",
  "\"turn\"", "\"rate\"", "\"step\"", "\"save\"", "\\u0000",
]

let sourceWords = [
  "\"", "\"\"\"", "#\"", "\\(", "\\#(", "/*", "*/", "//", "/", "#if", "#else", "#endif", "os(iOS)", "{", "}",
  "(", ")",
  "[", "]", "class ", "enum ", "case ", "let ", "for ", " in ", "`", "@objc ", ":", ",", ".", "<", ">",
  "import ",
]
let projectWords = [
  "{", "}", "(", ")", "=", ";", ",", "\"", "\\", "/*", "*/", "isa", "children", "path", "<", ">",
]

let entries: [FuzzEntry] = [
  FuzzEntry(name: "uci-decoder", corpus: "uci", run: fuzzUCIDecoder),
  FuzzEntry(name: "uci-host", corpus: "uci", run: fuzzUCIHost),
  FuzzEntry(name: "controller", corpus: "controller", run: fuzzController),
  FuzzEntry(name: "device", corpus: "uci", run: fuzzDevice),
  FuzzEntry(name: "peer-frames", corpus: "peer", run: fuzzPeerFrames),
  FuzzEntry(name: "peer-node", corpus: "peer", run: fuzzPeerNode),
  FuzzEntry(name: "peer-session", corpus: "peer-session", run: fuzzPeerSession),
  FuzzEntry(
    name: "received-file", corpus: "received-file", words: ["/", "..", ".", "\u{0}", "ü", "日", "-2"],
    run: fuzzReceivedFile),
  FuzzEntry(
    name: "peer-archives", corpus: "peer-archive", words: ["~v=1", "~id=", "~n=", "\u{0}", "="],
    run: fuzzPeerArchives),
  FuzzEntry(name: "channel-preamble", corpus: "network", words: ["NRBY"], run: fuzzChannelPreamble),
  FuzzEntry(name: "service-text", corpus: "network", words: ["=", "~id="], run: fuzzServiceText),
  FuzzEntry(name: "service-table", corpus: "network", run: fuzzServiceTable),
  FuzzEntry(name: "token-archive", corpus: "token-archive", run: fuzzTokenArchive),
  FuzzEntry(name: "accessory-configuration", corpus: "accessory", run: fuzzAccessoryConfiguration),
  FuzzEntry(name: "shareable-configuration", corpus: "accessory", run: fuzzShareableConfiguration),
  FuzzEntry(name: "accessory-machine", corpus: "accessory", run: fuzzAccessoryMachine),
  FuzzEntry(name: "discovery-identity", corpus: "discovery-identity", run: fuzzDiscoveryIdentity),
  FuzzEntry(name: "scenario", corpus: "scenario", words: numbers + scenarioWords, run: fuzzScenario),
  FuzzEntry(
    name: "recording", corpus: "recording", words: numbers + [",", "\n", "\"", "\r\n"], run: fuzzRecording),
  FuzzEntry(name: "beacon-frames", corpus: "beacon-frame", run: fuzzBeaconFrames),
  FuzzEntry(name: "region-snapshot", corpus: "region-snapshot", words: ["NBRM"], run: fuzzRegionSnapshot),
  FuzzEntry(
    name: "rssi-recording", corpus: "rssi", words: numbers + [",", "\n", "\"", "\r\n", "-60"],
    run: fuzzRSSIRecording),
  FuzzEntry(name: "poses", corpus: "poses", words: numbers + [" ", "\n", "\t", "\r\n", "#"], run: fuzzPoses),
  FuzzEntry(name: "world-frame", corpus: "world-frame", run: fuzzWorldFrame),
  FuzzEntry(name: "page-order", corpus: "page-order", words: numbers + pageWords, run: fuzzPageOrder),
  FuzzEntry(name: "hci-reports", corpus: "hci-reports", run: fuzzHCIReports),
  FuzzEntry(name: "bluez-signals", corpus: "bluez-signals", run: fuzzBlueZSignals),
  FuzzEntry(name: "swift-source", corpus: "swift-source", words: sourceWords, run: fuzzSwiftSource),
  FuzzEntry(name: "xcode-project", corpus: "xcode-project", words: projectWords, run: fuzzXcodeProject),
  FuzzEntry(
    name: "radio-address", corpus: "radio-address", words: ["tcp:", "serial:", "@", "[", "]", ":", "65536"],
    run: fuzzRadioAddress),
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
  return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasSuffix(".md") }.sorted()
    .map { name in
      let data = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
      return name.hasSuffix(".hex") ? octets(ofHex: String(decoding: data, as: UTF8.self)) : [UInt8](data)
    }
}

func run(_ entry: FuzzEntry, count: Int, seed: UInt64) throws {
  let corpus = try corpus(entry.corpus)
  var mutator = Mutator(
    corpus: corpus, words: entry.words.map { Array($0.utf8) }, random: FuzzRandom(state: seed))
  let start = ContinuousClock.now
  corpus.forEach(entry.run)
  for _ in 0..<count { entry.run(mutator.next()) }
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  // Not by print: what is in its buffer is lost when the next entry has a finding.
  let line =
    "\(entry.name): \(corpus.count) corpus entries and \(count) mutations of seed \(seed), no finding, "
    + String(format: "%.1f s\n", seconds)
  FileHandle.standardOutput.write(Data(line.utf8))
}

func complain(_ line: String) -> Never {
  FileHandle.standardError.write(Data((line + "\n").utf8))
  exit(64)
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), count >= 0, let seed = UInt64(arguments[3]) else {
  complain("usage: NearbyFuzz <all|\(entries.map(\.name).joined(separator: "|"))> <count> <seed>")
}
let chosen = entries.filter { arguments[1] == "all" || $0.name == arguments[1] }
if chosen.isEmpty {
  complain("NearbyFuzz: no entry \(arguments[1]); there are \(entries.map(\.name).joined(separator: ", "))")
}
for entry in chosen {
  do {
    try run(entry, count: count, seed: seed)
  } catch {
    complain("NearbyFuzz: Fuzz/Corpus/\(entry.corpus): \(error.localizedDescription)")
  }
}
