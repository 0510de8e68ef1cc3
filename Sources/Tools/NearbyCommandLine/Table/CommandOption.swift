/// An option that a command's table declares.
package protocol DeclaredOption: Sendable {
  var spec: OptionSpec { get }
}

/// An option as a typed value. The table declares it for help, completion and parsing, and the command reads
/// it through the same value.
package struct CommandOption<Value>: DeclaredOption, CustomStringConvertible {
  package let spec: OptionSpec
  /// Parses the values given, in order; a flag's are empty.
  let read: @Sendable ([String]) throws(UsageError) -> Value

  /// The option as written in a call: `--name`.
  package var description: String { "--\(spec.name)" }
}

extension CommandOption where Value == Bool {
  /// An option without a value: present or absent.
  package static func flag(_ name: String, _ help: String) -> Self {
    Self(spec: .flag(name, help)) { texts in !texts.isEmpty }
  }
}

extension CommandOption {
  /// An option with a value and a default.
  package static func value(
    _ name: String, _ placeholder: String, _ help: String, as reader: OptionReader<Value>,
    default fallback: String
  ) -> Self {
    let spec = OptionSpec.value(name, placeholder, help, kind: reader.kind, fallback: fallback)
    return Self(spec: spec) { texts throws(UsageError) in try reader.value(texts.last ?? fallback, of: spec) }
  }

  /// An option that must be given.
  package static func required(
    _ name: String, _ placeholder: String, _ help: String, as reader: OptionReader<Value>
  ) -> Self {
    let spec = OptionSpec.value(name, placeholder, help, kind: reader.kind)
    return Self(spec: spec) { texts throws(UsageError) in
      guard let text = texts.last else { throw .missing(spec) }
      return try reader.value(text, of: spec)
    }
  }

  /// An option that may be absent.
  package static func optional<Read>(
    _ name: String, _ placeholder: String, _ help: String, as reader: OptionReader<Read>
  ) -> Self where Value == Read? {
    let spec = OptionSpec.value(name, placeholder, help, kind: reader.kind)
    return Self(spec: spec) { texts throws(UsageError) in
      guard let text = texts.last else { return nil }
      return try reader.value(text, of: spec)
    }
  }

  /// An option that may be repeated.
  package static func list<Read>(
    _ name: String, _ placeholder: String, _ help: String, as reader: OptionReader<Read>
  ) -> Self where Value == [Read] {
    let spec = OptionSpec.value(name, placeholder, help, kind: reader.kind, isRepeatable: true)
    return Self(spec: spec) { texts throws(UsageError) in
      var values: [Read] = []
      for text in texts { values.append(try reader.value(text, of: spec)) }
      return values
    }
  }
}

extension OptionReader {
  fileprivate func value(_ text: String, of option: OptionSpec) throws(UsageError) -> Value {
    guard let value = read(text) else {
      throw .invalidValue(option: "--\(option.name)", found: text, expected: expected)
    }
    return value
  }
}
