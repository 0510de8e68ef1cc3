/// What a command's table lists as an argument by place.
package protocol DeclaredArgument: Sendable {
  var spec: PositionalSpec { get }
}

/// An argument by place as a typed value: listed by the table, and read by the command.
package struct PositionalArgument<Value>: DeclaredArgument {
  package let spec: PositionalSpec
  let read: @Sendable (String?) throws(UsageError) -> Value
}

extension PositionalArgument {
  /// One that a call must have; the parser sees to that.
  package static func required(_ name: String, _ help: String, as reader: OptionReader<Value>) -> Self {
    Self(spec: PositionalSpec(name, help, kind: reader.kind)) { text throws(UsageError) in
      guard let text else { throw .missingArgument(name) }
      return try reader.argument(text, named: name)
    }
  }

  /// One that may be absent; only the last may be.
  package static func optional<Read>(
    _ name: String, _ help: String, as reader: OptionReader<Read>
  ) -> Self where Value == Read? {
    Self(spec: PositionalSpec(name, help, kind: reader.kind, isOptional: true)) { text throws(UsageError) in
      guard let text else { return nil }
      return try reader.argument(text, named: name)
    }
  }
}

extension OptionReader {
  fileprivate func argument(_ text: String, named name: String) throws(UsageError) -> Value {
    guard let value = read(text) else {
      throw .invalidValue(option: name, found: text, expected: expected)
    }
    return value
  }
}
