import Foundation
import PackagePlugin

/// Fails the build of a target that imports threads, files, clocks or locks, which would make it impure.
@main
struct PureImports: BuildToolPlugin {
  private static let forbidden = [
    "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Synchronization",
  ]

  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let files = target.sourceModule?.sourceFiles(withSuffix: "swift").map(\.url.path), !files.isEmpty
    else { return [] }
    // The output is a Swift file, so that the module's compilation waits for this command.
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("PureImportsChecked.swift")
    let modules = Self.forbidden.joined(separator: "|")
    let script = """
      found=$(grep -nE "^[^/]*\\bimport +((struct|class|enum|protocol|func|var|let|typealias) +)?(\(modules))\\b" "$@" /dev/null)
      if [ -n "$found" ]; then
        echo "error: \(target.name) must not import \(modules.replacing("|", with: ", ")):" >&2
        echo "$found" >&2
        exit 1
      fi
      echo "// No forbidden import in \(target.name)." >"$OUTPUT"
      """
    return [
      .buildCommand(
        displayName: "Checking the imports of \(target.name)",
        executable: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script, "check"] + files,
        environment: ["OUTPUT": output.path], inputFiles: files.map { URL(fileURLWithPath: $0) },
        outputFiles: [output])
    ]
  }
}
