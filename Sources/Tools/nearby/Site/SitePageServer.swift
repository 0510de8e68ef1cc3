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

  /// The browsers that look; the server's thread adds and removes them.
  private final class Viewers: Sendable {
    /// Whether a browser has the plan.
    let all = Mutex<[WebClient: Bool]>([:])

    func received(_ event: WebServer.Event) {
      switch event {
      case .opened(let client): all.withLock { $0[client] = false }
      case .closed(let client): all.withLock { $0[client] = nil }
      case .received, .crowded, .acceptFailed: break
      }
    }
  }

  init(_ process: any ShownSite, _ page: SitePage) throws(CommandError) {
    self.process = process
    let viewers = Viewers()
    self.viewers = viewers
    let isLoopback = ["localhost", "127.0.0.1", "::1"].contains(page.host)
    let token = isLoopback ? "" : WorldToken.random()
    let omlox = OmloxText(process.plan)
    do {
      server = WebServer(files: try .site(), token: token) { [weak process] path in
        guard let process else { return nil }
        if path == "/metrics" {
          return WebFile(type: PrometheusText.type, octets: Array(process.metrics.utf8))
        }
        return omlox.answer(path, reports: process.reports, occupants: process.occupants).map {
          WebFile(type: "application/json", octets: Array($0.utf8))
        }
      } report: {
        viewers.received($0)
      }
      let port = try server.start(host: page.host, port: page.port)
      address = "http://\(page.host):\(port)/" + (token.isEmpty ? "" : "?token=\(token)")
    } catch {
      throw .unavailable("\(error)")
    }
  }

  func stop() { server.stop() }

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
