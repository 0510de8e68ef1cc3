import Dispatch
import Foundation
import NearbyWorldProtocol
import Synchronization

/// Shows a served world to browsers, and does to it what people ask there.
///
/// Everything but the socket itself happens on the world server's queue.
package final class WorldPage: Sendable {
  /// Between two states.
  private static let interval = DispatchTimeInterval.milliseconds(50)
  /// Messages that wait for a browser from which on it gets no more states.
  private static let longestBacklog = 4

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
  }

  private let world: WorldServer
  private let state = Mutex(State())
  private let web: WebServer
  /// `@unchecked Sendable`: made before anything runs, cancelled once.
  private struct Ticker: @unchecked Sendable { let source: any DispatchSourceTimer }
  private let ticker: Ticker

  /// - Parameter token: What a browser must know; empty lets all in.
  package init(_ world: WorldServer, token: String) {
    self.world = world
    let relay = Relay()
    web = WebServer(files: .bundled, token: token) { relay.hear($0) }
    ticker = Ticker(source: DispatchSource.makeTimerSource(queue: world.queue))
    relay.attach(self)
    ticker.source.setEventHandler { [weak self] in self?.tick() }
  }

  /// Between the socket's thread and the page, which owns it.
  private final class Relay: Sendable {
    private struct Held { weak var page: WorldPage? }
    private let held = Mutex(Held())
    func attach(_ page: WorldPage) { held.withLock { $0.page = page } }
    func hear(_ event: WebServer.Event) {
      guard let page = held.withLock({ $0.page }) else { return }
      page.world.queue.async { page.hear(event) }
    }
  }

  /// Begins to serve.
  ///
  /// - Returns: The port.
  package func start(host: String, port: UInt16) throws(WebServer.Failure) -> UInt16 {
    let port = try web.start(host: host, port: port)
    ticker.source.schedule(deadline: .now(), repeating: Self.interval, leeway: .milliseconds(5))
    ticker.source.resume()
    return port
  }

  /// Ends; returns when that is done. Once, after `start`.
  package func stop() {
    ticker.source.cancel()
    web.stop()
  }

  // MARK: Browsers

  private func hear(_ event: WebServer.Event) {
    switch event {
    case .opened(let client):
      state.withLock { $0.viewers[client] = Viewer() }
      web.send(world.turn { $0.welcomeText() }, to: client)
      follow()
    case .closed(let client):
      state.withLock { $0.viewers[client] = nil }
      follow()
    case .received(let client, let text): obey(text, of: client)
    }
  }

  private func obey(_ text: String, of client: WebClient) {
    let (devices, beacons) = world.turn { ($0.devices.count, $0.beacons.count) }
    do throws(PageOrderError) {
      let order = try PageOrderReader.read(text, deviceCount: devices, beaconCount: beacons)
      switch order {
      case .watch(let device, uci: let showsTraffic): watch(device, showsTraffic, by: client)
      case .world(.rate(let rate)): world.changeRate(rate)
      case .world(let order): world.turn { $0.perform(order) }
      case .step(let duration): world.skip(duration)
      case .save: web.send(world.turn { $0.savedText() }, to: client)
      }
    } catch {
      web.send(PageText.error(error.description), to: client)
    }
  }

  private func watch(_ device: Int?, _ showsTraffic: Bool, by client: WebClient) {
    state.withLock { state in
      state.viewers[client]?.device = device
      state.viewers[client]?.showsTraffic = showsTraffic
    }
    follow()
  }

  /// Lets the world note what somebody looks at, and nothing else.
  private func follow() {
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

  private func tick() {
    let (viewers, tick) = state.withLock { state in
      state.ticks &+= 1
      return (state.viewers, state.ticks)
    }
    if viewers.isEmpty { return }
    let (mark, text, news) = world.turn { ($0.layoutMark, $0.stateText(), $0.journal.take()) }
    let isNew = state.withLock { state in
      defer { state.layout = mark }
      return state.layout != mark
    }
    let isWanted = isNew || viewers.values.contains { !$0.hasLayout }
    let layout = isWanted ? world.turn { $0.layoutText() } : ""
    // How often apps are told of their peers would drown the rest; who looks at a device hears it all.
    let rare = PageText.events(news.entries.filter { !$0.isUpdate })
    let packets = packets(news.traffic)
    for client in viewers.keys.sorted() {
      guard let viewer = viewers[client] else { continue }
      if isNew || !viewer.hasLayout {
        state.withLock { $0.viewers[client]?.hasLayout = true }
        web.send(layout, to: client)
      }
      let events =
        viewer.device.map { device in
          PageText.events(news.entries.filter { !$0.isUpdate || $0.device == device })
        } ?? rare
      if let events { web.send(events, to: client) }
      if let device = viewer.device, viewer.showsTraffic, let lines = packets[device] {
        web.send(PageText.packets(lines, of: device), to: client)
      }
      guard web.backlog(of: client) < Self.longestBacklog else { continue }
      web.send(text, to: client)
      if tick % 2 == 0, let device = viewer.device, let text = world.turn({ $0.deviceText(device) }) {
        web.send(text, to: client)
      }
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
