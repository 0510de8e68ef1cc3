import NearbyEstimation
import NearbyTextForms

/// What a file of receiver figures holds.
struct NLOSSummary {
  var rows = 0
  /// Rows whose path is more likely blocked than not.
  var blocked = 0
  var sum = 0.0
  /// Rows that say nothing about the path.
  var unusable = 0
  var missingColumns: [String] = []
  var missingValues = 0
  /// `nil` if it was not requested.
  var adaptation: BlockedPathSite.Adaptation?

  /// - Parameter probability: `nil` if the row says nothing.
  mutating func add(_ probability: Double?) {
    rows += 1
    sum += probability ?? BlockedPathModel.prior
    if probability == nil { unusable += 1 }
    if let probability, probability > 0.5 { blocked += 1 }
  }
}

/// The output of `nearby nlos`.
enum NLOSText {
  static func json(row: Int, probability: Double) -> String {
    var line = JSONLine()
    line.add("row", row)
    line.add("probability", probability, decimals: 6)
    return line.closed()
  }

  static func summary(_ summary: NLOSSummary) -> String {
    let share = NumberFormat.fixed(100 * Double(summary.blocked) / Double(max(summary.rows, 1)), 1)
    let mean = NumberFormat.fixed(summary.sum / Double(max(summary.rows, 1)), 3)
    var out =
      "\(counted(summary.rows, "row")), \(summary.blocked) more likely blocked than not (\(share) %)\n"
    out += "mean probability of a blocked path: \(mean)\n"
    if !summary.missingColumns.isEmpty {
      out += "columns not in this file: \(summary.missingColumns.joined(separator: ", "))\n"
    }
    if summary.missingValues > 0 { out += "\(counted(summary.missingValues, "missing value"))\n" }
    if summary.unusable > 0 {
      out +=
        "\(counted(summary.unusable, "row")) without usable figures: probability \(BlockedPathModel.prior)\n"
    }
    if let adaptation = summary.adaptation { out += text(adaptation) }
    return out
  }

  private static func text(_ adaptation: BlockedPathSite.Adaptation) -> String {
    switch adaptation {
    case .shifted(let shift):
      "adapted to this site: threshold at log odds \(NumberFormat.fixed(shift, 2)) instead of 0\n"
    case .tooFewRows(let rows):
      "not adapted: \(counted(rows, "usable row")), at least \(BlockedPathSite.leastRows) are needed\n"
    case .oneGroup:
      "not adapted: the scores do not form two groups, so this site may have only one kind of path\n"
    case .tooFar(let valley):
      "not adapted: the scores' two groups meet at log odds \(NumberFormat.fixed(valley, 2)), too far from 0\n"
    }
  }

  private static func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
