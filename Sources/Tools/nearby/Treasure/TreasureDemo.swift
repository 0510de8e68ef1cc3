import DragonRadar
import Foundation
import NearbyCommandLine
import NearbyTesting
import NearbyTextForms

/// `nearby demo radar`: the treasure hunt, by keys or by a scripted walker.
struct TreasureDemo {
  /// Real time between two pictures; 20 per second look smooth.
  private static let frame = Duration.milliseconds(50)
  /// Simulated time between two checks for an interrupt at full speed.
  private static let burst = Duration.milliseconds(500)
  /// The scripted walker needs less time to find everything.
  private static let usualLength = Duration.seconds(120)
  /// Metres per key press.
  private static let step = 0.5

  private enum Letter: Sendable {
    case key(WalkKey)
    case interrupted
  }

  let seed: UInt64
  let length: Duration?
  let speed: PlaybackSpeed
  let isJSON: Bool
  let isPlain: Bool

  func run(in context: CommandContext) throws(CommandError) {
    let reports = Mailbox<RadarState>()
    let field = TreasureField(seed: seed) { reports.post($0) }
    let mailbox = Mailbox<Letter>()
    context.interrupt.handle { mailbox.post(.interrupted) }
    let hasPicture = !isJSON && !isPlain && context.terminal() != nil
    // Keys if there is a terminal to read them from, otherwise the script.
    let hasKeys = hasPicture && isatty(STDIN_FILENO) == 1
    let keys = hasKeys ? KeyReader { mailbox.post(.key($0)) } : nil
    if hasPicture { TerminalModes.enterPicture() }
    defer {
      keys?.end()
      if hasPicture { TerminalModes.restore() }
    }
    var angle = 0.0
    var next = ContinuousClock.now
    let end = length ?? (hasKeys ? nil : Self.usualLength)
    while !context.isOutputClosed(), end.map({ field.world.now < $0 }) ?? true {
      if context.interrupt.isRaised { throw .interrupted }
      let passed = min(simulatedFrame, end.map { $0 - field.world.now } ?? simulatedFrame)
      if hasKeys { field.world.advance(by: passed) } else { field.advanceScript(by: passed) }
      angle += 2 * .pi * field.radar.state.sweepsPerSecond * (Self.frame / .seconds(1))
      while let state = reports.next(until: .now) {
        if !hasPicture { context.output.line(line(state, at: field.world.now)) }
      }
      if hasPicture { draw(field, angle, hasKeys: hasKeys, in: context) }
      if field.radar.state.phase == .finished { break }
      guard case .times = speed else { continue }
      context.flush()
      next += Self.frame
      while let letter = mailbox.next(until: next) {
        switch letter {
        case .interrupted: throw .interrupted
        case .key(.quit): return
        case .key(let key): walk(key, field)
        }
      }
    }
    if hasPicture {
      TerminalModes.restore()
      context.output.line(field.radar.state.line)
    }
  }

  private var simulatedFrame: Duration {
    switch speed {
    case .times(let factor): Self.frame * factor
    case .max: Self.burst
    }
  }

  private func walk(_ key: WalkKey, _ field: TreasureField) {
    switch key {
    case .north: field.step(east: 0, north: Self.step)
    case .south: field.step(east: 0, north: -Self.step)
    case .east: field.step(east: Self.step, north: 0)
    case .west: field.step(east: -Self.step, north: 0)
    case .quit: break
    }
  }

  private func draw(_ field: TreasureField, _ angle: Double, hasKeys: Bool, in context: CommandContext) {
    guard let terminal = context.terminal() else { return }
    let footer = hasKeys ? "arrow keys walk · q quits" : "seed \(seed) · Ctrl-C quits"
    let canvas = RadarPicture.canvas(
      field.radar.state, angle: angle, time: field.world.now, columns: terminal.columns, rows: terminal.rows,
      footer: footer)
    context.output.draw(canvas, hasColour: terminal.hasColour)
    context.flush()
  }

  private func line(_ state: RadarState, at time: Duration) -> String {
    guard isJSON else {
      let clock = NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 1), 6)
      return "\(clock) s  found \(state.found.count)  \(state.line)"
    }
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("found", state.found.count)
    if case .hunting(let treasure) = state.phase { line.add("treasure", text: treasure.name) }
    line.add("trend", text: state.trend?.rawValue)
    line.add("brightness", state.brightness, decimals: 3)
    line.add("sweeps", state.sweepsPerSecond, decimals: 2)
    line.add("text", text: state.line)
    return line.closed()
  }
}
