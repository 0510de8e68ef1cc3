/// The result of parsing a command line.
package enum Invocation: Equatable, Sendable {
  case help(path: [String])
  case topic(String)
  case version
  case run(path: [String], CommandArguments)
}

/// Parses a command line according to the table of a `CommandSpec`.
///
/// `--option value` and `--option=value` are equivalent; `--` ends the options; a lone `-` is an argument.
/// `--help` takes precedence over everything after its command, including invalid options.
package struct ArgumentParser: Sendable {
  private let root: CommandSpec
  /// The names of subjects that `help` explains beside the commands.
  private let topics: [String]

  package init(root: CommandSpec, topics: [String] = []) {
    self.root = root
    self.topics = topics
  }

  /// Parses the words after the program's name.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var command = root
    var path: [String] = []
    var rest = words[...]
    while !command.subcommands.isEmpty {
      guard let word = rest.popFirst() else {
        if path.isEmpty { return .help(path: []) }
        throw .missingCommand(group: groupName(path))
      }
      switch word {
      case "--help", "-h": return .help(path: path)
      case "--version" where path.isEmpty, "-V" where path.isEmpty: return .version
      case "version" where path.isEmpty && rest.isEmpty: return .version
      case "help" where path.isEmpty: return try help(for: Array(rest))
      default: break
      }
      command = try step(into: word, of: command, isRoot: path.isEmpty)
      path.append(command.name)
    }
    if asksForHelp(rest) { return .help(path: path) }
    return .run(path: path, try arguments(rest, for: command))
  }

  private func groupName(_ path: [String]) -> String { ([root.name] + path).joined(separator: " ") }

  private func help(for words: [String]) throws(UsageError) -> Invocation {
    var command = root
    let path = words.filter { $0 != "--help" && $0 != "-h" }
    if path.count == 1, topics.contains(path[0]) { return .topic(path[0]) }
    for (depth, word) in path.enumerated() {
      command = try step(into: word, of: command, isRoot: depth == 0)
    }
    return .help(path: path)
  }

  /// The subcommand of a group that `word` names.
  private func step(into word: String, of group: CommandSpec, isRoot: Bool) throws(UsageError)
    -> CommandSpec
  {
    if let found = group.subcommand(word) { return found }
    if word.hasPrefix("--") {
      let name = String(word.dropFirst(2).prefix { $0 != "=" })
      let known = isRoot ? [OptionSpec.help.name, OptionSpec.version.name] : [OptionSpec.help.name]
      throw .unknownOption(name, suggestion: NearMiss.of(name, among: known))
    }
    if word.hasPrefix("-"), word.count > 1 {
      throw .unknownOption(String(word.dropFirst()), suggestion: nil)
    }
    throw .unknownCommand(word, suggestion: NearMiss.of(word, among: group.subcommands.map(\.name)))
  }

  private func asksForHelp(_ words: ArraySlice<String>) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// Separates the words after a command into options and positional arguments.
  private func arguments(_ words: ArraySlice<String>, for command: CommandSpec) throws(UsageError)
    -> CommandArguments
  {
    var result = CommandArguments(command: command)
    var rest = words
    var takesOptions = true
    while let word = rest.popFirst() {
      if takesOptions, word == "--" {
        takesOptions = false
      } else if takesOptions, word.hasPrefix("-"), word != "-", Double(word) == nil {
        try takeOption(word, from: &rest, into: &result)
      } else {
        guard let positional = command.positional(at: result.positionals.count) else {
          throw .unexpectedArgument(word)
        }
        if case .choice(let choices) = positional.kind, positional.isOptional, !choices.contains(word) {
          throw .invalidValue(
            option: positional.name, found: word, expected: OptionReader<String>.list(choices))
        }
        result.positionals.append(word)
      }
    }
    if let missing = command.positionals.dropFirst(result.positionals.count).first, !missing.isOptional {
      throw .missingArgument(missing.name)
    }
    return result
  }

  private func takeOption(
    _ word: String, from rest: inout ArraySlice<String>, into result: inout CommandArguments
  ) throws(UsageError) {
    let command = result.command
    let body = word.drop { $0 == "-" }
    let name = String(body.prefix { $0 != "=" })
    let attached = body.firstIndex(of: "=").map { String(body[body.index(after: $0)...]) }
    guard word.hasPrefix("--"), let option = command.option(name) else {
      throw .unknownOption(name, suggestion: NearMiss.of(name, among: command.allOptions.map(\.name)))
    }
    if !option.isRepeatable, result.given.contains(where: { $0.name == name }) { throw .repeatedOption(name) }
    guard let placeholder = option.placeholder else {
      if let attached { throw .unexpectedValue(option: name, found: attached) }
      result.given.append(.init(name: name, text: ""))
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw .missingValue(option: name, placeholder: placeholder)
    }
    // `--seed --json` means that the value is missing, not that it looks like an option.
    if attached == nil, value.hasPrefix("--"), command.option(String(value.dropFirst(2))) != nil {
      throw .missingValue(option: name, placeholder: placeholder)
    }
    if case .choice(let choices) = option.kind, !choices.contains(value) {
      throw .invalidValue(option: "--\(name)", found: value, expected: OptionReader<String>.list(choices))
    }
    result.given.append(.init(name: name, text: value))
  }
}
