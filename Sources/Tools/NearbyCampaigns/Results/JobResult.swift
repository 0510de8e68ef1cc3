import Foundation
import NearbyScenarios
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
  package let scores: [ScoreValue]
  /// How long the job took, milliseconds.
  package let milliseconds: Double

  package init(_ job: CampaignJob, scores: [ScoreValue], milliseconds: Double) {
    digest = job.digest
    file = job.file
    settings = job.settings
    seed = job.seed
    version = job.version
    self.scores = scores
    self.milliseconds = milliseconds
  }

  package var failures: [String] { scores.compactMap(\.failure) }
  package var command: String { CampaignJob.command(file: file, settings: settings, seed: seed) }

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
    var values = JSONLine()
    for score in scores { values.add(score.name, exactly: score.value) }
    line.add("scores", json: values.closed())
    var failed = JSONLine()
    for score in scores { if let failure = score.failure { failed.add(score.name, text: failure) } }
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
  package init(parsing line: some Sequence<UInt8>) throws(Failure) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      throw .notJSON
    }
    func value<Value>(_ key: String) throws(Failure) -> Value {
      guard let found = object[key] else { throw .missing(key: key) }
      guard let value = found as? Value else { throw .wrong(key: key) }
      return value
    }
    digest = try value("job")
    guard Self.isDigest(digest.utf8) else { throw .wrong(key: "job") }
    file = try value("scenario")
    version = try value("version")
    seed = try Self.seed(object["seed"])
    let settings: [String: String] = try value("settings")
    self.settings = settings.sorted { $0.key < $1.key }.map { ScenarioSetting(key: $0.key, text: $0.value) }
    let failures: [String: String] = try value("failures")
    let values: [String: Any] = try value("scores")
    var scores: [ScoreValue] = []
    for (name, found) in values.sorted(by: { $0.key < $1.key }) {
      guard found is NSNull || found is NSNumber else { throw .wrong(key: "scores") }
      let number = (found as? NSNumber)?.doubleValue
      scores.append(ScoreValue(name: name, value: number, failure: failures[name]))
    }
    self.scores = scores
    milliseconds = (object["ms"] as? NSNumber)?.doubleValue ?? 0
  }

  private static func seed(_ found: Any?) throws(Failure) -> UInt64 {
    guard let found else { throw .missing(key: "seed") }
    if let text = found as? String, let seed = UInt64(text) { return seed }
    guard let number = found as? NSNumber, let seed = UInt64(exactly: number.doubleValue), seed <= 1 << 53
    else {
      throw .wrong(key: "seed")
    }
    return seed
  }

  static func isDigest(_ text: some Collection<UInt8>) -> Bool {
    text.count == digestLength
      && text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
