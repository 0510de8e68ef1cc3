/// A value that replaces, or adds, one of a scenario file's: `devices.ben.loss` set to `0.1`.
///
/// The key is a path of keys with dots between them. An entry of a list is named by its position from 0, or by its
/// `name`. The value is JSON5; text that does not parse as JSON5 is taken as a string.
package struct ScenarioSetting: Equatable, Sendable {
  package let key: String
  package let text: String

  package init(key: String, text: String) {
    self.key = key
    self.text = text
  }

  /// Parses `KEY=A,B,…` into one setting for each value. Commas inside brackets, braces and quotation marks do not
  /// separate values.
  ///
  /// - Returns: `nil` if there is no key or no value.
  package static func list(parsing text: String) -> [ScenarioSetting]? {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
    let key = String(text[..<sign])
    let values = split(text[text.index(after: sign)...])
    guard !values.contains("") else { return nil }
    return values.map { ScenarioSetting(key: key, text: $0) }
  }

  private static func split(_ text: Substring) -> [String] {
    var values: [String] = []
    var value = ""
    var depth = 0
    var quote: Character?
    for character in text {
      switch character {
      case "\"", "'":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case "[" where quote == nil, "{" where quote == nil: depth += 1
      case "]" where quote == nil, "}" where quote == nil: depth -= 1
      case "," where quote == nil && depth <= 0:
        values.append(value)
        value = ""
        continue
      default: break
      }
      value.append(character)
    }
    return values + [value]
  }
}

/// Why a setting cannot be made.
package enum ScenarioSettingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file has no such entry. Carries the part of the path up to it, and the entries that exist there.
  case unknown(ScenarioSetting, path: String, known: [String])
  /// The part of the path before the last key names a value without keys.
  case notAContainer(ScenarioSetting, path: String)
  /// The seed is not a setting.
  case seed
  /// The scenario is invalid with the setting.
  case invalid(settings: [ScenarioSetting], ScenarioError)

  package var description: String {
    switch self {
    case .unknown(let setting, let path, let known):
      "\(setting.key): no entry '\(path)'"
        + (known.isEmpty ? "" : "; expected one of \(known.prefix(20).joined(separator: ", "))")
    case .notAContainer(let setting, let path): "\(setting.key): '\(path)' has no entries"
    case .seed: "seed: use the option for seeds"
    case .invalid(let settings, let error):
      settings.isEmpty
        ? "\(error)" : "with \(settings.map { "\($0.key)=\($0.text)" }.joined(separator: ", ")): \(error)"
    }
  }
}

extension LocatedJSON {
  /// Makes a setting.
  mutating func apply(_ setting: ScenarioSetting) throws(ScenarioSettingError) {
    let keys = setting.key.replacingBrackets.split(separator: ".", omittingEmptySubsequences: false)
      .map(String.init)
    guard keys != ["seed"] else { throw .seed }
    try set(keys[...], setting, path: "")
  }

  private mutating func set(
    _ keys: ArraySlice<String>, _ setting: ScenarioSetting, path: String
  ) throws(ScenarioSettingError) {
    guard let key = keys.first else {
      value = Self.value(of: setting.text)
      return
    }
    let here = path.isEmpty ? key : "\(path).\(key)"
    switch value {
    case .object(var members):
      if let index = members.firstIndex(where: { $0.key == key }) {
        try members[index].value.set(keys.dropFirst(), setting, path: here)
      } else if keys.count == 1, !key.isEmpty {
        let new = LocatedJSON(value: Self.value(of: setting.text), place: place)
        members.append(Member(key: key, place: place, value: new))
      } else {
        throw .unknown(setting, path: here, known: members.map(\.key))
      }
      value = .object(members)
    case .array(var elements):
      let byName = elements.firstIndex { $0.name == key }
      guard let index = byName ?? Int(key), elements.indices.contains(index) else {
        throw .unknown(setting, path: here, known: elements.compactMap(\.name))
      }
      try elements[index].set(keys.dropFirst(), setting, path: here)
      value = .array(elements)
    case .null, .bool, .number, .string: throw .notAContainer(setting, path: path)
    }
  }

  private var name: String? {
    guard case .object(let members) = value,
      case .string(let name)? = members.first(where: { $0.key == "name" })?.value.value
    else { return nil }
    return name
  }

  /// A JSON5 value, or the text itself if it does not parse as one.
  private static func value(of text: String) -> Value {
    guard let json = try? LocatedJSON(parsing: text) else { return .string(text) }
    return json.value
  }
}

extension String {
  /// `walls[0].to` as `walls.0.to`.
  fileprivate var replacingBrackets: String {
    var text = ""
    for character in self where character != "]" { text.append(character == "[" ? "." : character) }
    return text
  }
}
