import NearbySourceCheck

/// Parses octets as Swift source. Tokens must be in order and inside the file, and so must the places of
/// findings, and a second run must give the same report.
func fuzzSwiftSource(_ octets: [UInt8]) {
  var last = -1
  for token in SwiftLexer.tokens(of: octets) {
    precondition(
      token.offset >= last && token.offset < octets.count, "a token's offset is out of order or past the end")
    last = token.offset
  }
  let module = SourceModule(
    name: "Fuzz",
    files: [
      SourceFile(path: "a.swift", octets: octets),
      SourceFile(path: "b.swift", octets: Array(octets.reversed())),
    ])
  guard let table = try? ModuleTable.linux() else {
    preconditionFailure("the tables of names are missing next to the program")
  }
  let report = ProjectCheck.report([module], table: table)
  // A second run doubles the cost, so it runs for one input in eight.
  if octets.reduce(0, &+) & 7 == 0 {
    precondition(
      report == ProjectCheck.report([module], table: table), "a second check gives a different report")
  }
  let lines = 1 + octets.count { $0 == 0x0A }
  for obstacle in report.files.flatMap(\.obstacles) {
    precondition(
      (1...lines).contains(obstacle.place.line) && obstacle.place.column >= 1,
      "an obstacle's position is outside the file")
  }
}

/// Parses octets as an Xcode project and as a manifest.
func fuzzXcodeProject(_ octets: [UInt8]) {
  if let project = try? XcodeProject(parsing: octets) {
    for target in project.targets { precondition(!target.files.isEmpty || !target.folders.isEmpty) }
  }
  _ = PackageManifest(parsing: octets)
}
