import Foundation
import NearbyCommandLine

@testable import nearby

/// Runs the completion script in bash and returns what it offers.
enum BashCompletion {
  static func offers(for line: String) throws -> String {
    var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    if words.last == nil { words.append("") }
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      CompletionScript.script(for: .bash, root: CommandTable.root)
      + "COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _nearby; echo \"${COMPREPLY[*]}\"\n"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
