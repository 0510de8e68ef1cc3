import Foundation
import NearbyCommandLine
import NearbyMQTT
import NearbyPosition
import NearbyScenarios
import NearbySite

/// A site's process, as the command runs it.
protocol RunningSite: ShownSite {
  func openHistory() throws(CommandError)
  /// Connects to the broker or server, now or later.
  func begin() throws(CommandError)
  /// Lets time pass.
  ///
  /// - Returns: What came since the last call.
  func advance() -> SiteNews
  /// Says goodbye and disconnects.
  func end()
}

/// `nearby site CONFIG`.
struct SiteCommand {
  private enum Options {
    static let configuration = PositionalArgument<String>.required(
      "CONFIG", "Configuration of the site, JSON with comments", as: .file)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Stop after this long (default: run until interrupted)", as: .duration)
    static let check = CommandOption<Bool>.flag("check", "Only check the configuration")
  }

  static let spec = CommandSpec(
    name: "site",
    summary: "Locate tags in a building from the readings of gateways",
    discussion: """
      Reads what 'nearby gateway' and ESPresense receivers publish on an MQTT broker, computes where each tag
      is, and publishes positions, rooms and fences: for Home Assistant, as ESPresense and OwnTracks, to an omlox
      hub, as JSON lines and as Prometheus metrics. A page shows the plan. Docs/site.md describes CONFIG.
      """,
    arguments: [Options.configuration],
    options: [Options.seconds, Options.check, CommonOptions.json],
    examples: [
      "nearby site museum.json", "nearby site museum.json --check", "nearby site museum.json --json",
    ]
  ) { try SiteCommand($0).run(in: $1) }

  /// Real time between two looks at the clock.
  private static let step = Duration.milliseconds(100)

  private let file: String
  private let length: Duration?
  private let isCheck: Bool
  private let isJSON: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    file = try arguments[Options.configuration]
    length = try arguments[Options.seconds]
    isCheck = try arguments[Options.check]
    isJSON = try arguments[CommonOptions.json]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let plan = try Self.plan(file)
    let process: any RunningSite =
      if let sharing = plan.sharing {
        try SharedSiteProcess(plan, sharing, file: file, errors: context.errors)
      } else {
        try SiteProcess(plan, file: file, errors: context.errors)
      }
    if isCheck {
      return context.output.line(
        "\(file): site \(plan.name): \(plan.receivers.count) receivers, \(plan.rooms.count) rooms, "
          + "\(plan.fences.count) fences, \(plan.tags.count) tags")
    }
    try process.openHistory()
    let page = try plan.page.map { page throws(CommandError) in try SitePageServer(process, page) }
    defer { page?.stop() }
    if let page { context.errors.line("page: \(page.address)") }
    try process.begin()
    defer { process.end() }
    try loop(process, page, context)
  }

  private func loop(
    _ process: any RunningSite, _ page: SitePageServer?, _ context: CommandContext
  ) throws(CommandError) {
    let bell = Mailbox<Void>()
    context.interrupt.handle { bell.post(()) }
    let end = length.map { ContinuousClock.now + $0 }
    var next = ContinuousClock.now
    while end.map({ ContinuousClock.now < $0 }) ?? true, !context.isOutputClosed() {
      let news = process.advance()
      if isJSON { for line in news.lines { context.output.line(line) } }
      page?.publish(news.reports, news.events)
      page?.show()
      context.flush()
      next = max(next + Self.step, ContinuousClock.now)
      if bell.next(until: next) != nil { return }
    }
  }

  static func plan(_ file: String) throws(CommandError) -> SitePlan {
    let data = try ScenarioFile.read(octetsOf: file)
    guard let text = String(validating: data, as: UTF8.self) else { throw .badData("\(file): no UTF-8 text") }
    do throws(ScenarioError) {
      return try SitePlan(parsing: text, file: file)
    } catch {
      throw .badData("\(error)")
    }
  }
}
