/// Shells for which completion can be generated.
package enum CompletionShell: String, CaseIterable, Sendable { case bash, zsh, fish }

/// Generates a shell's completion from the table that the parser uses.
package enum CompletionScript {
  package static func script(for shell: CompletionShell, root: CommandSpec) -> String {
    switch shell {
    case .bash: bash(root)
    case .zsh: zsh(root)
    case .fish: fish(root)
    }
  }

  private static func optionWords(_ path: [String], _ command: CommandSpec) -> [String] {
    (command.allOptions + (path.isEmpty ? [.version] : [])).map {
      "--\($0.name)"
    }
  }

  // MARK: bash

  private static func bash(_ root: CommandSpec) -> String {
    var out = "# bash completion for \(root.name); load with: source <(\(root.name) completion bash)\n"
    out += "_\(root.name)() {\n"
    out += "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
    out += "  local path=\"\" word\n"
    out += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
    out += "    case \"$path/$word\" in\n"
    for path in root.paths.map(\.words) where !path.isEmpty {
      out += "      \"\("/" + path.joined(separator: "/"))\") path=\"$path/$word\" ;;\n"
    }
    out += "    esac\n  done\n"
    out += "  case \"$path $previous\" in\n"
    for (path, command) in root.paths.map({ ($0.words, $0.command) }) {
      for option in command.options where option.placeholder != nil {
        let key = (path.isEmpty ? "" : "/" + path.joined(separator: "/")) + " --" + option.name
        out += "    \"\(key)\") \(bashReply(option.kind)); return ;;\n"
      }
    }
    out += "  esac\n  case \"$path\" in\n"
    for (path, command) in root.paths.map({ ($0.words, $0.command) }) {
      let key = path.isEmpty ? "" : "/" + path.joined(separator: "/")
      out += "    \"\(key)\")\n"
      let words = command.subcommands.map(\.name) + optionWords(path, command)
      if let positional = command.positionals.first {
        out += "      [[ $current != -* ]] && { \(bashReply(positional.kind)); return; }\n"
      }
      out += "      COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")) ;;\n"
    }
    return out + "  esac\n}\ncomplete -o filenames -F _\(root.name) \(root.name)\n"
  }

  private static func bashReply(_ kind: ValueKind) -> String {
    switch kind {
    case .word: "COMPREPLY=()"
    case .file: "COMPREPLY=($(compgen -f -- \"$current\"))"
    case .folder: "COMPREPLY=($(compgen -d -- \"$current\"))"
    case .choice(let choices):
      "COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\"))"
    }
  }

  // MARK: zsh

  private static func zsh(_ root: CommandSpec) -> String {
    var out = "#compdef \(root.name)\n"
    out += "# zsh completion for \(root.name); load with: source <(\(root.name) completion zsh)\n"
    for (path, command) in root.paths.reversed().map({ ($0.words, $0.command) }) {
      out += "\(zshFunction(root, path))() {\n"
      if command.subcommands.isEmpty {
        let arguments = zshArguments(path, command)
        out += "  _arguments -S \\\n    " + arguments.joined(separator: " \\\n    ") + "\n"
      } else {
        out += zshGroup(root, path, command)
      }
      out += "}\n"
    }
    // Autoloaded from `fpath`, the file is the body of the function's first call; when sourced, it only
    // registers it.
    out += "if [[ $funcstack[1] == _\(root.name) ]]; then\n  _\(root.name) \"$@\"\n"
    return out + "else\n  compdef _\(root.name) \(root.name)\nfi\n"
  }

  private static func zshFunction(_ root: CommandSpec, _ path: [String]) -> String {
    "_" + ([root.name] + path).joined(separator: "_")
  }

  private static func zshGroup(_ root: CommandSpec, _ path: [String], _ command: CommandSpec) -> String {
    var out = "  local -a commands=(\n"
    for sub in command.subcommands { out += "    '\(sub.name):\(zshQuoted(sub.summary))'\n" }
    out += "  )\n"
    out += "  if (( CURRENT == 2 )); then\n"
    out += "    _describe command commands\n"
    out += "    compadd -- \(optionWords(path, command).joined(separator: " "))\n"
    out += "    return\n  fi\n"
    out += "  local name=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $name in\n"
    for sub in command.subcommands {
      out += "    \(sub.name)) \(zshFunction(root, path + [sub.name])) ;;\n"
    }
    return out + "  esac\n"
  }

  private static func zshArguments(_ path: [String], _ command: CommandSpec) -> [String] {
    let options = command.allOptions.map { option -> String in
      let star = option.isRepeatable ? "*" : ""
      let help = zshQuoted(option.help).replacing("[", with: "\\[").replacing("]", with: "\\]")
      guard let placeholder = option.placeholder else { return "'\(star)--\(option.name)[\(help)]'" }
      let label = zshQuoted(placeholder).replacing(":", with: "\\:")
      return "'\(star)--\(option.name)=[\(help)]:\(label):\(zshAction(option.kind))'"
    }
    return options
      + command.positionals.map {
        "'\($0.isRepeatable ? "*" : ""):\(zshQuoted($0.name)):\(zshAction($0.kind))'"
      }
  }

  private static func zshAction(_ kind: ValueKind) -> String {
    switch kind {
    case .word: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .choice(let choices): "(\(choices.joined(separator: " ")))"
    }
  }

  private static func zshQuoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }

  // MARK: fish

  private static func fish(_ root: CommandSpec) -> String {
    var out = "# fish completion for \(root.name); load with: \(root.name) completion fish | source\n"
    out += "complete -c \(root.name) -f\n"
    for (path, command) in root.paths.map({ ($0.words, $0.command) }) {
      let condition = fishCondition(path, command)
      for sub in command.subcommands {
        out += "complete -c \(root.name) -n '\(condition)' -a \(sub.name) -d '\(fishQuoted(sub.summary))'\n"
      }
      if let kind = command.positionals.first?.kind {
        out += "complete -c \(root.name) -n '\(condition)'\(fishValues(kind))\n"
      }
      for option in command.allOptions {
        let values = option.placeholder == nil ? "" : " -r" + fishValues(option.kind)
        out += "complete -c \(root.name) -n '\(condition)' -l \(option.name)\(values)"
        out += " -d '\(fishQuoted(option.help))'\n"
      }
    }
    return out
      + "complete -c \(root.name) -n '__fish_use_subcommand' -l \(OptionSpec.version.name) -d '\(OptionSpec.version.help)'\n"
  }

  private static func fishCondition(_ path: [String], _ command: CommandSpec) -> String {
    guard !path.isEmpty else { return "__fish_use_subcommand" }
    var parts = path.map { "__fish_seen_subcommand_from \($0)" }
    if !command.subcommands.isEmpty {
      let names = command.subcommands.map(\.name).joined(separator: " ")
      parts.append("not __fish_seen_subcommand_from \(names)")
    }
    return parts.joined(separator: "; and ")
  }

  private static func fishValues(_ kind: ValueKind) -> String {
    switch kind {
    case .word: ""
    case .file: " -F"
    case .folder: " -a '(__fish_complete_directories)'"
    case .choice(let choices): " -a '\(choices.joined(separator: " "))'"
    }
  }

  private static func fishQuoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
