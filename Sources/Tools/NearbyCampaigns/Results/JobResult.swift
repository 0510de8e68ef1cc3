import Foundation
import NearbyScenarios
import NearbySteppedWorld
import NearbyTextForms

/// The result of one job. As text it is one JSON object on a line, which is the same in every run but for its last
/// key, `ms`.
package struct JobResult: Equatable, Sendable {
  /// The job's digest, 64 hexadecimal digits.
  package let digest: String
  package let file: String
  package let settings: [ScenarioSetting]
  package let seed: UInt64
  package let version: String
  /// The programs that were devices.
  package let programs: [ProgramEntry]
  package let scores: [ScoreValue]
  /// How long the job took, milliseconds.
  package let milliseconds: Double

  package init(_ job: CampaignJob, scores: [ScoreValue], milliseconds: Double) {
    digest = job.digest
    file = job.file
    settings = job.settings
    seed = job.seed
    version = job.version
    programs = job.programs
    self.scores = scores
    self.milliseconds = milliseconds
  }

  package var failures: [String] { scores.compactMap(\.failure) }
  package var command: String {
    CampaignJob.command(file: file, settings: settings, seed: seed, programs: programs)
  }

  // MARK: Text

  static let prefix = "{\"job\":\""
  static let digestLength = 64

  /// Without a line feed.
  package var line: String {
    var line = JSONLine()
    line.add("job", text: digest)
    line.add("scenario", text: file)
    // Other readers of JSON keep whole numbers exactly only up to 2⁵³.
    if seed <= 1 << 53 { line.add("seed", json: "\(seed)") } else { line.add("seed", text: "\(seed)") }
    line.add("settings", json: CampaignJob.json(settings))
    line.add("version", text: version)
    if !programs.isEmpty { line.add("run", json: CampaignJob.json(programs)) }
    var values = JSONLine()
    for score in scores { values.add(score.name, exactly: score.value) }
    line.add("scores", json: values.closed())
    var failed = JSONLine()
    for score in scores {
      if let failure = score.failure { failed.add(score.name, text: failure) }
    }
    line.add("failures", json: failed.closed())
    line.add("ms", milliseconds, decimals: 3)
    return line.closed()
  }

  /// Why a line is no result.
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case notJSON
    case missing(key: String)
    case wrong(key: String)

    package var description: String {
      switch self {
      case .notJSON: "expected a result as one JSON object; the line is cut or damaged"
      case .missing(let key): "expected a result of 'nearby campaign run'; the key '\(key)' is missing"
      case .wrong(let key): "the value of '\(key)' has the wrong type"
      }
    }
  }

  /// The octets of a line beyond which it is no result.
  package static let longestLine = 1 << 20

  /// Parses a line.
  package init(parsing line: some Collection<UInt8>) throws(Failure) {
    guard let json = try? LocatedJSON(parsing: String(decoding: line, as: UTF8.self)),
      case .object(let members) = json.value
    else { throw .notJSON }
    let fields = Fields(members: members)
    digest = try fields.text("job")
    guard Self.isDigest(digest.utf8) else { throw .wrong(key: "job") }
    file = try fields.text("scenario")
    version = try fields.text("version")
    seed = try fields.seed("seed")
    settings = try fields.object("settings").map { member throws(Failure) in
      guard case .string(let text) = member.value.value else { throw .wrong(key: "settings") }
      return ScenarioSetting(key: member.key, text: text)
    }
    programs = try fields.optionalObject("run").map { member throws(Failure) in
      guard case .string(let text) = member.value.value else { throw .wrong(key: "run") }
      return ProgramEntry(device: member.key, command: text)
    }
    let failures = try fields.object("failures")
    scores = try fields.object("scores").map { member throws(Failure) in
      let failure = try failures.first { $0.key == member.key }.map { found throws(Failure) in
        guard case .string(let text) = found.value.value else { throw .wrong(key: "failures") }
        return text
      }
      switch member.value.value {
      case .null: return ScoreValue(name: member.key, value: nil, failure: failure)
      // Beyond that no score means anything, and differences of infinities are no numbers.
      case .number(let value) where value.magnitude <= 1e15:
        return ScoreValue(name: member.key, value: value, failure: failure)
      case .number, .bool, .string, .array, .object: throw .wrong(key: "scores")
      }
    }
    guard case .number(let time)? = fields.value("ms")?.value else { throw .missing(key: "ms") }
    milliseconds = time
  }

  /// The keys of a result.
  private struct Fields {
    let members: [LocatedJSON.Member]

    func value(_ key: String) -> LocatedJSON? { members.first { $0.key == key }?.value }

    private func required(_ key: String) throws(Failure) -> LocatedJSON.Value {
      guard let found = value(key) else { throw .missing(key: key) }
      return found.value
    }

    func text(_ key: String) throws(Failure) -> String {
      guard case .string(let text) = try required(key) else { throw .wrong(key: key) }
      return text
    }

    func object(_ key: String) throws(Failure) -> [LocatedJSON.Member] {
      guard case .object(let members) = try required(key) else { throw .wrong(key: key) }
      return members
    }

    /// Empty if the key is missing.
    func optionalObject(_ key: String) throws(Failure) -> [LocatedJSON.Member] {
      value(key) == nil ? [] : try object(key)
    }

    func seed(_ key: String) throws(Failure) -> UInt64 {
      switch try required(key) {
      case .string(let text):
        if let seed = UInt64(text) { return seed }
      case .number(let number):
        if let seed = UInt64(exactly: number), seed <= 1 << 53 { return seed }
      case .null, .bool, .array, .object: break
      }
      throw .wrong(key: key)
    }
  }

  static func isDigest(_ text: some Collection<UInt8>) -> Bool {
    text.count == digestLength
      && text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
