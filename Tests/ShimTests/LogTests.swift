import Testing

@testable import os

@Suite("Log messages")
struct LogTests {
  @Test("Private values are hidden; numbers are shown unless private")
  func privacy() {
    let (name, count, share) = ("Ann", 3, 0.5)
    let message: OSLogMessage =
      "found \(name) \(name, privacy: .public) \(count) \(count, privacy: .private) \(share, format: .fixed(precision: 2)) \(255, format: .hex)"
    #expect(message.text == "found <private> Ann 3 <private> 0.50 ff")
    let masked: OSLogMessage =
      "\(name, privacy: .private(mask: .hash)) \(name, align: .right(columns: 5), privacy: .public)"
    #expect(masked.text.hasPrefix("<mask.hash: '"))
    #expect(masked.text.hasSuffix("  Ann"))
    let nothing: Int? = nil
    let described: OSLogMessage = "\(String(describing: nothing), privacy: .public) \(true)"
    #expect(described.text == "nil true")
  }

  @Test(
    "printf-style messages are formatted",
    arguments: [
      ("%d of %{public}@", [3, "Ann"] as [any CVarArg & Sendable], "3 of Ann"), ("%@", ["Ann"], "<private>"),
      ("%{private}d 100%%", [3], "<private> 100%"), ("%.2f m", [1.234], "1.23 m"), ("%02x", [10], "0a"),
      ("%d %d", [1], "1 <missing>"), ("%{public}s", ["x"], "x"), ("%llu", [7], "7"), ("%", [], "<missing>"),
    ])
  func format(format: String, arguments: [any CVarArg & Sendable], expected: String) {
    #expect(LogFormat.text(format, arguments) == expected)
  }

  @Test("A line has type, subsystem and category; in the journal it starts with the priority")
  func lines() {
    let log = OSLog(subsystem: "com.example", category: "ranging")
    let plain = LogOutput(environment: [:])
    #expect(
      plain.line(.error, log, "lost", at: Date(timeIntervalSince1970: 1.5))
        == "1.500 error [com.example:ranging] lost")
    #expect(!plain.isEnabled(.debug))
    #expect(plain.isEnabled(.info))
    let journal = LogOutput(environment: ["JOURNAL_STREAM": "8:1", "NEARBY_LOG": "error"])
    #expect(journal.line(.error, log, "lost", at: Date()) == "<3>[com.example:ranging] lost")
    #expect(!journal.isEnabled(.default))
  }

  @Test("A message cannot forge a log line or move a terminal's cursor")
  func hostile() {
    let log = OSLog(subsystem: "com.example", category: "names")
    let time = Date(timeIntervalSince1970: 1)
    let line = LogOutput(environment: [:]).line(
      .info, log, "Ann\u{1B}[2J\u{202E}\r\n1.000 fault forged", at: time)
    #expect(line == "1.000 info [com.example:names] Ann�[2J��\n    1.000 fault forged")
  }
}
