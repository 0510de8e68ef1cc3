import Foundation
import NearbyRadioLinks
import Synchronization

/// Identifies a browser's WebSocket by the number that the server assigned.
package struct WebClient: Hashable, Comparable, Sendable {
  package let number: Int
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Serves a few files and one WebSocket endpoint on one address, on a thread of its own.
///
/// libmicrohttpd parses the requests (`HTTPDaemon`), `WebSite` decides the answers, and each WebSocket is a
/// machine (`WebSocket`). `WebLoop` is the thread; this class holds the send queue of each browser.
package final class WebServer: @unchecked Sendable {
  // `@unchecked Sendable`: `loop` and `thread` are set once before the thread starts; `inbox` is behind the
  // lock; all else is immutable.

  /// Events, reported on the server's thread.
  package enum Event: Sendable {
    /// With the path of the WebSocket.
    case opened(WebClient, String)
    case received(WebClient, String)
    case closed(WebClient)
    /// The maximum number of connections is open; new ones wait until one closes.
    case crowded(limit: Int)
    /// The system has no resources for new connections; they wait one second.
    case acceptFailed(LinkError)
  }

  /// Why the server cannot start.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  private struct Inbox: Sendable {
    /// Send queue of each client.
    var outboxes: [WebClient: ViewerQueue] = [:]
    var isWoken = false
    var isStopped = false
  }

  /// Messages queued for one browser.
  private struct ViewerQueue: Sendable {
    var messages: [WebMessage] = []
    var octets = 0
    var isToClose = false
  }

  /// Maximum number of messages and octets queued for a browser before it is dropped. `Docs/world-page.md`,
  /// "Who is admitted".
  static let longestQueue = 1024
  static let largestQueue = 4 << 20
  /// Maximum number of WebSockets. `Docs/world-page.md`, "Who is admitted".
  static let viewerLimit = 200

  /// Returns the answer to GET of a path, or `nil` for the server's own answer. Called on the server's thread.
  package typealias Answers = @Sendable (_ path: String) -> WebFile?

  private let files: WebFiles
  private let token: String
  private let answers: Answers?
  private let sockets: Set<String>
  let report: @Sendable (Event) -> Void
  private let limit: Int
  private let descriptorLimit: Int
  private let inbox = Mutex(Inbox())
  private var loop: WebLoop?
  private var thread: pthread_t?

  /// - Parameters:
  ///   - limit: Maximum number of connections, > 0; `nil` for 512, or a quarter of the process's descriptor
  ///     limit if that is less.
  ///   - descriptorLimit: Descriptors from this number on are left to the rest of the process.
  ///   - answers: Texts that are made for each request.
  ///   - sockets: Paths of further WebSockets, for programs of others: without a sub-protocol.
  package init(
    files: WebFiles, token: String, limit: Int? = nil,
    descriptorLimit: Int = Descriptors.limit - Descriptors.reserve, answers: Answers? = nil,
    sockets: Set<String> = [],
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.files = files
    self.token = token
    self.answers = answers
    self.sockets = sockets
    self.limit = limit ?? min(512, max(8, Descriptors.limit / 4))
    self.descriptorLimit = descriptorLimit
    self.report = report
  }

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - host: An address of this machine, or a name that resolves to one. Without a token it must be a
  ///     loopback address.
  ///   - port: 0 lets the system choose a free port.
  /// - Returns: The port.
  package func start(host: String, port: UInt16) throws(Failure) -> UInt16 {
    let address = RadioAddress.text(host: host, port: port)
    do throws(LinkError) {
      let bound = try TCPSockets.listen(host: host, port: port)
      guard !token.isEmpty || HostAddress(of: bound.descriptor)?.isLoopback == true else {
        close(bound.descriptor)
        throw .badAddress(found: host, expected: "a loopback address, since the page has no token")
      }
      var site = WebSite(files: files, token: token, host: host)
      site.answers = answers
      site.sockets = sockets
      let loop = try WebLoop(
        self, listener: bound.descriptor, site: site, limit: limit, descriptorLimit: descriptorLimit)
      self.loop = loop
      thread = try loop.start()
      return bound.port
    } catch {
      loop = nil
      throw Failure(description: "can't serve a page on \(address): \(error)")
    }
  }

  /// Closes all connections and waits for the thread to end. Must not be called from `report`.
  package func stop() {
    guard let thread, inbox.withLock({ !$0.isStopped }) else { return }
    inbox.withLock { $0.isStopped = true }
    loop?.wake()
    pthread_join(thread, nil)
  }

  // MARK: Sending, from any thread

  /// Queues a message for a browser. A browser that does not read is dropped.
  package func send(_ message: WebMessage, to client: WebClient) {
    let mustWake = inbox.withLock { inbox in
      guard var outbox = inbox.outboxes[client], !outbox.isToClose else { return false }
      let octets = outbox.octets + message.frame.count
      let isLate = !outbox.messages.isEmpty && octets > Self.largestQueue
      inbox.outboxes[client] = nil
      if isLate || outbox.messages.count >= Self.longestQueue {
        outbox = ViewerQueue(isToClose: true)
      } else {
        outbox.messages.append(message)
        outbox.octets = octets
      }
      inbox.outboxes[client] = outbox
      defer { inbox.isWoken = true }
      return !inbox.isWoken && !inbox.isStopped
    }
    if mustWake { loop?.wake() }
  }

  package func send(_ text: String, to client: WebClient) { send(WebMessage(text), to: client) }

  /// Number of messages queued for a browser.
  package func backlog(of client: WebClient) -> Int {
    inbox.withLock { $0.outboxes[client]?.messages.count ?? 0 }
  }

  // MARK: For the loop, on its thread

  /// Pending work: clients with messages, clients to drop, and whether the server must stop.
  struct Work {
    var waiting: Set<WebClient> = []
    var dropped: Set<WebClient> = []
    var isStopped = false
  }

  /// Returns the pending work. Called by the loop once per turn.
  func work() -> Work {
    inbox.withLock { inbox in
      inbox.isWoken = false
      var work = Work(isStopped: inbox.isStopped)
      for (client, outbox) in inbox.outboxes {
        if outbox.isToClose { work.dropped.insert(client) }
        if !outbox.messages.isEmpty { work.waiting.insert(client) }
      }
      return work
    }
  }

  func admit(_ client: WebClient, at path: String) {
    inbox.withLock { $0.outboxes[client] = ViewerQueue() }
    report(.opened(client, path))
  }

  func dismiss(_ client: WebClient) {
    inbox.withLock { $0.outboxes[client] = nil }
    report(.closed(client))
  }

  func nextMessage(for client: WebClient) -> WebMessage? {
    inbox.withLock { inbox in
      guard var outbox = inbox.outboxes[client], !outbox.messages.isEmpty else { return nil }
      inbox.outboxes[client] = nil
      let message = outbox.messages.removeFirst()
      outbox.octets -= message.frame.count
      inbox.outboxes[client] = outbox
      return message
    }
  }
}
