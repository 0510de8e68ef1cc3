import Foundation
import MultipeerConnectivity
import NearbyCommandLine

/// `nearby peer chat`: sends each line to all connected peers.
struct PeerChatCommand {
  /// Time between two invitations of a peer that declined or did not answer.
  private static let retryDelay = Duration.seconds(3)

  private let options: PeerOptions
  private let info: [String: String]
  private let accept: PeerRule
  private let invite: PeerRule

  private static let inviteOption = CommandOption<[String]>.list(
    "invite", "NAME", "Peers to invite: all (default), none, or a name; may be repeated", as: .text)

  static let spec = CommandSpec(
    name: "chat",
    summary: "Exchange lines of text with all connected peers",
    discussion: """
      Advertises, browses and invites at the same time, as apps do. Lines are queued until a peer is connected.
      At the end of the input it sends the queued lines and exits.
      """,
    options: [
      PeerOptions.type, PeerOptions.name, PeerOptions.info, inviteOption, PeerOptions.accept,
      PeerOptions.encryption, CommonOptions.seconds, CommonOptions.json,
    ],
    examples: ["nearby peer chat --type chat --name Ann", "echo hello | nearby peer chat --type chat"]
  ) { try PeerChatCommand($0).run(in: $1) }

  init(_ arguments: CommandArguments) throws(UsageError) {
    options = try PeerOptions(arguments)
    info = try PeerOptions.info(arguments)
    accept = try PeerRule(try arguments[PeerOptions.accept], PeerOptions.accept)
    invite = try PeerRule(try arguments[Self.inviteOption], Self.inviteOption)
  }

  func run(in context: CommandContext) throws(CommandError) {
    let run = PeerRun(options, in: context, advertising: info, browses: true, accept: accept)
    run.start(in: context)
    defer { run.stop() }
    Thread.detachNewThread { [mailbox = run.mailbox] in
      while let line = context.input() { mailbox.post(.line(line)) }
      mailbox.post(.line(nil))
    }
    var printer = PeerPrinter(isJSON: options.isJSON, context)
    printer.advertising(run.peer, type: options.type)
    try talk(run, &printer, in: context)
  }

  private func talk(_ run: PeerRun, _ printer: inout PeerPrinter, in context: CommandContext)
    throws(CommandError)
  {
    let end = options.duration.map { ContinuousClock.now + $0 }
    var guests = Guests()
    // Lines queued until the first peer connects.
    var unsaid: [String] = []
    var isAtEnd = false
    while !context.isOutputClosed() {
      context.flush()
      if !run.session.connectedPeers.isEmpty {
        for line in unsaid { try say(line, in: run) }
        unsaid = []
        if isAtEnd { return }
      }
      let next = [end, guests.nextInvitation].compactMap(\.self).min()
      guard let letter = run.mailbox.next(until: next) else {
        if let end, ContinuousClock.now >= end { return }
        for peer in guests.removeDue(at: .now) { run.invite(peer) }
        continue
      }
      switch letter {
      case .interrupted: return
      case .notStarted: throw PeerRun.unavailable
      case .line(let line?): unsaid.append(line)
      case .line(nil): isAtEnd = true
      case .found(let peer, _): if invite.covers(peer), guests.arrived(peer) { run.invite(peer) }
      case .lost(let peer): guests.left(peer)
      case .state(let peer, .notConnected): guests.refused(peer, until: .now + Self.retryDelay)
      case .invited, .state, .data, .arriving, .arrived, .delivered: break
      }
      printer.show(letter)
    }
  }

  private func say(_ line: String, in run: PeerRun) throws(CommandError) {
    do {
      try run.session.send(Data(line.utf8), toPeers: run.session.connectedPeers, with: .reliable)
    } catch {
      // A peer that has just left is not an error.
      guard let error = error as? MCError, error.code == .notConnected else {
        throw .unavailable("can't send: \(PeerText.reason(error))")
      }
    }
  }
}

/// The peers in sight, and when to invite them again.
private struct Guests {
  private var inSight: [MCPeerID] = []
  private var due: [(peer: MCPeerID, time: ContinuousClock.Instant)] = []

  /// - Returns: Whether to invite it now.
  mutating func arrived(_ peer: MCPeerID) -> Bool {
    guard !inSight.contains(peer) else { return false }
    inSight.append(peer)
    return true
  }

  mutating func left(_ peer: MCPeerID) {
    inSight.removeAll { $0 == peer }
    due.removeAll { $0.peer == peer }
  }

  mutating func refused(_ peer: MCPeerID, until time: ContinuousClock.Instant) {
    guard inSight.contains(peer), !due.contains(where: { $0.peer == peer }) else { return }
    due.append((peer, time))
  }

  var nextInvitation: ContinuousClock.Instant? { due.map(\.time).min() }

  mutating func removeDue(at time: ContinuousClock.Instant) -> [MCPeerID] {
    let now = due.filter { $0.time <= time }.map(\.peer)
    due.removeAll { $0.time <= time }
    return now
  }
}
