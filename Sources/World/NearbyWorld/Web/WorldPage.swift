import Dispatch
import Foundation
import NearbyConcurrency
import NearbyFiles
import NearbyRadioLinks
import NearbyWorldProtocol
import Synchronization

/// Shows a served world to browsers, and carries out what people request there.
///
/// Everything except the socket itself runs on the world server's queue.
package final class WorldPage: Sendable {
  /// Interval between two state messages.
  private static let interval = DispatchTimeInterval.milliseconds(50)
  /// Number of queued messages at which a browser gets no more state messages.
  private static let longestBacklog = 4

  /// Maximum world time that a step covers in one turn, so that a long step does not block other work.
  private static let longestStride = Duration.seconds(1)
  /// Maximum world time of all pending steps.
  private static let longestStep = Duration.seconds(60)
  /// Events for the owner, reported on any thread.
  package enum Event: Equatable, Sendable {
    /// The maximum number of connections is open; new ones wait until one closes.
    case crowded(limit: Int)
    /// The system has no resources for new connections; they wait one second.
    case acceptFailed(LinkError)
  }

  private struct Viewer: Sendable {
    var device: Int?
    var showsTraffic = false
    var hasLayout = false
  }

  private struct State: Sendable {
    var viewers: [WebClient: Viewer] = [:]
    var layout: HostedWorld.LayoutMark?
    var ticks = 0
    var traffic: [Int: TrafficText] = [:]
    /// World time of pending steps that has not passed yet.
    var stepping = Duration.zero
    /// `UncheckedSendable`: only cancelled, once.
    var ticker: UncheckedSendable<any DispatchSourceTimer>?
  }

  private let world: WorldServer
  private let state = Mutex(State())
  private let web: WebServer
  private let report: @Sendable (Event) -> Void

  /// - Parameters:
  ///   - token: Secret that a browser must know; an empty one admits all browsers, on loopback addresses
  ///     only.
  ///   - limit: Maximum number of connections; `nil` for the default of `WebServer`.
  /// - Throws: The files of the page are not installed with the program.
  package init(
    _ world: WorldServer, token: String, limit: Int? = nil,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(ResourceFolder.Missing) {
    self.world = world
    self.report = report
    // The page owns the server, so the server's callback reaches the page through a relay.
    let relay = Relay<WorldPage, WebServer.Event> { relay, event in
      guard let page = relay.owner else { return }
      page.world.queue.async { page.receive(event) }
    }
    web = WebServer(files: try .bundled(), token: token, limit: limit) { relay.received($0) }
    relay.attach(self)
  }

  /// Starts serving. Call once.
  ///
  /// - Returns: The port.
  package func start(host: String, port: UInt16) throws(WebServer.Failure) -> UInt16 {
    let port = try web.start(host: host, port: port)
    // Created only once it is sure to run: releasing a timer that was never resumed is a fatal error in
    // Dispatch.
    let source = DispatchSource.makeTimerSource(queue: world.queue)
    source.setEventHandler { [weak self] in self?.tick() }
    source.schedule(deadline: .now(), repeating: Self.interval, leeway: .milliseconds(5))
    source.resume()
    let ticker = UncheckedSendable(source)
    state.withLock { $0.ticker = ticker }
    return port
  }

  /// Stops serving; all connections are closed on return. Has no effect before `start`.
  package func stop() {
    state.withLock { $0.ticker }?.value.cancel()
    web.stop()
  }

  // MARK: Browsers

  private func receive(_ event: WebServer.Event) {
    switch event {
    case .opened(let client, _):
      state.withLock { $0.viewers[client] = Viewer() }
      let address = world.address
      web.send(world.turn { $0.welcomeText(address: address) }, to: client)
      updateJournal()
    case .closed(let client):
      state.withLock { $0.viewers[client] = nil }
      updateJournal()
    case .received(let client, let text): perform(text, of: client)
    case .crowded(let limit): report(.crowded(limit: limit))
    case .acceptFailed(let error): report(.acceptFailed(error))
    }
  }

  /// Carries out a message from a browser, or answers it with an error.
  private func perform(_ text: String, of client: WebClient) {
    do throws(PageOrderError) {
      switch try PageOrderReader.read(text) {
      case .watch(let device, uci: let showsTraffic): try watch(device, showsTraffic, by: client)
      case .world(.rate(let rate)): world.changeRate(rate)
      case .world(let order):
        if let refusal = world.turn({ $0.perform(order) }) { throw PageOrderError(refusal) }
      case .step(let duration): try step(duration)
      case .save: web.send(world.turn { $0.savedText() }, to: client)
      case .expected(let network, let height):
        web.send(world.turn { $0.expectedText(network: network, height: height) }, to: client)
      }
    } catch {
      web.send(PageText.error(error.description), to: client)
    }
  }

  /// Starts a step, or extends the pending one.
  private func step(_ duration: Duration) throws(PageOrderError) {
    let isUnderWay = try state.withLock { (state) throws(PageOrderError) in
      guard state.stepping + duration <= Self.longestStep else {
        let limit = Self.longestStep.components.seconds
        throw PageOrderError(
          description: "seconds: steps of more than \(limit) s at once; wait for the one before")
      }
      defer { state.stepping += duration }
      return state.stepping > .zero
    }
    if !isUnderWay { stride() }
  }

  /// Performs one turn of a step; other work on the queue runs between two turns.
  private func stride() {
    let (part, isMore) = state.withLock { state in
      let part = min(state.stepping, Self.longestStride)
      state.stepping -= part
      return (part, state.stepping > .zero)
    }
    world.skip(part)
    if isMore { world.queue.async { [weak self] in self?.stride() } }
  }

  /// Sets which device's details and UCI traffic a browser receives.
  private func watch(_ device: Int?, _ showsTraffic: Bool, by client: WebClient) throws(PageOrderError) {
    if let device, let refusal = world.turn({ $0.refusal(ofDevice: device) }) {
      throw PageOrderError(refusal)
    }
    state.withLock { state in
      state.viewers[client]?.device = device
      state.viewers[client]?.showsTraffic = showsTraffic
    }
    updateJournal()
  }

  /// Makes the world's journal record only what viewers are watching.
  private func updateJournal() {
    let (isRead, watched) = state.withLock { state in
      let watched = Set(state.viewers.values.filter(\.showsTraffic).compactMap(\.device))
      state.traffic = state.traffic.filter { watched.contains($0.key) }
      return (!state.viewers.isEmpty, watched)
    }
    world.turn { world in
      world.journal.isRead = isRead
      world.journal.watched = watched
    }
  }

  // MARK: Telling

  /// Sends every browser what is new: layout, events, traffic, the state, and its device's details.
  private func tick() {
    let (viewers, tick) = state.withLock { state in
      state.ticks &+= 1
      return (state.viewers, state.ticks)
    }
    if viewers.isEmpty { return }
    let (mark, text, news) = world.turn { ($0.layoutMark, $0.stateText(), $0.journal.drain()) }
    let isNew = state.withLock { state in
      defer { state.layout = mark }
      return state.layout != mark
    }
    let isWanted = isNew || viewers.values.contains { !$0.hasLayout }
    let layout = isWanted ? world.turn { $0.layoutText() } : ""
    // Updates about peers are so frequent that they would drown other events, so only a device's viewers get
    // them.
    let rare = PageText.events(news.entries.filter { !$0.isUpdate })
    let packets = packets(news.traffic)
    var texts = Texts(layout: WebMessage(layout), state: WebMessage(text), rare: rare.map { WebMessage($0) })
    for client in viewers.keys.sorted() {
      guard let viewer = viewers[client] else { continue }
      if isNew || !viewer.hasLayout {
        state.withLock { $0.viewers[client]?.hasLayout = true }
        web.send(texts.layout, to: client)
      }
      let events = viewer.device.map { texts.events(of: $0, news.entries) } ?? texts.rare
      if let events { web.send(events, to: client) }
      if let device = viewer.device, viewer.showsTraffic, let lines = packets[device] {
        web.send(texts.packets(lines, of: device), to: client)
      }
      guard web.backlog(of: client) < Self.longestBacklog else { continue }
      web.send(texts.state, to: client)
      if tick % 2 == 0, let device = viewer.device {
        let text = texts.device(device) { world.turn { $0.deviceText(device) } }
        if let text { web.send(text, to: client) }
      }
    }
  }

  /// The messages of one tick, each encoded once for all browsers.
  private struct Texts {
    let layout: WebMessage
    let state: WebMessage
    /// Events except updates.
    let rare: WebMessage?
    private var events: [Int: WebMessage?] = [:]
    private var traffic: [Int: WebMessage] = [:]
    private var devices: [Int: WebMessage?] = [:]

    init(layout: WebMessage, state: WebMessage, rare: WebMessage?) {
      (self.layout, self.state, self.rare) = (layout, state, rare)
    }

    mutating func events(of device: Int, _ entries: [WorldJournal.Entry]) -> WebMessage? {
      if let known = events[device] { return known }
      let text = PageText.events(entries.filter { !$0.isUpdate || $0.device == device })
      let message = text.map { WebMessage($0) }
      events[device] = .some(message)
      return message
    }

    mutating func packets(_ lines: [String], of device: Int) -> WebMessage {
      if let known = traffic[device] { return known }
      let message = WebMessage(PageText.packets(lines, of: device))
      traffic[device] = message
      return message
    }

    mutating func device(_ device: Int, _ text: () -> String?) -> WebMessage? {
      if let known = devices[device] { return known }
      let message = text().map { WebMessage($0) }
      devices[device] = .some(message)
      return message
    }
  }

  private func packets(_ traffic: [WorldJournal.Traffic]) -> [Int: [String]] {
    if traffic.isEmpty { return [:] }
    return state.withLock { state in
      var lines: [Int: [String]] = [:]
      for piece in traffic {
        lines[piece.device, default: []] += state.traffic[piece.device, default: TrafficText()].lines(piece)
      }
      return lines
    }
  }
}
