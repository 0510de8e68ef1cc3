import Foundation
import Testing

/// Compares the list of Apple's symbols with the files that use each symbol once, with an explicit type.
@Suite("Every public symbol has one compiled use")
struct EveryNameTests {
  private static let files = [
    "NearbyInteraction": "EveryNearbyName", "MultipeerConnectivity": "EveryPeerName",
    "ARKit": "EveryCameraName",
    "simd": "EveryVectorName", "CoreLocation": "EveryLocationName", "CoreBluetooth": "EveryBluetoothName",
    "AccessorySetupKit": "EveryAccessorySetupName",
  ]
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The symbols of each framework, from `Scripts/api-symbols.txt`.
  private static func symbols() throws -> [(framework: String, symbol: String)] {
    let list = here.appendingPathComponent("../../Scripts/api-symbols.txt")
    var framework = ""
    var found: [(String, String)] = []
    for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n") where line.first != "#" {
      if line.hasPrefix("[") {
        framework = line.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
      } else {
        found.append((framework, String(line)))
      }
    }
    return found
  }

  /// A pattern for a use of the symbol in its framework's file.
  private static func pattern(_ symbol: String) -> String {
    let parts = symbol.split(separator: "(", maxSplits: 1).map(String.init)
    var path = parts[0].split(separator: ".").map(String.init)
    let name = path.removeLast()
    let labels = parts.count > 1 ? "(" + parts[1] : ""
    let owner = path.last ?? ""
    func word(_ text: String) -> String { "\\b" + NSRegularExpression.escapedPattern(for: text) + "\\b" }
    switch (name, labels) {
    case ("subscript", "(_:)"): return #"\\\.\[0\]"#
    case ("subscript", _): return #"\\\.\[0, 0\]"#
    case ("init", "()"): return word(owner + ".init") + "(?!\\()"
    case ("init", "(coder:)"), ("init", _):
      let plain = word(owner) + "\\(" + labels.dropFirst().prefix { $0 != ":" } + ":"
      return "(?:" + word(owner + ".init") + NSRegularExpression.escapedPattern(for: labels) + "|" + plain
        + ")"
    case (_, "()"): return word(name)
    case (_, ""): return owner.isEmpty || name.first?.isUppercase == true ? word(name) : "\\." + name + "\\b"
    default:
      // A method is named with its labels, or called with the first of them. A case has its value in
      // parentheses.
      let first = labels.dropFirst().prefix { $0 != ":" }
      return "\\." + name + "(?:" + NSRegularExpression.escapedPattern(for: labels) + "|\\("
        + (first == "_" ? "[^_]" : first + ":") + ")"
    }
  }

  @Test("Every symbol of Scripts/api-symbols.txt is used")
  func complete() throws {
    var texts: [String: String] = [:]
    for (framework, file) in Self.files {
      texts[framework] = try String(
        contentsOf: Self.here.appendingPathComponent(file + ".swift"), encoding: .utf8)
    }
    let symbols = try Self.symbols()
    #expect(symbols.count > 800)
    for (framework, symbol) in symbols {
      let text = texts[framework] ?? ""
      #expect(
        text.range(of: Self.pattern(symbol), options: .regularExpression) != nil,
        "\(symbol) is not used in this target's Every\u{2026}Name file")
    }
  }
}
