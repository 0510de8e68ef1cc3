import NearbyCommandLine
import TestSupport
import Testing

@testable import nearby

@Suite("Shell completion", .ownThreads)
struct CompletionTests {
  @Test("The script of each shell has every command and option", arguments: CompletionShell.allCases)
  func complete(shell: CompletionShell) {
    let script = CompletionScript.script(for: shell, root: CommandTable.root)
    for command in CommandTable.root.paths.map(\.command) {
      for sub in command.subcommands { #expect(script.contains(sub.name)) }
      for option in command.allOptions {
        #expect(script.contains(shell == .fish ? "-l \(option.name)" : "--\(option.name)"))
      }
    }
  }

  @Test(
    "Bash completes commands, options and values",
    arguments: [
      ("nearby ra", "radio"), ("nearby radio ", "info range --help"),
      ("nearby demo --se", "--seconds --seed"),
      ("nearby radio range --role ", "initiator responder"), ("nearby completion z", "zsh"),
    ])
  func bash(line: String, offers: String) throws {
    #expect(try BashCompletion.offers(for: line) == offers)
  }
}
