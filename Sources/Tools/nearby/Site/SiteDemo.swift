import NearbyCommandLine
import NearbySite
import NearbyTextForms
import Synchronization

/// `nearby demo site`: a simulated building with 20 tags, its page, and what Home Assistant would receive.
struct SiteDemo {
  /// Simulated time of one step.
  private static let step = Duration.milliseconds(100)

  let seed: UInt64
  let length: Duration?
  let speed: PlaybackSpeed
  let isJSON: Bool

  /// The engine, as the page sees it.
  private final class Shown: ShownSite {
    let plan: SitePlan
    let engine: Mutex<SiteEngine>

    init(_ engine: SiteEngine) {
      plan = engine.plan
      self.engine = Mutex(engine)
    }

    var metrics: String { engine.withLock { PrometheusText.of($0.fusion) } }
    var reports: [SiteReport] { engine.withLock { $0.fusion.reports } }
    var occupants: [[Int]] { engine.withLock { $0.fusion.occupants } }
  }

  func run(in context: CommandContext) throws {
    var building = try DemoBuilding(seed: seed)
    let site = Shown(try SiteEngine(building.plan, version: NearbyVersion.version, seed: seed))
    let page = try building.plan.page.map { try SitePageServer(site, $0) }
    defer { page?.stop() }
    if let page { context.errors.line("page: \(page.address)") }
    for message in site.engine.withLock({ $0.connected() }) { context.output.line(text(message)) }
    try play(&building, site, page, context)
    let errors = self.errors(building, site, at: length ?? .zero)
    guard length != nil, !errors.isEmpty else { return }
    let (mean, worst) = (errors.reduce(0, +) / Double(errors.count), errors.max() ?? 0)
    context.errors.line(
      "\(errors.count) tags located; error at the end: mean \(NumberFormat.fixed(mean, 2)) m, worst "
        + "\(NumberFormat.fixed(worst, 2)) m")
  }

  private func play(
    _ building: inout DemoBuilding, _ site: Shown, _ page: SitePageServer?, _ context: CommandContext
  ) throws(CommandError) {
    let bell = Mailbox<Void>()
    context.interrupt.handle { bell.post(()) }
    var time = Duration.zero
    var next = ContinuousClock.now
    while length.map({ time < $0 }) ?? true, !context.isOutputClosed() {
      if context.interrupt.isRaised { throw .interrupted }
      let sent = building.publish(at: time)
      time += Self.step
      let now = DemoBuilding.epoch + time / .seconds(1)
      let output = site.engine.withLock { engine in
        var output = SiteEngine.Output()
        for message in sent {
          engine.received(topic: message.topic, payload: Array(message.payload.utf8), now: now, &output)
        }
        engine.advance(now: now, &output)
        return output
      }
      for message in output.messages { context.output.line(text(message)) }
      page?.publish(output.reports, output.events)
      page?.show()
      context.flush()
      guard case .times(let factor) = speed else { continue }
      next += Self.step / Double(factor)
      if bell.next(until: next) != nil { throw .interrupted }
    }
  }

  private func text(_ message: SiteMessage) -> String {
    guard isJSON else { return "\(message.topic) \(message.payload)" }
    var line = JSONLine()
    line.add("topic", text: message.topic)
    line.add("payload", text: message.payload)
    line.add("retained", message.isRetained)
    return line.closed()
  }

  /// Horizontal errors of the tags that have positions, metres.
  private func errors(_ building: DemoBuilding, _ site: Shown, at time: Duration) -> [Double] {
    site.reports.compactMap { report in
      guard let position = report.position else { return nil }
      let across = position.position - building.truth(of: report.tag, at: time)
      return (across.x * across.x + across.y * across.y).squareRoot()
    }
  }
}
