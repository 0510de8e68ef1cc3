@testable import NearbySourceCheck

/// Makes a project from texts by path, and checks it.
func check(_ files: KeyValuePairs<String, String>, module: String = "App") throws -> CheckReport {
  let sources = files.map { SourceFile(path: $0.key, octets: Array($0.value.utf8)) }
  return try ProjectCheck.report([SourceModule(name: module, files: sources)], table: .linux())
}

extension CheckReport {
  func states() -> [String: FileVerdict.State] {
    Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.state) })
  }

  /// `symbol@line:column` of all obstacles.
  func obstacles() -> [String] {
    files.flatMap(\.obstacles).map { "\($0.symbol)@\($0.place.line):\($0.place.column)" }
  }
}
