import Foundation
import NearbyCommandLine
import NearbyFiles
import NearbySite
import NearbyTextForms
import NearbyWorld
import NearbyWorldProtocol
import Synchronization

/// A site that runs, as its page needs it. Any thread may call.
protocol ShownSite: AnyObject, Sendable {
  var plan: SitePlan { get }
  /// What Prometheus reads.
  var metrics: String { get }
  /// The present reports of all tags that are heard.
  var reports: [SiteReport] { get }
  /// The tags in each fence.
  var occupants: [[Int]] { get }
}

/// The page of a site, its metrics and its omlox interface, on one address.
final class SitePageServer: Sendable {
  private let process: any ShownSite
  private let server: WebServer
  private let viewers: Viewers
  let address: String

  /// Where programs subscribe as at an omlox hub.
  private static let omloxPath = "/v2/ws/socket"
  /// Messages that wait for a program; further ones are left out.
  private static let mostWaiting = 256

  /// The browsers that look, and the programs that subscribe; the server's thread adds and removes them.
  private final class Viewers: Sendable {
    /// Whether a browser has the plan.
    let all = Mutex<[WebClient: Bool]>([:])
    let programs = Mutex<[WebClient: OmloxSubscriptions]>([:])
    /// Sends an answer to a program.
    let answer = Mutex<(@Sendable (String, WebClient) -> Void)?>(nil)
    let text: OmloxText

    init(_ text: OmloxText) { self.text = text }

    func received(_ event: WebServer.Event) {
      switch event {
      case .opened(let client, SitePageServer.omloxPath):
        programs.withLock { $0[client] = OmloxSubscriptions(text) }
      case .opened(let client, _): all.withLock { $0[client] = false }
      case .closed(let client):
        all.withLock { $0[client] = nil }
        programs.withLock { $0[client] = nil }
      case .received(let client, let message):
        let reply = programs.withLock { $0[client]?.received(message) }
        if let reply { answer.withLock { $0 }?(reply, client) }
      case .crowded, .acceptFailed: break
      }
    }
  }

  init(_ process: any ShownSite, _ page: SitePage) throws(CommandError) {
    self.process = process
    let omlox = OmloxText(process.plan)
    let viewers = Viewers(omlox)
    self.viewers = viewers
    let isLoopback = ["localhost", "127.0.0.1", "::1"].contains(page.host)
    let token = isLoopback ? "" : WorldToken.random()
    do {
      let answers: WebServer.Answers = { [weak process] path in
        guard let process else { return nil }
        if path == "/metrics" {
          return WebFile(type: PrometheusText.type, octets: Array(process.metrics.utf8))
        }
        return omlox.answer(path, reports: process.reports, occupants: process.occupants).map {
          WebFile(type: "application/json", octets: Array($0.utf8))
        }
      }
      let made = WebServer(
        files: try .site(), token: token, answers: answers, sockets: [Self.omloxPath],
        report: { viewers.received($0) })
      server = made
      viewers.answer.withLock { answer in answer = { [weak made] in made?.send($0, to: $1) } }
      let port = try server.start(host: page.host, port: page.port)
      address = "http://\(page.host):\(port)/" + (token.isEmpty ? "" : "?token=\(token)")
    } catch {
      throw .unavailable("\(error)")
    }
  }

  func stop() { server.stop() }

  /// Sends what is new to the programs that subscribe.
  func publish(_ reports: [SiteReport], _ events: [SiteFenceEvent]) {
    let programs = viewers.programs.withLock { $0 }
    for (client, subscriptions) in programs where !subscriptions.isEmpty {
      // A program that does not read is left behind, and dropped by the server if it never does.
      guard server.backlog(of: client) < Self.mostWaiting else { continue }
      for message in subscriptions.messages(reports, events) { server.send(message, to: client) }
    }
  }

  /// Sends the present state to each browser that has read the one before.
  func show() {
    let all = viewers.all.withLock { $0 }
    guard !all.isEmpty else { return }
    let state = WebMessage(SitePageText.state(process.plan, process.reports, process.occupants))
    for (client, hasPlan) in all where server.backlog(of: client) == 0 {
      if !hasPlan {
        server.send(SitePageText.plan(process.plan), to: client)
        viewers.all.withLock { if $0[client] != nil { $0[client] = true } }
      }
      server.send(state, to: client)
    }
  }
}
