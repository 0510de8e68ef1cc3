import Foundation
import NearbyCommandLine
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import NearbySteppedWorld
import NearbyTextForms
import NearbyWorldProtocol

/// `nearby example`: runs an example app as this process's device.
struct ExampleCommand {
  private enum Letter: Sendable {
    case shown(AppDisplay)
    case interrupted
  }

  /// Time between two checks whether the world's process that started this one is still running.
  private static let pollInterval = Duration.seconds(1)

  private let app: ExampleApp
  private let duration: Duration?
  private let isJSON: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    app = try arguments[Options.app]
    duration = try arguments[CommonOptions.seconds]
    isJSON = try arguments[CommonOptions.json]
  }

  func run(in context: CommandContext) throws(CommandError) {
    // Set before this process's device is created, which happens at its first use.
    for (key, text) in app.declarations { setenv(key, text, 0) }
    let mailbox = Mailbox<Letter>()
    context.interrupt.handle { mailbox.post(.interrupted) }
    _ = NearbyDevice.bound
    let running = Self.onMain {
      // Not used, only kept alive until the end.
      UncheckedSendable(
        app.start { display in
          ProcessDevice.show(display)
          mailbox.post(.shown(display))
        })
    }
    defer { withExtendedLifetime(running) {} }
    show(mailbox, context)
  }

  private func show(_ mailbox: Mailbox<Letter>, _ context: CommandContext) {
    let start = ContinuousClock.now
    let end = duration.map { start + $0 }
    var last: AppDisplay?
    while !context.isOutputClosed(), Self.isWanted(context) {
      context.flush()
      let soon = ContinuousClock.now + Self.pollInterval
      switch mailbox.nextInApp(until: end.map { min($0, soon) } ?? soon) {
      case .interrupted: return
      case .shown(let display):
        if display != last { context.output.line(line(display, at: ContinuousClock.now - start)) }
        last = display
      case nil: if let end, ContinuousClock.now >= end { return }
      }
    }
  }

  /// Whether the world that started this process is still running. A world that is killed can't end its programs.
  private static func isWanted(_ context: CommandContext) -> Bool {
    guard let text = context.environment[ProgramEntry.ownerKey], let owner = Int32(text) else { return true }
    return kill(owner, 0) == 0 || errno == EPERM
  }

  private func line(_ display: AppDisplay, at time: Duration) -> String {
    guard isJSON else {
      let clock = NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 1), 6)
      return ([display.line] + display.items).joined(separator: "  ·  ").prefixed("\(clock) s  ")
    }
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("line", text: display.line)
    line.add("items", json: JSONArray.of(display.items))
    line.add("brightness", display.radar?.brightness, decimals: 3)
    line.add("sweeps", display.radar?.sweepsPerSecond, decimals: 2)
    return line.closed()
  }

  private static func onMain<Result>(_ body: () -> Result) -> Result {
    Thread.isMainThread ? body() : DispatchQueue.main.sync(execute: body)
  }
}

extension String {
  fileprivate func prefixed(_ text: String) -> String { text + self }
}
