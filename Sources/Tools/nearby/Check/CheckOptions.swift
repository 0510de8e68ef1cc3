import NearbyCommandLine

extension CheckCommand {
  /// The options of `nearby check`.
  enum Options {
    static let path = PositionalArgument<String>.required(
      "PATH", "Folder, package, .xcodeproj, .xcworkspace or .swift", as: .file)
    static let json = CommandOption<Bool>.flag("json", "Print one JSON object")
    static let summary = CommandOption<Bool>.flag("summary", "Print only the summary")
    static let strict = CommandOption<Bool>.flag(
      "strict", "Exit with 65 if any non-view file fails to build")
    static let package = CommandOption<String?>.optional(
      "package", "FOLDER", "Also write a package of the files that build", as: .folder)
    static let compile = CommandOption<Bool>.flag(
      "compile", "Ask the compiler too, without writing a package")
    static let nearby = CommandOption<String?>.optional(
      "nearby", "LOCATION", "Where swift-nearby is: folder, git URL or prebuilt modules", as: .text)
    static let copy = CommandOption<Bool>.flag(
      "copy", "Copy sources instead of linking, and compile code for iOS where it builds")
    static let fast = CommandOption<Bool>.flag("fast", "Write that package without asking the compiler")
    static let scratch = CommandOption<String?>.optional(
      "scratch-path", "FOLDER", "SwiftPM's build folder (default: .build in that package)", as: .folder)
  }

  static let spec = CommandSpec(
    name: "check",
    summary: "Check which files of an app build on Linux, and what blocks the others",
    discussion: """
      PATH is a folder, a Swift package, an Xcode project or workspace, or one Swift file. For each file that
      does not build it lists the symbol, attribute or module that blocks it, the location, and what to do; at
      the end, which change makes the most files build. Files that declare SwiftUI or UIKit views can't build on
      Linux and are listed separately. --package writes a package of the files that build, with a first test in
      a simulated world; the compiler tries it and drops files with errors. --compile asks the compiler and
      writes nothing. Docs/check.md has the details.
      """,
    arguments: [Options.path],
    options: [
      Options.json, Options.summary, Options.strict, Options.compile, Options.package, Options.nearby,
      Options.copy, Options.fast, Options.scratch, CommonOptions.force,
    ],
    examples: [
      "nearby check MyApp.xcodeproj", "nearby check . --summary --strict",
      "nearby check . --compile --nearby ../swift-nearby/.build/prebuilt",
      "nearby check . --package ../my-app-on-linux --nearby ../swift-nearby",
    ]
  ) { try CheckCommand($0).run(in: $1) }
}
