import NearbyCommandLine

/// Which part of a recording to read, and how. Used by the commands that replay one.
struct RecordingOptions: Equatable, Sendable {
  static let folder = PositionalArgument<String>.required(
    "FOLDER", "Folder of one recorded sequence", as: .folder)
  static let object = CommandOption<String?>.optional("object", "ID", "Only this object", as: .text)
  static let tag = CommandOption<String?>.optional("tag", "ID", "Only this antenna", as: .text)
  static let rangeOffset = CommandOption<Double>.value(
    "radio-offset", "METRES", "Constant to subtract from every range",
    as: .number(-1000...1000, unit: "metres"), default: "0")
  static let ignoreFigures = CommandOption<Bool>.flag(
    "ignore-figures", "Don't judge from the receiver's figures which paths were blocked")
  static let summary = CommandOption<Bool>.flag("summary", "Print only the summary")

  let folder: String
  let object: String?
  let tag: String?
  /// Metres.
  let rangeOffset: Double
  let usesFigures: Bool
  let isSummaryOnly: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    folder = try arguments[Self.folder]
    object = try arguments[Self.object]
    tag = try arguments[Self.tag]
    rangeOffset = try arguments[Self.rangeOffset]
    usesFigures = try !arguments[Self.ignoreFigures]
    isSummaryOnly = try arguments[Self.summary]
  }
}
