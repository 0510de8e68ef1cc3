/// The options and arguments of one call, read through the typed values that the command's table declares.
///
/// Reading one that the table does not declare is a programming error and traps.
package struct CommandArguments: Equatable, Sendable {
  package struct Given: Equatable, Sendable {
    package let name: String
    /// Empty for a flag.
    package let text: String
  }

  package let command: CommandSpec
  package var given: [Given] = []
  package var positionals: [String] = []

  package init(command: CommandSpec) { self.command = command }

  package static func == (left: CommandArguments, right: CommandArguments) -> Bool {
    left.command.name == right.command.name && left.given == right.given
      && left.positionals == right.positionals
  }

  package subscript<Value>(_ option: CommandOption<Value>) -> Value {
    get throws(UsageError) { try option.read(texts(of: option)) }
  }

  package subscript<Value>(_ argument: PositionalArgument<Value>) -> Value {
    get throws(UsageError) {
      guard let place = command.positionals.firstIndex(of: argument.spec) else {
        preconditionFailure("'\(command.name)' has no argument '\(argument.spec.name)' in its table")
      }
      let words = positionals.dropFirst(place)
      return try argument.read(Array(argument.spec.isRepeatable ? words : words.prefix(1)))
    }
  }

  /// The last value given for an option, or its default, as text for error messages.
  package func text(of option: some DeclaredOption) -> String? {
    texts(of: option).last ?? option.spec.fallback
  }

  package func has(_ option: some DeclaredOption) -> Bool { !texts(of: option).isEmpty }

  private func texts(of option: some DeclaredOption) -> [String] {
    guard command.options.contains(option.spec) else {
      preconditionFailure("'\(command.name)' has no option '\(option.spec.name)' in its table")
    }
    return given.filter { $0.name == option.spec.name }.map(\.text)
  }
}
