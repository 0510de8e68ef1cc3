import NearbyCommandLine
import NearbyPlots
import NearbyTextForms

/// The live picture on a terminal.
struct DemoScreen {
  private var state: LiveState
  private var updates = 0
  /// The phase of the museum's app.
  private var phase = ""

  init(_ world: any DemoScene, speed: PlaybackSpeed) {
    state = LiveState(observer: world.observer, peer: world.peer)
    let pace =
      switch speed {
      case .times(let factor): "×\(NumberFormat.fixed(factor, factor == factor.rounded() ? 0 : 2))"
      case .max: "maximum speed"
      }
    state.footer = "seed \(world.seed) · \(pace) · Ctrl-C quits"
  }

  mutating func draw(_ reports: [DemoReport], at time: Duration, in context: CommandContext) {
    for report in reports where report.observer == state.observer && report.peer == state.peer {
      update(report)
    }
    state.time = time
    guard let terminal = context.terminal() else { return }
    let canvas = LiveView.canvas(state, columns: terminal.columns, rows: terminal.rows)
    context.output.draw(canvas, hasColour: terminal.hasColour)
    context.flush()
  }

  private mutating func update(_ report: DemoReport) {
    switch report.event {
    case .update(let distance, let direction):
      updates += 1
      state.updated(
        at: report.time, distance: distance.map(Double.init), direction: direction.map(SIMD3<Double>.init))
    case .guidance(let guidance): update(guidance, at: report.time)
    case .running, .removed, .suspended, .suspensionEnded, .invalidated:
      state.happened(
        "\(NumberFormat.fixed(report.time / .seconds(1), 1)) s  \(DemoText.words(report))", at: report.time)
      if case .removed = report.event { state.updated(at: report.time, distance: nil, direction: nil) }
    }
  }

  private mutating func update(_ guidance: DemoReport.Guidance, at time: Duration) {
    updates += 1
    let ahead = guidance.angle.map { angle in
      SIMD3(Trigonometry.sine(Double(angle)), 0, -Trigonometry.cosine(Double(angle)))
    }
    state.updated(at: time, distance: guidance.distance.map(Double.init), direction: ahead)
    state.headline = DemoText.instruction(guidance)
    guard guidance.phase != phase else { return }
    phase = guidance.phase
    state.happened("\(NumberFormat.fixed(time / .seconds(1), 1)) s  \(phase)", at: time)
  }

  /// The line that remains on the terminal after the picture is removed.
  var farewell: String {
    let seconds = NumberFormat.fixed(state.time / .seconds(1), 1)
    let last = "\(LiveView.distanceText(state.distance)) m  \(LiveView.directionText(state))"
    let end = state.headline.isEmpty ? "(\(updates) updates)" : state.headline
    return "\(state.observer) → \(state.peer) after \(seconds) s: \(last)  \(end)"
  }
}
