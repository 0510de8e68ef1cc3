import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyConcurrency
import NearbyTextForms

/// `nearby peer send`: sends a file to one peer.
struct PeerSendCommand {
  private let options: PeerOptions
  private let path: String
  private let name: String?

  private static let fileArgument = PositionalArgument<String>.required("FILE", "File to send", as: .file)
  private static let to = CommandOption<String?>.optional(
    "to", "NAME", "Recipient (default: the first peer found)", as: .text)
  private static let seconds = CommandOption<Duration?>.optional(
    "seconds", "TIME", "Give up after this long (default: run until interrupted)", as: .duration)

  static let spec = CommandSpec(
    name: "send",
    summary: "Send a file to a peer",
    discussion:
      "The peer receives it with 'nearby peer advertise --folder'. Exits when the peer has stored the whole file.",
    arguments: [fileArgument],
    options: [PeerOptions.type, PeerOptions.name, to, PeerOptions.encryption, seconds, CommonOptions.json],
    examples: ["nearby peer send photo.jpg --type files --to Ben"]
  ) { try PeerSendCommand($0).run(in: $1) }

  init(_ arguments: CommandArguments) throws(UsageError) {
    options = try PeerOptions(arguments, seconds: Self.seconds)
    path = try arguments[Self.fileArgument]
    name = try arguments[Self.to]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let size = try Self.size(of: path)
    let run = PeerRun(options, in: context, advertising: nil, browses: true)
    run.start(in: context)
    defer { run.stop() }
    let end = options.duration.map { ContinuousClock.now + $0 }
    let peer = try PeerSearch(run: run, name: name).connect(until: end)
    var printer = PeerPrinter(isJSON: options.isJSON, context)
    printer.show(.state(peer, .connected))
    try send(to: peer, size: size, run, &printer, until: end, in: context)
  }

  private func send(
    to peer: MCPeerID, size: Int, _ run: PeerRun, _ printer: inout PeerPrinter,
    until end: ContinuousClock.Instant?, in context: CommandContext
  ) throws(CommandError) {
    let file = URL(fileURLWithPath: path)
    let progress = run.session.sendResource(at: file, withName: file.lastPathComponent, toPeer: peer) {
      [mailbox = run.mailbox] error in
      mailbox.post(.delivered(error.map { PeerTrouble(text: PeerText.reason($0)) }))
    }
    let bar = progress.map { ProgressBar(PeerProgress($0), label: file.lastPathComponent) }
    printer.watch(bar)
    let start = ContinuousClock.now
    while !context.isOutputClosed() {
      guard let letter = run.mailbox.next(until: .now + PeerPrinter.progressStep) else {
        if let end, ContinuousClock.now >= end {
          progress?.cancel()
          printer.finish()
          throw .unavailable("timed out before the file was delivered")
        }
        printer.showProgress()
        continue
      }
      switch letter {
      case .interrupted:
        progress?.cancel()
        printer.finish()
        throw .interrupted
      case .delivered(nil):
        printer.finish()
        return say(size, to: peer, after: (ContinuousClock.now - start) / .seconds(1), in: context)
      case .delivered(let trouble?):
        printer.finish()
        throw .unavailable("sending to \(PeerText.name(peer)) failed: \(trouble.text)")
      case .found, .lost, .invited, .state, .data, .arriving, .arrived, .line, .notStarted: continue
      }
    }
  }

  private func say(_ size: Int, to peer: MCPeerID, after seconds: Double, in context: CommandContext) {
    guard !options.isJSON else {
      var line = JSONLine()
      line.add("event", text: "delivered")
      line.add("peer", text: peer.displayName)
      line.add("octets", size)
      line.add("seconds", seconds, decimals: 3)
      return context.output.line(line.closed())
    }
    let rate = PeerText.octets(Double(size) / max(seconds, 1e-6))
    let time = NumberFormat.fixed(seconds, 2)
    context.output.line(
      "sent  \(PeerText.octets(Double(size))) to \(PeerText.name(peer)) in \(time) s, \(rate)/s")
  }

  /// The file's size. Throws if the file can't be sent.
  private static func size(of path: String) throws(CommandError) -> Int {
    var info = stat()
    guard stat(path, &info) == 0 else { throw .noInput("\(path): \(String(cString: strerror(errno)))") }
    guard info.st_mode & S_IFMT == S_IFREG else { throw .noInput("\(path): not a regular file") }
    guard access(path, R_OK) == 0 else { throw .noInput("\(path): \(String(cString: strerror(errno)))") }
    return Int(info.st_size)
  }
}
