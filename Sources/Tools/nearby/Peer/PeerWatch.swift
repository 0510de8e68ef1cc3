import Foundation
import MultipeerConnectivity
import NearbyCommandLine

/// `nearby peer browse` and `nearby peer advertise`: print events until interrupted.
struct PeerWatch {
  private let options: PeerOptions
  private let info: [String: String]?
  private let accept: PeerRule
  private let folder: URL?

  private static let folderOption = CommandOption<String?>.optional(
    "folder", "FOLDER", "Where to store received files; without it they are rejected", as: .folder)

  static let browseSpec = CommandSpec(
    name: "browse",
    summary: "List peers as they appear and disappear",
    options: [
      PeerOptions.type, PeerOptions.name, PeerOptions.encryption, CommonOptions.seconds, CommonOptions.json,
    ],
    examples: ["nearby peer browse --type cerca", "nearby peer browse --type cerca --seconds 5 --json"]
  ) { try browse($0).run(in: $1) }

  static let advertiseSpec = CommandSpec(
    name: "advertise",
    summary: "Advertise, accept invitations and print what arrives",
    discussion: "Files are stored only with --folder; name clashes are renamed.",
    options: [
      PeerOptions.type, PeerOptions.name, PeerOptions.info, PeerOptions.accept, folderOption,
      PeerOptions.encryption, CommonOptions.seconds, CommonOptions.json,
    ],
    examples: ["nearby peer advertise --type files --info room=12 --accept Ann --folder /tmp/inbox"]
  ) { try advertise($0).run(in: $1) }

  /// `nearby peer browse`.
  static func browse(_ arguments: CommandArguments) throws(UsageError) -> PeerWatch {
    PeerWatch(options: try PeerOptions(arguments), info: nil, accept: .nobody, folder: nil)
  }

  /// `nearby peer advertise`.
  static func advertise(_ arguments: CommandArguments) throws(UsageError) -> PeerWatch {
    PeerWatch(
      options: try PeerOptions(arguments), info: try PeerOptions.info(arguments),
      accept: try PeerRule(try arguments[PeerOptions.accept], PeerOptions.accept),
      folder: try arguments[folderOption].map { URL(fileURLWithPath: $0) })
  }

  private init(options: PeerOptions, info: [String: String]?, accept: PeerRule, folder: URL?) {
    self.options = options
    self.info = info
    self.accept = accept
    self.folder = folder
  }

  func run(in context: CommandContext) throws(CommandError) {
    if let folder { try Self.check(folder) }
    let run = PeerRun(
      options, in: context, advertising: info, browses: info == nil, accept: accept, folder: folder)
    run.start(in: context)
    defer { run.stop() }
    var printer = PeerPrinter(isJSON: options.isJSON, context)
    if info != nil { printer.advertising(run.peer, type: options.type) }
    let end = options.duration.map { ContinuousClock.now + $0 }
    while !context.isOutputClosed() {
      context.flush()
      let tick = ContinuousClock.now + PeerPrinter.progressStep
      let wait = printer.isWatchingProgress ? min(tick, end ?? tick) : end
      guard let letter = run.mailbox.next(until: wait) else {
        if let end, ContinuousClock.now >= end { return printer.finish() }
        printer.showProgress()
        continue
      }
      switch letter {
      case .interrupted: return printer.finish()
      case .notStarted: throw PeerRun.unavailable
      case .found, .lost, .invited, .state, .data, .arriving, .arrived, .delivered, .line:
        printer.show(letter)
      }
    }
  }

  private static func check(_ folder: URL) throws(CommandError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue
    else {
      throw .noInput("\(folder.path): no such folder")
    }
  }
}
