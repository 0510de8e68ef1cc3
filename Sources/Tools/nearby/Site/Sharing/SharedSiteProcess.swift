import Foundation
import NearbyCommandLine
import NearbyNATS
import NearbyPosition
import NearbySchedule
import NearbySite
import Synchronization

/// One of several processes that share a site through a NATS server.
///
/// A thread of its own reads the readings, fuses those of its tags, keeps checkpoints, and takes parts over or gives them
/// up. `advance` runs on the command's thread, `readingArrived` on one of the NATS client's.
final class SharedSiteProcess: RunningSite {
  private struct State {
    var site: SharedSite
    var members: SiteMembers
    var preview = SitePreview()
    var untaken = UntakenParts()
    var isEnding = false
    /// Parts that were taken over, and that another process took.
    var taken = 0
    var lost = 0
  }

  /// Time in which each part that changed is kept, and each other one.
  private static let (keeping, refreshing) = (Duration.milliseconds(500), Duration.seconds(5))
  /// Messages that are read before anything else is looked after.
  private static let messagesTogether = 256
  private static let look = Duration.milliseconds(5)
  private static let retry = Duration.milliseconds(200)

  let plan: SitePlan
  private let sharing: SiteSharing
  private let state: Mutex<State>
  private let record: SiteRecord
  private let trouble: BrokerTrouble
  private let output: SharedSiteOutput
  private let others: Mutex<OtherTags>
  private let start = ContinuousClock.now
  private let done = DispatchSemaphore(value: 0)

  init(_ plan: SitePlan, _ sharing: SiteSharing, file: String, errors: any TextOutput) throws(CommandError) {
    self.plan = plan
    self.sharing = sharing
    let place = NATSConnection.Options(url: sharing.url, name: "").printableURL
    let trouble = BrokerTrouble(place, errors, kind: "NATS server")
    self.trouble = trouble
    record = SiteRecord(plan, errors: errors) { trouble.tell($0) }
    do throws(PositionError) {
      let engine = try SiteEngine(plan, version: NearbyVersion.version, seed: .random(in: 0 ... .max))
      let site = SharedSite(engine, after: 0)
      let own = UInt64.random(in: 1 ... .max)
      state = Mutex(State(site: site, members: SiteMembers(own: own, at: .zero)))
      others = Mutex(OtherTags(plan, digest: site.share.digest, own: own))
    } catch {
      throw .badData("\(file): the receivers can't be anchors: \(error)")
    }
    output = try SharedSiteOutput(plan, sharing, errors: errors)
  }

  private var uptime: Duration { ContinuousClock.now - start }
  private static var now: Double { Date().timeIntervalSince1970 }

  // MARK: The command's thread

  func openHistory() throws(CommandError) { try record.open() }

  func begin() {
    output.begin(
      birth: { [weak self] in self?.state.withLock { $0.site.connected() } ?? [] },
      view: { [weak self] octets in
        guard let self else { return }
        others.withLock { _ = $0.received(octets, at: uptime) }
      },
      beat: { [weak self] beat in
        guard let self else { return }
        state.withLock { $0.members.heard(beat, at: uptime) }
      },
      reading: { [weak self] in self?.readingArrived($0) })
    Thread { [self] in
      run()
      done.signal()
    }.start()
  }

  /// - Returns: The news since the last call: lines about this process's tags, reports and events of all processes' tags.
  func advance() -> SiteNews {
    trouble.advance()
    beat(isWorking: false)
    var news = record.drain()
    share(news)
    let (reports, events) = others.withLock { $0.takeNews() }
    news.reports += reports
    news.events += events
    return news
  }

  /// Sends new reports and events to the other processes.
  private func share(_ news: SiteNews) {
    guard !news.reports.isEmpty || !news.events.isEmpty else { return }
    let views: [SiteView] = state.withLock { state in
      guard state.members.hasOthers else { return [] }
      let fusion = state.site.engine.fusion
      let tags = news.reports.map { SiteView.Tag(report: $0, fences: fusion.fences(of: $0.tag).map(\.fence)) }
      return SiteView.views(
        digest: state.site.share.digest, member: state.members.own, tags: tags, events: news.events)
    }
    for view in views { output.publish(view) }
  }

  /// Keeps everything, says goodbye, and ends the thread.
  func end() {
    state.withLock { $0.isEnding = true }
    done.wait()
    output.end()
    _ = record.drain()
    record.end()
  }

  // MARK: The thread

  private func run() {
    while !state.withLock({ $0.isEnding }) {
      do throws(NATSFailure) {
        let store = try SharedSiteStore(plan, sharing)
        trouble.connected()
        try serve(store)
      } catch {
        trouble.tell("\(error); trying again")
        Thread.sleep(forTimeInterval: Double.random(in: 0.2...0.5))
      }
    }
  }

  /// Works until the end. Failures of single calls are waited out; what was not kept is kept later.
  private func serve(_ store: SharedSiteStore) throws(NATSFailure) {
    let extent = try store.extent()
    var work = Work(store: store, reader: store.reader(from: extent.last + 1), first: extent.first)
    let now = uptime
    state.withLock { state in
      // The others hear of this process from now on.
      state.members = SiteMembers(own: state.members.own, at: now)
      // After a failure the site starts from its checkpoints again.
      for part in state.site.owned { state.site.release(part) }
      state.site = SharedSite(state.site.engine, after: extent.last)
    }
    var pause = Duration.zero
    while !state.withLock({ $0.isEnding }) {
      beat()
      do throws(NATSFailure) {
        try read(&work)
        guard uptime >= pause else { continue }
        try divide(&work)
        try keep(&work, all: false)
        trouble.recovered()
      } catch {
        // Nothing is lost: the messages stay on the server.
        showUntaken(beside: work)
        trouble.tell("\(error); trying again")
        pause = uptime + Self.retry
        if !store.connection.isConnected { Thread.sleep(forTimeInterval: 0.05) }
      }
    }
    try? keep(&work, all: true)
    output.beat(SiteMembers.Beat(member: state.withLock { $0.members.own }, isLeaving: true))
  }

  /// What the thread works with while the server can be asked.
  private struct Work {
    let store: SharedSiteStore
    let reader: StreamReader
    /// The first message of the stream when this process came.
    let first: UInt64
    var recent = RecentMessages()
    /// When each part was kept.
    var kept: [Int: Duration] = [:]
    /// Where the search for parts to keep goes on.
    var cursor = 0
  }

  /// Time without work after which beats stop: more than a few calls that the server does not answer.
  private static let longestCall = Duration.seconds(3)
  /// When the last beat was sent, and when the working thread last made progress.
  private let lastBeat = Mutex((beat: Duration.seconds(-1), work: Duration?.none))

  /// Sends a beat if one is due. The command's thread calls this too, because the working thread may wait for the server.
  private func beat(isWorking: Bool = true) {
    let now = uptime
    let isDue = lastBeat.withLock { last in
      if isWorking { last.work = now }
      guard now - last.beat >= SiteMembers.interval, let work = last.work, now - work < Self.longestCall
      else { return false }
      last.beat = now
      return true
    }
    if isDue {
      output.beat(SiteMembers.Beat(member: state.withLock { $0.members.own }, isLeaving: false))
    }
  }

  // MARK: Readings

  private func read(_ work: inout Work) throws(NATSFailure) {
    var patience = Self.look
    for _ in 0..<Self.messagesTogether {
      guard let next = try work.reader.next(within: patience) else { break }
      let message = Self.message(next)
      take(message)
      work.recent.add(message)
      patience = .zero
    }
    pass()
  }

  private static func message(_ message: StreamReader.Message) -> RecentMessages.Message {
    RecentMessages.Message(
      sequence: message.sequence, time: message.time, topic: NATSTopics.topic(message.subject),
      payload: message.octets)
  }

  private func take(_ message: RecentMessages.Message) {
    let (output, shown) = state.withLock { state in
      state.preview.streamResumed()
      var output = SiteEngine.Output()
      state.site.received(message, &output)
      return (output, state.untaken.received(message))
    }
    publish(output)
    publish(shown)
  }

  /// Shows the positions that follow from a reading, if the stream is silent.
  private func readingArrived(_ message: borrowing NATSBus.Message) {
    let now = uptime
    guard state.withLock({ $0.preview.readingArrived(at: now) }) else { return }
    let (topic, octets) = (NATSTopics.topic(message.subject), message.octets)
    let (own, untaken) = state.withLock { state in
      // A message of the stream may have arrived since.
      guard state.preview.readingArrived(at: now) else { return (SiteEngine.Output(), SiteEngine.Output()) }
      let time = Self.now
      return (
        state.preview.show(topic: topic, payload: octets, time: time, beside: state.site),
        state.untaken.readingArrived(topic: topic, payload: octets, time: time, at: now)
      )
    }
    publish(own)
    publish(untaken)
  }

  private let lastPass = Mutex(Duration.zero)

  /// Lets time pass when no messages come.
  private func pass() {
    let now = uptime
    let isDue = lastPass.withLock { last in
      guard now - last >= .seconds(1) else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    publish(
      state.withLock { state in
        var output = SiteEngine.Output()
        state.preview.timePassed(at: now)
        state.untaken.timePassed(at: now)
        guard !state.preview.isShowing else { return output }
        // Two seconds late, so that messages on their way are not overtaken.
        state.site.advance(now: Self.now - 2, &output)
        return output
      })
  }

  private func publish(_ output: SiteEngine.Output) {
    record.keep(output)
    self.output.publish(output)
  }

  // MARK: Parts

  /// The parts that this process has, and those that it should have.
  private func division(at now: Duration) -> (mine: Set<Int>, wanted: [Int]) {
    state.withLock { state in
      let members = state.members.current(at: now)
      let own = state.members.own
      let wanted = (0..<state.site.share.count).filter { SiteShare.owner(of: $0, among: members) == own }
      return (Set(state.site.owned), wanted)
    }
  }

  /// Gives parts up and takes others over.
  private func divide(_ work: inout Work) throws(NATSFailure) {
    let now = uptime
    let (mine, wanted) = division(at: now)
    for part in mine.subtracting(wanted).sorted() {
      try keep(part, &work)
      state.withLock { $0.site.release(part) }
      work.store.forget(part)
    }
    let missing = wanted.filter { !mine.contains($0) && (work.kept[$0] ?? .zero) <= now }
    guard !missing.isEmpty else { return state.withLock { $0.untaken.end() } }
    do throws(NATSFailure) {
      try take(missing, work)
      state.withLock { $0.untaken.end() }
    } catch {
      // Without the messages since its checkpoint a part is useless.
      for part in missing {
        state.withLock { $0.site.release(part) }
        work.store.forget(part)
      }
      throw error
    }
  }

  /// Shows positions of tags whose parts can't be taken, unless another process does.
  private func showUntaken(beside work: Work) {
    let now = uptime
    let (mine, wanted) = division(at: now)
    let parts = wanted.filter { !mine.contains($0) }
    let shown = others.withLock { others in
      Set(plan.tags.indices.filter { others.isShown($0, since: now - .seconds(1)) })
    }
    state.withLock { state in
      state.untaken.failed(
        parts, at: now, beside: state.site, recent: work.recent, shownElsewhere: shown.contains)
    }
  }

  private func take(_ missing: [Int], _ work: Work) throws(NATSFailure) {
    let share = state.withLock { $0.site.share }
    var least = UInt64.max
    for part in missing {
      let checkpoint = try work.store.checkpoint(part, states: share.tags[part].count)
      state.withLock { state in
        least = min(least, state.site.take(part, checkpoint, start: work.first - 1))
        state.taken += 1
      }
      beat()
    }
    try catchUp(from: least, work)
  }

  /// Replays the messages that the parts just taken over have not seen: recent ones from memory, older ones from the server.
  private func catchUp(from least: UInt64, _ work: Work) throws(NATSFailure) {
    let position = state.withLock { $0.site.position }
    if let missing = work.recent.missing(after: least, through: position) { try readAgain(missing, work) }
    for message in work.recent.after(least) where message.sequence <= position {
      guard !state.withLock({ $0.isEnding }) else { return }
      beat()
      take(message)
    }
  }

  private func readAgain(_ sequences: Range<UInt64>, _ work: Work) throws(NATSFailure) {
    let reader = work.store.reader(from: sequences.lowerBound)
    while reader.position < sequences.upperBound, !state.withLock({ $0.isEnding }) {
      beat()
      guard let message = try reader.next(within: .seconds(1)) else { continue }
      guard message.sequence < sequences.upperBound else { break }
      take(Self.message(message))
    }
  }

  private func keep(_ work: inout Work, all: Bool) throws(NATSFailure) {
    let now = uptime
    let (owned, dirty) = state.withLock { state in
      let owned = state.site.owned
      return (owned, owned.map { state.site.isDirty($0) })
    }
    guard !owned.isEmpty else { return }
    // A few at a time, so that readings are not kept waiting.
    var budget = all ? Int.max : max(1, owned.count / 64)
    for step in owned.indices where budget > 0 {
      let index = (work.cursor + step) % owned.count
      let age = now - (work.kept[owned[index]] ?? .seconds(-60))
      guard all || age >= (dirty[index] ? Self.keeping : Self.refreshing) else { continue }
      work.cursor = index + 1
      budget -= 1
      try keep(owned[index], &work)
    }
  }

  private func keep(_ part: Int, _ work: inout Work) throws(NATSFailure) {
    guard let checkpoint = state.withLock({ $0.site.checkpoint(part) }) else { return }
    if try work.store.keep(checkpoint, of: part) {
      work.kept[part] = uptime
      state.withLock { $0.site.kept(part) }
      return
    }
    // Another process has it: what this one did since its last checkpoint does not count.
    work.kept[part] = uptime + Self.keeping
    work.store.forget(part)
    state.withLock { state in
      state.site.release(part)
      state.lost += 1
    }
  }

  // MARK: For the page

  var metrics: String {
    let (text, owned, taken, lost, tally) = state.withLock { state in
      (
        PrometheusText.of(state.site.engine.fusion), state.site.owned.count, state.taken, state.lost,
        state.site.tally
      )
    }
    return text
      + PrometheusText.gauge("nearby_parts", "Parts of the tags that this process has.", owned)
      + PrometheusText.counter("nearby_parts_taken_total", "Parts that were taken over.", taken)
      + PrometheusText.counter("nearby_parts_lost_total", "Parts that another process took.", lost)
      + PrometheusText.counter(
        "nearby_tally_total", "Readings of these tags, by all processes.", tally.used &+ tally.dropped)
      + PrometheusText.counter(
        "nearby_history_lost_total", "Lines of history that were lost.", record.lostLines)
  }

  /// Of all processes.
  var reports: [SiteReport] {
    let own = state.withLock { $0.site.engine.fusion.reports }
    return others.withLock { $0.reports(beside: own, at: uptime) }
  }

  /// Of all processes.
  var occupants: [[Int]] {
    let (own, occupants) = state.withLock { state in
      (state.site.engine.fusion.reports, state.site.engine.fusion.occupants)
    }
    return others.withLock { $0.occupants(occupants, beside: own, at: uptime) }
  }
}
