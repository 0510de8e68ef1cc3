/// The options and arguments of one call, read by name and type.
///
/// Reading an option that the command's table does not have is our own mistake and stops the program.
struct Arguments: Equatable, Sendable {
  struct Given: Equatable, Sendable {
    var name: String
    var value: String?
  }

  let command: CommandSpec
  var given: [Given] = []
  var positionals: [String] = []

  init(command: CommandSpec) { self.command = command }

  static func == (left: Arguments, right: Arguments) -> Bool {
    left.command.name == right.command.name && left.given == right.given
      && left.positionals == right.positionals
  }

  func has(_ name: String) -> Bool { given.contains { $0.name == name } }

  /// The option's last value, or its fallback of the table.
  func text(_ name: String) -> String? {
    let option = spec(name)
    return given.last { $0.name == name }?.value ?? option.fallback
  }

  func texts(_ name: String) -> [String] { given.filter { $0.name == name }.compactMap(\.value) }

  func required(_ name: String) throws(UsageError) -> String {
    guard let found = text(name) else {
      throw .missingOption(name, placeholder: spec(name).placeholder ?? "")
    }
    return found
  }

  /// Reads an option with a type; `nil` when it is absent and has no fallback.
  func value<Value>(_ name: String, as reader: ValueReader<Value>) throws(UsageError) -> Value? {
    guard let found = text(name) else { return nil }
    return try read(found, of: name, as: reader)
  }

  func requiredValue<Value>(_ name: String, as reader: ValueReader<Value>) throws(UsageError) -> Value {
    try read(try required(name), of: name, as: reader)
  }

  func values<Value>(_ name: String, as reader: ValueReader<Value>) throws(UsageError) -> [Value] {
    var result: [Value] = []
    for found in texts(name) { result.append(try read(found, of: name, as: reader)) }
    return result
  }

  private func read<Value>(_ found: String, of name: String, as reader: ValueReader<Value>)
    throws(UsageError) -> Value
  {
    guard let value = reader.read(found) else {
      throw .invalidValue(option: "--\(name)", found: found, expected: reader.expected)
    }
    return value
  }

  private func spec(_ name: String) -> OptionSpec {
    guard let option = command.option(name) else {
      preconditionFailure("'\(command.name)' has no option '\(name)' in its table")
    }
    return option
  }
}
