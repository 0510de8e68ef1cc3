import Foundation
import NearbySite
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends locations to an omlox hub: `PUT /v2/providers/locations`, one request at a time.
///
/// While a request is on its way, newer locations of a provider replace older ones, so a slow hub gets fewer locations
/// and memory stays bounded by the number of tags. After a failure the next request waits, up to a minute, with a random
/// part.
final class OmloxHub: Sendable {
  private struct State {
    var waiting: [Int: SiteReport] = [:]
    var isSending = false
    var failures = 0
    var pause = ContinuousClock.now
    var lastTrouble: String?
  }

  /// Locations in one request.
  private static let most = 500

  private let text: OmloxText
  private let url: URL?
  private let session: URLSession
  private let state = Mutex(State())
  private let report: @Sendable (String) -> Void

  init(_ plan: SitePlan, address: String, report: @escaping @Sendable (String) -> Void) {
    text = OmloxText(plan)
    url = URL(string: address + "/v2/providers/locations")
    self.report = report
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    session = URLSession(configuration: configuration)
  }

  func send(_ reports: [SiteReport]) {
    let body = state.withLock { state -> String? in
      for report in reports where report.position != nil { state.waiting[report.tag] = report }
      guard !state.isSending, !state.waiting.isEmpty, ContinuousClock.now >= state.pause else { return nil }
      let chosen = state.waiting.values.sorted { $0.time < $1.time }.prefix(Self.most)
      for report in chosen { state.waiting[report.tag] = nil }
      state.isSending = true
      return text.locations(Array(chosen))
    }
    guard let body, let url else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    session.dataTask(with: request) { [weak self] _, response, error in
      self?.completed((response as? HTTPURLResponse)?.statusCode, error)
    }.resume()
  }

  private func completed(_ status: Int?, _ error: (any Error)?) {
    let trouble: String? =
      if let error {
        error.localizedDescription
      } else if let status, !(200..<300).contains(status) {
        "status \(status)"
      } else {
        nil
      }
    let line = state.withLock { state -> String? in
      state.isSending = false
      defer { state.lastTrouble = trouble }
      guard trouble != nil else {
        state.failures = 0
        return state.lastTrouble == nil ? nil : "the omlox hub takes locations again"
      }
      state.failures = min(state.failures + 1, 6)
      state.pause = .now + .seconds(Double(1 << state.failures) * Double.random(in: 0.5...1))
      return state.lastTrouble == trouble ? nil : "the omlox hub takes no locations: \(trouble ?? "")"
    }
    if let line { report(line) }
  }

  func end() { session.invalidateAndCancel() }
}
