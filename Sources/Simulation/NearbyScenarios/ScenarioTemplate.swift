import Foundation

/// A scenario file that was parsed once, to be read with different settings.
package struct ScenarioTemplate: Sendable {
  private let json: LocatedJSON
  private let file: String

  /// - Parameters:
  ///   - data: As in `Scenario.init(parsing:file:progress:)`.
  ///   - file: Name of the file in errors.
  ///   - progress: Called on this thread while a large file is parsed.
  package init(
    parsing data: Data, file: String, progress: ScenarioProgress? = nil
  ) throws(ScenarioError) {
    self.file = file
    json = try LocatedJSON(parsing: data, file: file, progress)
  }

  /// The scenario with some settings, made in their order.
  package func scenario(with settings: [ScenarioSetting] = []) throws(ScenarioSettingError) -> Scenario {
    var json = json
    for setting in settings { try json.apply(setting) }
    var reader = ScenarioReader(file: file)
    do throws(ScenarioError) {
      return try reader.scenario(json)
    } catch {
      throw .invalid(settings: settings, error)
    }
  }
}

extension LocatedJSON {
  /// Parses a whole file.
  init(parsing data: Data, file: String, _ progress: ScenarioProgress?) throws(ScenarioError) {
    guard data.count <= ScenarioLimits.octets else {
      throw ScenarioError(
        file: file, line: 1, column: 1, path: "",
        problem: .outOfRange(
          found: "\(data.count) octets", expected: "a file of at most \(ScenarioLimits.octets)"))
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw ScenarioError(
        file: file, line: 1, column: 1, path: "",
        problem: .syntax(found: "octets that are not UTF-8", expected: "JSON5 text"))
    }
    do throws(SyntaxError) {
      self = try LocatedJSON(parsing: text, progress)
    } catch {
      throw ScenarioError(
        file: file, line: error.place.line, column: error.place.column, path: "",
        problem: .syntax(found: error.found, expected: error.expected))
    }
  }
}
