/// One entry of the fuzzer: a name, the folder of its corpus, and the function that runs on an input.
struct FuzzEntry: Sendable {
  let name: String
  /// A folder in Fuzz/Corpus: `*.hex` is hexadecimal text, `*.md` is ignored, and anything else is used
  /// unchanged.
  let corpus: String
  /// Words of the input's language, which mutations insert.
  var words: [String] = []
  /// The longest input in octets. Longer ones cost more time than they are worth.
  var longest = 4096
  /// How the octets are divided into frames, so that mutations can repeat, move and resize whole frames.
  var frames: FrameShape?
  let run: @Sendable ([UInt8]) -> Void

  /// What mutations insert: the words, and for frames also numbers at the edges of their types.
  var dictionary: [[UInt8]] { words.map { Array($0.utf8) } + (frames == nil ? [] : edgesOfNumbers) }
}

/// Little-endian numbers at the edges of their types: integers of 16, 32 and 64 bits, and `Double`s.
private let edgesOfNumbers: [[UInt8]] = {
  func octets(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
  let wholes =
    [octets(UInt16.max), octets(Int16.max), octets(Int16.min), octets(UInt16(256))]
    + [
      octets(UInt32.max), octets(UInt32.max - 1), octets(Int32.max), octets(Int32.min),
      octets(UInt32(65_536)),
    ]
    + [octets(UInt64.max), octets(Int64.max), octets(Int64.min), octets(UInt64(1) << 48)]
  let numbers = [1, -1, 1e-300, 1e9, 1e300, .nan, .infinity, -.infinity, -0.0, 100]
  return wholes + numbers.map { octets($0.bitPattern) }
}()

/// Numbers that parsers often get wrong.
let numbers = [
  "1e308", "-1e308", "1e-320", "NaN", "Infinity", "-Infinity", "-0", "0x7fffffffffffffff", "1e19", "-1",
  "9007199254740993", "18446744073709551616", "0.1e", "1e400",
]
let scenarioWords = [
  "{", "}", "[", "]", ",", ":", "devices", "motion", "stand", "walk", "speed", "seed", "at", "events",
  "walls", "null", "true", "'", "/*", "//", "\\u0000",
]

let siteWords = [
  "a/range ", "b/range ", "a/advertisement ", "a/difference ", "{", "}", "[", "]", ",", ":", "\n",
  "\"t\":100", "\"n\":",
  "\"peer\":\"t\"", "\"d\":3", "\"s\":0.1", "\"nlos\":1", "\"rssi\":-60", "\"from\":\"b\"",
  "\"event\":\"subscribe\"",
  "\"topic\":\"location_updates\"", "\"params\":{}", "\"subscription_id\":1",
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
  FuzzEntry(name: "accessory-setup", corpus: "accessory-setup", longest: 256, run: fuzzAccessorySetup),
  FuzzEntry(name: "uci-decoder", corpus: "uci", frames: .uci(after: 0), run: fuzzUCIDecoder),
  FuzzEntry(name: "uci-host", corpus: "uci", longest: 1024, frames: .uci(after: 1), run: fuzzUCIHost),
  FuzzEntry(
    name: "controller", corpus: "controller", longest: 1024, frames: .uci(after: 1), run: fuzzController),
  FuzzEntry(name: "device", corpus: "uci", longest: 1024, frames: .uci(after: 1), run: fuzzDevice),
  FuzzEntry(name: "peer-frames", corpus: "peer", frames: .peer(after: 0), run: fuzzPeerFrames),
  FuzzEntry(name: "peer-node", corpus: "peer", longest: 1024, frames: .peer(after: 1), run: fuzzPeerNode),
  FuzzEntry(name: "peer-strangers", corpus: "peer-strangers", run: fuzzPeerStrangers),
  FuzzEntry(name: "peer-session", corpus: "peer-session", longest: 1024, run: fuzzPeerSession),
  FuzzEntry(
    name: "received-file", corpus: "received-file", words: ["/", "..", ".", "\u{0}", "ü", "日", "-2"],
    run: fuzzReceivedFile),
  FuzzEntry(
    name: "peer-archives", corpus: "peer-archive", words: ["~v=1", "~id=", "~n=", "\u{0}", "="],
    run: fuzzPeerArchives),
  FuzzEntry(name: "relay-frames", corpus: "relay", longest: 1024, run: fuzzRelayFrames),
  FuzzEntry(
    name: "relay-announcement", corpus: "relay", words: ["~v=1", "~id=", "~n=", "="], longest: 2048,
    run: fuzzRelayAnnouncement),
  FuzzEntry(
    name: "relay-subject", corpus: "relay", words: ["nearby.peers.1.to.", ".", "new"], longest: 256,
    run: fuzzRelaySubject),
  FuzzEntry(
    name: "site-readings", corpus: "site", words: numbers + siteWords, longest: 2048, run: fuzzSiteReadings),
  FuzzEntry(name: "site-checkpoint", corpus: "site", longest: 4096, run: fuzzSiteCheckpoint),
  FuzzEntry(name: "site-view", corpus: "site", longest: 4096, run: fuzzSiteView),
  FuzzEntry(
    name: "omlox-subscriptions", corpus: "site", words: siteWords, longest: 2048,
    run: fuzzOmloxSubscriptions),
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
  FuzzEntry(
    name: "sounding-recording", corpus: "sounding", words: numbers + [",", "\n", "\"", "\r\n", "-1"],
    run: fuzzSoundingRecording),
  FuzzEntry(name: "poses", corpus: "poses", words: numbers + [" ", "\n", "\t", "\r\n", "#"], run: fuzzPoses),
  FuzzEntry(
    name: "world-frame", corpus: "world-frame", longest: 2048, frames: .world(after: 0), run: fuzzWorldFrame),
  FuzzEntry(name: "world-bluetooth", corpus: "world-bluetooth", longest: 128, run: fuzzWorldBluetooth),
  FuzzEntry(name: "hosted-world", corpus: "hosted-world", longest: 192, run: fuzzHostedWorld),
  FuzzEntry(name: "world-clock", corpus: "world-clock", longest: 512, run: fuzzWorldClock),
  FuzzEntry(
    name: "saved-state", corpus: "saved-state", words: numbers + scenarioWords, longest: 2048,
    run: fuzzSavedState),
  FuzzEntry(name: "page-order", corpus: "page-order", words: numbers + pageWords, run: fuzzPageOrder),
  FuzzEntry(name: "web-socket", corpus: "web-socket", run: fuzzWebSocket),
  FuzzEntry(name: "hci-reports", corpus: "hci-reports", run: fuzzHCIReports),
  FuzzEntry(name: "bluez-signals", corpus: "bluez-signals", run: fuzzBlueZSignals),
  FuzzEntry(
    name: "swift-source", corpus: "swift-source", words: sourceWords, longest: 1024, run: fuzzSwiftSource),
  FuzzEntry(name: "xcode-project", corpus: "xcode-project", words: projectWords, run: fuzzXcodeProject),
  FuzzEntry(
    name: "radio-address", corpus: "radio-address", words: ["tcp:", "serial:", "@", "[", "]", ":", "65536"],
    run: fuzzRadioAddress),
]
