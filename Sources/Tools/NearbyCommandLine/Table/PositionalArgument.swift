/// A positional argument that a command's table declares.
package protocol DeclaredArgument: Sendable {
  var spec: PositionalSpec { get }
}

/// A positional argument as a typed value: declared by the table, and read by the command.
package struct PositionalArgument<Value>: DeclaredArgument {
  package let spec: PositionalSpec
  /// Parses the words given for it, in order.
  let read: @Sendable ([String]) throws(UsageError) -> Value
}

extension PositionalArgument {
  /// An argument that must be given; the parser enforces it.
  package static func required(_ name: String, _ help: String, as reader: OptionReader<Value>) -> Self {
    Self(spec: PositionalSpec(name, help, kind: reader.kind)) { texts throws(UsageError) in
      guard let text = texts.first else { throw .missingArgument(name) }
      return try reader.argument(text, named: name)
    }
  }

  /// An argument that may be absent. Only the last argument may be optional.
  package static func optional<Read>(
    _ name: String, _ help: String, as reader: OptionReader<Read>
  ) -> Self where Value == Read? {
    Self(spec: PositionalSpec(name, help, kind: reader.kind, isOptional: true)) { texts throws(UsageError) in
      guard let text = texts.first else { return nil }
      return try reader.argument(text, named: name)
    }
  }

  /// An argument that is given once or more. Only the last argument may be a list.
  package static func list<Read>(
    _ name: String, _ help: String, as reader: OptionReader<Read>
  ) -> Self where Value == [Read] {
    Self(spec: PositionalSpec(name, help, kind: reader.kind, isRepeatable: true)) {
      texts throws(UsageError) in
      var values: [Read] = []
      for text in texts { values.append(try reader.argument(text, named: name)) }
      return values
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
