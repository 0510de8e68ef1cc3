import NearbyCommandLine
import NearbyPosition
import NearbyRecordings
import NearbyTextForms

/// `nearby tdoa FOLDER`.
struct TdoaCommand {
  private let folder: String
  private let isJSON: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    folder = try arguments[Options.folder]
    isJSON = try arguments[Options.json]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let recording = try AnchorFolder.read(folder, "passive.csv") { url throws(RecordingError) in
      try PassiveRecording(folder: url)
    }
    var clocks = OverheardClocks()
    var summary = TdoaSummary()
    for (number, row) in recording.rows.enumerated() {
      if number.isMultiple(of: CommandContext.lookInterval) {
        if context.interrupt.isRaised { throw .interrupted }
        if context.isOutputClosed() { return }
      }
      let result = clocks.difference(of: OverheardExchange(row))
      summary.add(result, truth: row.trueDifference)
      if isJSON { context.output.line(Self.json(number, result)) }
    }
    if !isJSON { context.output.write(summary.text) }
  }

  private static func json(
    _ row: Int, _ result: Result<OverheardDifference, MeasurementRejection>
  ) -> String {
    var line = JSONLine()
    line.add("row", row)
    switch result {
    case .success(let difference):
      line.add("tdoa", difference.metres, decimals: 4)
      line.add("tdoaSigma", difference.sigma, decimals: 4)
    case .failure(let reason):
      line.add("tdoa", nil as Double?, decimals: 4)
      line.add("tdoaSigma", nil as Double?, decimals: 4)
      line.add("rejected", text: "\(reason)")
    }
    return line.closed()
  }
}

extension OverheardExchange {
  fileprivate init(_ row: PassiveRecording.Row) {
    let across = row.responderPosition - row.initiatorPosition
    self.init(
      time: row.time, listener: row.listener, initiator: row.initiator, responder: row.responder,
      listenerStamps: row.listenerStamps, responderStamps: row.responderStamps,
      measuredRange: row.measuredRange, knownRange: (across * across).sum().squareRoot())
  }
}

/// Counts and errors of a recording's differences.
struct TdoaSummary {
  private var rows = 0
  private var answered = 0
  private var rejections: [MeasurementRejection: Int] = [:]
  private var judged = 0
  private var squares = 0.0

  mutating func add(_ result: Result<OverheardDifference, MeasurementRejection>, truth: Double?) {
    rows += 1
    switch result {
    case .failure(let reason): rejections[reason, default: 0] += 1
    case .success(let difference):
      answered += 1
      guard let truth else { return }
      judged += 1
      squares += (difference.metres - truth) * (difference.metres - truth)
    }
  }

  var text: String {
    var out = "\(rows) exchanges, \(answered) with a difference\n"
    for reason in MeasurementRejection.allCases {
      if let count = rejections[reason] { out += "\(count) rejected: \(PositionText.words(reason))\n" }
    }
    guard judged > 0 else { return out + "no ground truth in this recording\n" }
    let rmse = (squares / Double(judged)).squareRoot()
    return out + "RMSE against the truth: \(NumberFormat.fixed(rmse, 3)) m\n"
  }
}

extension TdoaCommand {
  enum Options {
    static let folder = PositionalArgument<String>.required(
      "FOLDER", "Folder with passive.csv", as: .folder)
    static let json = CommandOption<Bool>.flag("json", "Print only one JSON object per row and line")
  }

  static let spec = CommandSpec(
    name: "tdoa",
    summary: "Compute time differences from overheard rangings",
    discussion: """
      Reads the time stamps of rangings between two radios that a third one overheard (passive.csv), brings them
      to one clock, and prints the difference of the listener's distances to the two. Without --json it prints a
      summary.
      """,
    arguments: [Options.folder],
    options: [Options.json],
    examples: ["nearby tdoa recordings/overheard --json"]
  ) { try TdoaCommand($0).run(in: $1) }
}
