import NearbySourceCheck

/// How long `nearby check` takes for an app of 20 000 lines.
func checkBenchmark() -> [Figure] {
  let files = (0..<200).map { SourceFile(path: "File\($0).swift", octets: Array(checkedSource($0).utf8)) }
  let lines = files.reduce(0) { $0 + $1.octets.count { $0 == 0x0A } }
  let module = SourceModule(name: "App", files: files)
  guard let table = try? ModuleTable.linux() else {
    preconditionFailure("the tables of names are missing next to the program")
  }
  let time = leastTime(of: 5) { UInt64(ProjectCheck.report([module], table: table).count(.builds)) }
  return [
    Figure(
      name: "nearby check, an app of \(lines) lines", value: time / .milliseconds(1), unit: "ms",
      target: .under(1000))
  ]
}

/// A hundred lines of typical app code: a model, string interpolation, closures, and a view in every fourth
/// file.
private func checkedSource(_ number: Int) -> String {
  var text = "import Foundation\nimport \(number % 4 == 0 ? "SwiftUI" : "NearbyInteraction")\n"
  text += "/* A file /* of */ many. */\nfinal class Model\(number): NSObject {\n"
  for line in 0..<16 {
    text += """
        var value\(line): [String: Double] = [:] // \(line)
        func set\(line)(_ value: Double, for name: String) -> Bool {
          guard let old = value\(line)[name], old < value else { return false }
          value\(line)[name] = [1, 2, 3].map { Double($0) * value }.reduce(0, +)
          print("set \\(name) to \\(String(format: "%.2f", value)) of Model\((number + line) % 200)")
          return Model\((number + 1) % 200)().value\(line).isEmpty
        }

      """
  }
  if number % 4 == 0 { text += "struct Screen\(number): View { var body: some View { Text(\"\") } }\n" }
  return text + "}\n"
}
