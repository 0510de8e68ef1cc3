import NearbyCommandLine

extension SoundingCommand {
  enum Options {
    static let folder = PositionalArgument<String>.required(
      "FOLDER", "Folder with a sounding.csv", as: .folder)
    static let json = CommandOption<Bool>.flag(
      "json", "Print only one JSON object per line: row, t, distance, distanceSigma")
    static let summary = CommandOption<Bool>.flag("summary", "Print only the summary")
    static let impulseResponse = offset("ifft-offset", "ifft_m")
    static let phaseSlope = offset("phase-offset", "phase_m")
    static let roundTrip = offset("rtt-offset", "rtt_m")

    private static func offset(_ name: String, _ column: String) -> CommandOption<Double> {
      .value(
        name, "METRES", "Constant to subtract from \(column)", as: .number(-1000...1000, unit: "metres"),
        default: "0")
    }
  }

  static let spec = CommandSpec(
    name: "sounding",
    summary: "Estimate distances from recorded Bluetooth Channel Sounding",
    discussion: """
      Prints the estimated distance and its standard deviation after each procedure, without knowledge of later
      ones, and a summary. If the recording has the ground truth, the summary compares them. FOLDER contains
      sounding.csv: t_s, and what the radio measured by up to three methods, ifft_m, phase_m and rtt_m.
      """,
    arguments: [Options.folder],
    options: [
      Options.json, Options.impulseResponse, Options.phaseSlope, Options.roundTrip, Options.summary,
    ],
    examples: [
      "nearby sounding recordings/park_25m",
      "nearby sounding recordings/park_25m --ifft-offset -0.65 --phase-offset 1.1 --rtt-offset -1 --json",
    ]
  ) { try SoundingCommand($0).run(in: $1) }
}
