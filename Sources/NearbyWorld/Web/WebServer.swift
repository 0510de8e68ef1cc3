import CNearbyWebSockets
import Foundation
import Synchronization

/// A web browser's connection, by the number the server gave it.
package struct WebClient: Hashable, Comparable, Sendable {
  package let number: Int
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Serves a few files and one WebSocket, on a thread of its own, by libwebsockets.
///
/// Only who knows the token gets a socket; a browser only from a page of this server's own.
package final class WebServer: @unchecked Sendable {
  // `context` is set once before the thread begins; `peers` belongs to the thread; the rest is behind the lock.

  /// What goes on, told on the server's thread.
  package enum Event: Sendable {
    case opened(WebClient)
    case received(WebClient, String)
    case closed(WebClient)
  }

  /// Why it cannot serve.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  struct Inbox: Sendable {
    /// By client: what waits to be sent.
    var outboxes: [WebClient: Outbox] = [:]
    var isStopped = false
  }

  /// What waits for one browser.
  struct Outbox: Sendable {
    var texts: [[UInt8]] = []
    var isToClose = false
  }

  /// Octets of the longest message from a browser.
  static let longestMessage = 16_384
  /// Messages a browser may send in a second.
  static let messagesPerSecond = 200
  /// Messages that may wait for a browser before it is dropped.
  static let longestQueue = 1024
  static let clientLimit = 32
  static let name = "nearby-world"

  let files: WebFiles
  let token: String
  let report: @Sendable (Event) -> Void
  let inbox = Mutex(Inbox())
  var peers: [OpaquePointer: WebPeer] = [:]
  var clientsMade = 0
  private var context: OpaquePointer?
  private var thread: Thread?
  private let ended = DispatchSemaphore(value: 0)
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let names: [UnsafeMutablePointer<CChar>?]

  init(files: WebFiles, token: String, report: @escaping @Sendable (Event) -> Void) {
    self.files = files
    self.token = token
    self.report = report
    names = [strdup("http"), strdup(Self.name)]
    protocols = .allocate(capacity: 3)
    protocols.initialize(repeating: lws_protocols(), count: 3)
    for index in 0..<2 {
      protocols[index].name = names[index].map { UnsafePointer($0) }
      protocols[index].callback = { wsi, reason, _, octets, count in
        guard let wsi, let context = lws_get_context(wsi), let user = lws_context_user(context) else {
          return 0
        }
        let server = Unmanaged<WebServer>.fromOpaque(user).takeUnretainedValue()
        return server.handle(wsi, reason, octets, count)
      }
      protocols[index].rx_buffer_size = 4096
    }
  }

  deinit {
    protocols.deallocate()
    for name in names { free(name) }
  }

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - host: An address of this machine.
  ///   - port: 0 takes a free one.
  /// - Returns: The port.
  func start(host: String, port: UInt16) throws(Failure) -> UInt16 {
    lws_set_log_level(0, nil)
    var info = lws_context_creation_info()
    info.port = Int32(port)
    info.protocols = UnsafePointer(protocols)
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.gid = -1
    info.uid = -1
    info.pt_serv_buf_size = 8192
    info.timeout_secs = 10
    let interface = strdup(host)
    defer { free(interface) }
    info.iface = UnsafePointer(interface)
    guard let context = lws_create_context(&info), let host = lws_get_vhost_by_name(context, "default"),
      let port = UInt16(exactly: lws_get_vhost_listen_port(host)), port > 0
    else { throw Failure(description: "can't serve a page on \(host):\(port)") }
    self.context = context
    let thread = Thread { [self] in run() }
    thread.name = "swift-nearby.web"
    self.thread = thread
    thread.start()
    return port
  }

  /// Ends every connection; returns when that is done.
  func stop() {
    guard let context, inbox.withLock({ !$0.isStopped }) else { return }
    inbox.withLock { $0.isStopped = true }
    lws_cancel_service(context)
    ended.wait()
  }

  private func run() {
    guard let context else { return }
    while inbox.withLock({ !$0.isStopped }) {
      if lws_service(context, 0) < 0 { break }
    }
    lws_context_destroy(context)
    ended.signal()
  }

  // MARK: Sending, from any thread

  /// Queues a message for a browser; one that does not read is dropped.
  func send(_ text: String, to client: WebClient) {
    let octets = [UInt8](text.utf8)
    inbox.withLock { inbox in
      guard let outbox = inbox.outboxes[client], !outbox.isToClose else { return }
      let waiting = outbox.texts.count
      if waiting < Self.longestQueue {
        inbox.outboxes[client]?.texts.append(octets)
      } else {
        inbox.outboxes[client] = Outbox(isToClose: true)
      }
    }
    wake()
  }

  /// How many messages wait for a browser.
  func backlog(of client: WebClient) -> Int { inbox.withLock { $0.outboxes[client]?.texts.count ?? 0 } }

  func close(_ client: WebClient) {
    inbox.withLock { $0.outboxes[client]?.isToClose = true }
    wake()
  }

  private func wake() {
    guard let context, inbox.withLock({ !$0.isStopped }) else { return }
    lws_cancel_service(context)
  }
}
