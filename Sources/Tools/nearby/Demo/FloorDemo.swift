import Foundation
import Museum
import NearbyCommandLine
import NearbyPosition
import NearbyTesting
import NearbyTextForms

/// `nearby demo position`: a visitor walks through a museum, and the phone shows where it is among the anchors.
struct FloorDemo {
  /// Real time between two pictures; 20 per second look smooth.
  private static let frame = Duration.milliseconds(50)
  /// Simulated time between two checks for an interrupt at full speed.
  private static let burst = Duration.milliseconds(500)
  /// The walk through all rooms and back takes 42 s.
  private static let usualLength = Duration.seconds(45)
  /// Time between two lines while the visitor stays in a room.
  private static let lineInterval = Duration.milliseconds(500)

  let seed: UInt64
  let length: Duration?
  let speed: PlaybackSpeed
  let isJSON: Bool
  let isPlain: Bool

  func run(in context: CommandContext) throws(CommandError) {
    let reports = Mailbox<FloorApp.Place>()
    let floor = MuseumFloor(seed: seed) { reports.post($0) }
    let bell = Mailbox<Void>()
    context.interrupt.handle { bell.post(()) }
    let hasPicture = !isJSON && !isPlain && context.terminal() != nil
    if hasPicture { TerminalModes.enterPicture() }
    defer { if hasPicture { TerminalModes.restore() } }
    var lines = FloorLines(interval: Self.lineInterval)
    var next = ContinuousClock.now
    let end = length ?? Self.usualLength
    while !context.isOutputClosed(), floor.world.now < end {
      if context.interrupt.isRaised { throw .interrupted }
      // One block of the anchors at most, so that a line's time is that of its round.
      floor.advance(by: min(step, end - floor.world.now))
      while let place = reports.next(until: .now) {
        let report = FloorReport(floor, place)
        if !hasPicture, lines.admits(report) {
          context.output.line(isJSON ? report.json : report.line)
        }
      }
      if hasPicture { draw(floor, in: context) }
      guard case .times = speed else { continue }
      context.flush()
      next += Self.frame
      if bell.next(until: next) != nil { throw .interrupted }
    }
    guard hasPicture else { return }
    TerminalModes.restore()
    context.output.line(FloorReport(floor, floor.app.place).line)
  }

  private var step: Duration {
    switch speed {
    case .times(let factor): min(Self.frame * factor, Self.burst)
    case .max: Self.frame
    }
  }

  private func draw(_ floor: MuseumFloor, in context: CommandContext) {
    guard let terminal = context.terminal() else { return }
    let canvas = FloorPicture.canvas(
      floor, columns: terminal.columns, rows: terminal.rows, footer: "seed \(seed) · Ctrl-C quits")
    context.output.draw(canvas, hasColour: terminal.hasColour)
    context.flush()
  }
}

/// What the app shows at one time, beside the truth.
struct FloorReport {
  let time: Duration
  let place: FloorApp.Place
  /// The room in which the visitor is.
  let trueRoom: String?
  let truth: SIMD3<Double>

  init(_ floor: MuseumFloor, _ place: FloorApp.Place) {
    time = floor.world.now
    self.place = place
    trueRoom = floor.room
    truth = floor.phone.position
  }

  /// The room that the app shows.
  var room: String? {
    if case .here(let room, _, _) = place { room } else { nil }
  }

  /// Metres on the floor.
  private var error: Double? {
    guard case .here(_, let position, _) = place else { return nil }
    let away = SIMD2(position.x - truth.x, position.y - truth.y)
    return (away * away).sum().squareRoot()
  }

  var line: String {
    "\(NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 1), 6)) s  \(words)"
  }

  private var words: String {
    switch place {
    case .searching: return "looking for anchors"
    case .unknown(let reason): return "no position: \(reason.rawValue)"
    case .stopped(let reason): return reason
    case .here(let room, let position, let sigma):
      let name = (room ?? "outside").padding(toLength: 9, withPad: " ", startingAt: 0)
      let place = [position.x, position.y].map { NumberFormat.padded(NumberFormat.fixed($0, 2), 6) }
      let reach = NumberFormat.fixed(max(sigma.x, sigma.y), 2)
      let off = NumberFormat.fixed(error ?? 0, 2)
      return "\(name) \(place[0]) m east \(place[1]) m north  ± \(reach) m  \(off) m off"
    }
  }

  var json: String {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    switch place {
    case .searching: line.add("state", text: "searching")
    case .unknown(let reason):
      line.add("state", text: "unknown")
      line.add("unavailable", text: reason.rawValue)
    case .stopped(let reason):
      line.add("state", text: "stopped")
      line.add("reason", text: reason)
    case .here(let room, let position, let sigma):
      line.add("state", text: "here")
      line.add("room", text: room)
      line.add("position", json: JSONArray.of(position))
      line.add("positionSigma", json: JSONArray.of(sigma))
      line.add("error", error, decimals: 3)
    }
    line.add("trueRoom", text: trueRoom)
    line.add("truth", json: JSONArray.of(truth))
    return line.closed()
  }
}

/// Decides which reports become lines: the first, each change of the room or of the kind, and otherwise one at
/// times.
private struct FloorLines {
  let interval: Duration
  private var last: (time: Duration, key: String)?

  init(interval: Duration) { self.interval = interval }

  mutating func admits(_ report: FloorReport) -> Bool {
    let key =
      switch report.place {
      case .searching: "searching"
      case .unknown(let reason): "unknown \(reason.rawValue)"
      case .stopped: "stopped"
      case .here(let room, _, _): "here \(room ?? "")"
      }
    if let last, last.key == key, report.time - last.time < interval { return false }
    last = (report.time, key)
    return true
  }
}
