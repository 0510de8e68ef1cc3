/// The command that reads an app's sources.
extension CommandTable {
  static let check = CommandSpec(
    name: "check",
    summary: "Tell which files of an app build on Linux, and what is in the way",
    discussion: """
      PATH is a folder, a Swift package, an Xcode project or workspace, or one Swift file. For each file that
      does not build it names the symbol, attribute or module that is in the way, where it is, and what to do;
      at the end, which change frees most files. Views are left out, not counted as faults. --package writes a
      package of the files that build, with a first test in a simulated world. Docs/check.md has the details.
      """,
    positionals: [PositionalSpec("PATH", "Folder, package, .xcodeproj, .xcworkspace or .swift", kind: .file)],
    options: [
      .flag("json", "Print one JSON object"),
      .flag("summary", "Print only the summary"),
      .flag("strict", "End with 65 if a file that is no view does not build"),
      .value("package", "FOLDER", "Also write a package of the files that build", kind: .folder),
      .value("nearby", "LOCATION", "Where that package finds swift-nearby: a folder or an address of git"),
      .flag("copy", "Copy sources into that package instead of linking to them"),
      .flag("force", "Write into a folder that has files"),
    ],
    examples: [
      "nearby check MyApp.xcodeproj", "nearby check . --summary --strict",
      "nearby check . --package ../my-app-on-linux --nearby ../swift-nearby",
    ])
}
