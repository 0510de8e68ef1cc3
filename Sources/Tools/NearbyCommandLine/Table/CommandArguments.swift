/// The options and arguments of one call, read by the values that the command's table lists.
///
/// Reading one that the command's table does not list is our own mistake and stops the program.
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
      return try argument.read(positionals.dropFirst(place).first)
    }
  }

  /// An option's last text as it was written, or its fallback of the table, for errors about it.
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
