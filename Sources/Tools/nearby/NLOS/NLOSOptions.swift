import NearbyCommandLine

extension NLOSCommand {
  enum Options {
    static let file = PositionalArgument<String>.required(
      "FEATURES.csv", "Receiver figures, one row per range", as: .file)
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object per row: row, probability")
    static let adapt = CommandOption<Bool>.flag(
      "adapt", "Treat the file as one site: find the threshold from its own scores, if they form two groups")
  }

  static let spec = CommandSpec(
    name: "nlos",
    summary: "Estimate which ranges had no line of sight",
    discussion: """
      Estimates for each row the probability that something blocked the direct path. Columns: range_m,
      rx_dbm, fp_dbm, fp_amp1, fp_amp2, fp_amp3, rxpacc, noise_std; any of them may be missing, and a field
      may be empty, nan or infinite. A row without usable figures gets 0.5. Without --json, prints a summary.
      """,
    arguments: [Options.file],
    options: [Options.json, Options.adapt],
    examples: [
      "nearby nlos features.csv",
      "nearby nlos features.csv --json --adapt",
    ]
  ) { try NLOSCommand($0).run(in: $1) }
}
