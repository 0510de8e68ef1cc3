import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyConcurrency
import NearbyTextForms

/// Prints peer events, one line or JSON object each.
struct PeerPrinter {
  static let progressStep = Duration.milliseconds(200)

  private let isJSON: Bool
  private let context: CommandContext
  private var bar: ProgressBar?
  private var start = ContinuousClock.now

  init(isJSON: Bool, _ context: CommandContext) {
    self.isJSON = isJSON
    self.context = context
  }

  func advertising(_ peer: MCPeerID, type: String) {
    guard isJSON else {
      return context.errors.line("advertising \(type) as \(PeerText.name(peer)) (\(PeerText.identity(peer)))")
    }
    var line = object("advertising", of: peer)
    line.add("type", text: type)
    context.output.line(line.closed())
  }

  mutating func show(_ letter: PeerLetter) {
    switch letter {
    case .found(let peer, let info): found(peer, info)
    case .lost(let peer): say("lost", "lost", peer)
    case .invited(let peer, let isAccepted):
      let answer = isAccepted ? "accepted" : "declined"
      say("invited", "invitation \(answer) from", peer) { $0.add("accepted", isAccepted) }
    case .state(let peer, let state):
      let name = Self.name(of: state)
      say("state", Self.words(for: state), peer) { $0.add("state", text: name) }
    case .data(let data, let peer): received(data, from: peer)
    case .arriving(let name, let peer, let progress):
      bar = ProgressBar(progress, label: PrintableText.name(name))
      say("arriving", "file \(PrintableText.name(name)) from", peer) { $0.add("file", text: name) }
    case .arrived(let name, let peer, let result): arrived(name, from: peer, result)
    case .delivered, .line, .notStarted, .interrupted: break
    }
  }

  // MARK: Each of them

  private mutating func found(_ peer: MCPeerID, _ info: [String: String]) {
    guard isJSON else {
      clearBar()
      let entries = info.sorted { $0.key < $1.key }.map { PrintableText.name("\($0.key)=\($0.value)") }
      let words = [PeerText.name(peer), PeerText.identity(peer)] + entries
      return context.output.line("found  " + words.joined(separator: "  "))
    }
    var line = object("found", of: peer)
    let entries = info.sorted { $0.key < $1.key }
      .map { "\(JSONLine.quoted($0.key)):\(JSONLine.quoted($0.value))" }
    line.add("info", json: "{" + entries.joined(separator: ",") + "}")
    context.output.line(line.closed())
  }

  private mutating func received(_ data: Data, from peer: MCPeerID) {
    let text = String(bytes: data, encoding: .utf8)
    guard isJSON else {
      clearBar()
      let shown =
        text.map { PrintableText.name($0, limit: PeerText.longestMessage) } ?? "(\(data.count) octets)"
      return context.output.line("\(PeerText.name(peer)): \(shown)")
    }
    say("received", "", peer) { line in
      line.add("octets", data.count)
      line.add("text", text: text)
    }
  }

  private mutating func arrived(_ name: String, from peer: MCPeerID, _ result: Result<URL, PeerTrouble>) {
    bar = nil
    switch result {
    case .success(let place):
      say("arrived", "stored in \(place.path), from", peer) { line in
        line.add("file", text: name)
        line.add("path", text: place.path)
      }
    case .failure(let trouble):
      say("failed", "file \(PrintableText.name(name)): \(trouble.text), from", peer) { line in
        line.add("file", text: name)
        line.add("reason", text: trouble.text)
      }
    }
  }

  private static func name(of state: MCSessionState) -> String {
    switch state {
    case .notConnected: "notConnected"
    case .connecting: "connecting"
    case .connected: "connected"
    }
  }

  private static func words(for state: MCSessionState) -> String {
    switch state {
    case .notConnected: "not connected with"
    case .connecting: "connecting with"
    case .connected: "connected with"
    }
  }

  private mutating func say(
    _ event: String, _ words: String, _ peer: MCPeerID, _ more: (inout JSONLine) -> Void = { _ in }
  ) {
    clearBar()
    guard isJSON else {
      return context.output.line("\(words)  \(PeerText.name(peer))  \(PeerText.identity(peer))")
    }
    var line = object(event, of: peer)
    more(&line)
    context.output.line(line.closed())
  }

  private func object(_ event: String, of peer: MCPeerID) -> JSONLine {
    var line = JSONLine()
    line.add("t", (ContinuousClock.now - start) / .seconds(1), decimals: 3)
    line.add("event", text: event)
    line.add("peer", text: peer.displayName)
    line.add("id", text: PeerText.identity(peer))
    return line
  }

  // MARK: Progress

  var isWatchingProgress: Bool { bar != nil }

  mutating func watch(_ bar: ProgressBar?) { self.bar = bar }

  /// Redraws the bar on a terminal, or prints an object with `--json`; otherwise has no effect.
  func showProgress() {
    guard let bar else { return }
    if isJSON {
      context.output.line(bar.json(at: (ContinuousClock.now - start) / .seconds(1)))
    } else if let terminal = context.terminal() {
      context.output.redrawLine(bar.text(columns: terminal.columns))
    }
    context.flush()
  }

  /// Clears the bar to make room for a line.
  func clearBar() {
    if bar != nil, !isJSON, context.terminal() != nil { context.output.redrawLine("") }
  }

  mutating func finish() {
    clearBar()
    bar = nil
  }
}

/// The progress of a file transfer.
struct ProgressBar {
  private let progress: Progress
  private let label: String
  private let start = ContinuousClock.now

  init(_ progress: PeerProgress, label: String) {
    self.progress = progress.value
    self.label = label
  }

  var seconds: Double { max((ContinuousClock.now - start) / .seconds(1), 1e-6) }

  func text(columns: Int) -> String {
    Self.text(
      done: progress.completedUnitCount, total: progress.totalUnitCount, seconds: seconds, label: label,
      columns: columns)
  }

  /// Widths of the bar, characters. With less room than the narrowest it is omitted.
  private static let widestBar = 40
  private static let narrowestBar = 5

  static func text(done: Int64, total: Int64, seconds: Double, label: String, columns: Int) -> String {
    let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 0
    let rate = Double(done) / max(seconds, 1e-6)
    let left = rate > 0 && total > done ? "\(NumberFormat.fixed(Double(total - done) / rate, 0)) s left" : ""
    let figures =
      "\(NumberFormat.padded(NumberFormat.fixed(share * 100, 0), 3)) %  \(PeerText.octets(Double(done)))  "
      + "\(PeerText.octets(rate))/s  \(left)"
    let width = min(Self.widestBar, columns - figures.count - 6)
    guard width >= Self.narrowestBar else { return String(figures.prefix(max(0, columns - 1))) }
    let full = Int(share * Double(width))
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    let room = columns - width - figures.count - 6
    return (room > 4 ? String(label.prefix(room)) + "  " : "") + "\(bar)  \(figures)"
  }

  func json(at time: Double) -> String {
    var line = JSONLine()
    line.add("t", time, decimals: 3)
    line.add("event", text: "progress")
    line.add("file", text: label)
    line.add("done", Int(progress.completedUnitCount))
    line.add("total", Int(progress.totalUnitCount))
    return line.closed()
  }
}
