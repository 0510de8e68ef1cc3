import Cerca
import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import NearbyRadioLinks
import NearbyScenarios

/// `nearby cerca`.
struct CercaCommand {
  private enum Letter: Sendable {
    case state(CercaState)
    case interrupted
    /// The process was stopped for a while, so the picture is gone.
    case redraw
  }

  /// Time for the chip to receive what its device sends before a stop, microseconds.
  private static let chipTime: UInt32 = 50_000
  /// Time for goodbyes to be sent.
  private static let farewellTime = Duration.milliseconds(300)

  private let scenarioFile: String?
  private let seed: UInt64
  /// `nil` for the environment's name, or else the host's.
  private let givenName: String?
  private let duration: Duration?
  private let isJSON: Bool
  private let isPlain: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    scenarioFile = try arguments[Options.scenario]
    seed = try arguments[CommonOptions.seed]
    duration = try arguments[Options.seconds]
    isJSON = try arguments[CommonOptions.json]
    isPlain = try arguments[CommonOptions.plain]
    if isJSON, isPlain { throw CommonOptions.jsonAndPlain }
    givenName = try arguments[Options.name]
  }

  func run(in context: CommandContext) throws {
    let world = scenarioFile == nil ? WorldPlace(context.environment) : nil
    if scenarioFile != nil, givenName == nil, context.environment["NEARBY_DEVICE"] ?? "" == "" {
      throw UsageError.missing(Options.name)
    }
    let name = givenName ?? HostName.own(context.environment)
    var settings = NearbyViewModel.Settings()
    if let world { settings.identity += world.identity }
    // Kept until the end, because releasing it gives up the place on the air.
    let seat = try scenarioFile.map { try claimSeat($0, named: name, &settings, in: context) }
    defer { withExtendedLifetime(seat) {} }
    // Set before this process's device is created, which happens at its first use.
    setenv(ProcessSettings.usageKey, "Cerca shows where the other one is.", 0)
    let mailbox = Mailbox<Letter>()
    context.interrupt.handle { mailbox.post(.interrupted) }
    mailbox.post(.state(.searching))
    let kept = KeptPeer(name: name, environment: context.environment)
    let model = onMain {
      let model = NearbyViewModel(
        peer: kept.peer, settings: settings, onChange: { mailbox.post(.state($0)) })
      model.start()
      // Used on the main queue only.
      return UncheckedSendable(model)
    }
    if context.interrupt.isWatching { watchSuspension(mailbox) }
    defer {
      onMain { model.value.stop() }
      _ = Mailbox<Void>().nextInApp(until: .now + Self.farewellTime)
    }
    try show(name, mailbox, kept, in: context)
  }

  /// Takes the device's place on the shared air, and makes its chip this process's chip.
  private func claimSeat(
    _ path: String, named name: String, _ settings: inout NearbyViewModel.Settings, in context: CommandContext
  ) throws -> SharedAir.Seat {
    let text = try ScenarioFile.read(octetsOf: path)
    let scenario = try ScenarioFile.parse(text, path: path)
    guard let device = scenario.devices.firstIndex(where: { $0.name == name }) else {
      let names = scenario.devices.map(\.name).joined(separator: ", ")
      throw UsageError.invalidValue(option: "\(Options.name)", found: name, expected: "one of \(names)")
    }
    let air = try SharedAir(text: text, seed: seed, environment: context.environment)
    let words = ChipCommand.wordsToShare(scenario: URL(fileURLWithPath: path).path, seed: seed)
    let seat = try air.join(device, named: name) { () throws(CommandError) in
      let line = try OwnProgram.startDetached(OwnProgram.path, words)
      guard line?.hasPrefix("listening") == true else {
        throw .unavailable("can't start the shared air: \(line ?? "it exited without a message")")
      }
    }
    setenv("NEARBY_RADIO", seat.radio.description, 1)
    unsetenv("NEARBY_WORLD")
    // Simulated devices only meet devices on the same air.
    settings.identity += ".simulated." + String(SharedAir.identity(text, seed: seed), radix: 16)
    return seat
  }

  // MARK: Showing

  private func show(
    _ name: String, _ mailbox: Mailbox<Letter>, _ kept: KeptPeer, in context: CommandContext
  ) throws {
    let start = ContinuousClock.now
    let end = duration.map { start + $0 }
    let hasPicture = !isJSON && !isPlain && context.terminal() != nil
    var screen = CercaPicture(name: name)
    var hasRanged = false
    if hasPicture {
      TerminalModes.enterPicture()
      draw(screen, in: context)
    }
    defer { TerminalModes.restore() }
    while !context.isOutputClosed() {
      context.flush()
      guard let letter = mailbox.nextInApp(until: end) else { break }
      switch letter {
      case .interrupted: return
      case .redraw: if hasPicture { draw(screen, in: context) }
      case .state(let state):
        let report = CercaReport(time: ContinuousClock.now - start, name: name, state: state)
        screen.update(report)
        if hasPicture {
          draw(screen, in: context)
        } else if isJSON || state != .unsupported {
          // The error that follows says why it is unsupported.
          context.output.line(isJSON ? report.json : report.line)
        }
        if case .near = state { hasRanged = true }
        if case .noNetwork = state {
          kept.forget()
          // On a terminal it would disturb the picture, which says less.
          if !hasPicture { context.errors.line("nearby: \(PeerRun.unavailable.message)") }
        }
        try check(state)
      }
    }
    if !hasRanged, !context.isOutputClosed() {
      throw CommandError.unavailable("no other device was found in time; start 'nearby cerca' on another one")
    }
  }

  /// Throws for the final states.
  private func check(_ state: CercaState) throws(CommandError) {
    switch state {
    case .unsupported:
      throw RadioTrouble.error(
        advice: "set NEARBY_RADIO or NEARBY_WORLD, or simulate one: "
          + "\(Options.scenario) Examples/Scenarios/two-phones-meet.json \(Options.name) anna")
    case .refused, .failed: throw .unavailable(CercaView.lines(state).joined(separator: " "))
    case .searching, .meeting, .near, .lost, .suspended, .noNetwork: break
    }
  }

  private func draw(_ screen: CercaPicture, in context: CommandContext) {
    guard let terminal = context.terminal() else { return }
    let canvas = screen.canvas(
      columns: terminal.columns, rows: terminal.rows, footer: "Ctrl-Z suspends · Ctrl-C quits")
    context.output.draw(canvas, hasColour: terminal.hasColour)
    context.flush()
  }

  // MARK: The process

  /// Treats a stopped process as an app in the background.
  private func watchSuspension(_ mailbox: Mailbox<Letter>) {
    let device = NearbyDevice.bound
    TerminalModes.watchSuspension(
      TerminalModes.SuspensionHooks(
        before: {
          device.app.post(.enterBackground)
          let isDone = DispatchSemaphore(value: 0)
          // Runs after the posted event; the chip receives its commands a moment later.
          device.app.later { isDone.signal() }
          isDone.wait()
          usleep(Self.chipTime)
        },
        after: {
          device.app.post(.enterForeground)
          mailbox.post(.redraw)
        }))
  }

  private func onMain<Result>(_ body: () -> Result) -> Result {
    Thread.isMainThread ? body() : DispatchQueue.main.sync(execute: body)
  }
}
