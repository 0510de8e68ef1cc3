import CNearbyMicroHTTPD
import Foundation
import NearbyRadioLinks

/// Callbacks from `HTTPDaemon` to the loop that runs it. They arrive while the daemon runs, or accepts or
/// closes connections, and must not call the daemon.
protocol HTTPDaemonOwner: AnyObject {
  func answer(_ request: HTTPRequest, on descriptor: Int32) throws(HTTPRequest.Refusal) -> HTTPAnswer
  /// The answer to a request was written, or writing it failed.
  func completed(on descriptor: Int32)
  /// The connection now belongs to the owner, until it calls `HTTPDaemon.close`.
  ///
  /// - Parameter octets: Octets received after the request.
  func upgraded(_ descriptor: Int32, _ handle: OpaquePointer, _ octets: [UInt8])
  /// The descriptor is about to be closed.
  func closed(_ descriptor: Int32)
}

/// The answer to a request that is not refused.
enum HTTPAnswer: Equatable, Sendable {
  /// One of the files, by its path.
  case file(String)
  /// A text made for this request.
  case text(WebFile)
  /// A WebSocket, with the value of `Sec-WebSocket-Accept` and the sub-protocol, if it has one.
  case socket(accept: String, protocol: String?)
}

/// Runs libmicrohttpd without a thread or a listener of its own: the owner passes accepted sockets, polls its
/// descriptor and lets it run. Everything happens on one thread.
final class HTTPDaemon {
  /// Memory that libmicrohttpd may use for one connection, octets: the request's head, a copy of its cookies,
  /// and the head of the answer.
  private static let connectionMemory = 3 * HTTPRequest.longestHead

  private let daemon: OpaquePointer
  /// Poll this descriptor for input.
  let descriptor: Int32
  private var files: [String: OpaquePointer] = [:]
  private let callbacks: Callbacks

  /// Context passed to libmicrohttpd's callbacks.
  private final class Callbacks {
    weak var daemon: HTTPDaemon?
    weak var owner: (any HTTPDaemonOwner)?
  }

  /// - Parameter limit: Maximum number of connections, including upgraded ones.
  init(_ files: WebFiles, limit: Int) throws(LinkError) {
    let callbacks = Callbacks()
    let daemon = nearby_http_start(
      UInt32(clamping: limit), Self.connectionMemory, Self.request, Self.completed, Self.connection,
      Unmanaged.passUnretained(callbacks).toOpaque())
    guard let daemon else { throw .system(call: "MHD_start_daemon", errno: errno) }
    self.callbacks = callbacks
    self.daemon = daemon
    descriptor = nearby_http_descriptor(daemon)
    callbacks.daemon = self
    for (path, file) in files.files {
      self.files[path] = Self.response(file.octets, type: file.type)
    }
  }

  func setOwner(_ owner: any HTTPDaemonOwner) { callbacks.owner = owner }

  /// All upgraded connections must have been closed.
  deinit {
    MHD_stop_daemon(daemon)
    for response in files.values { MHD_destroy_response(response) }
  }

  // MARK: For the owner

  /// Adds an accepted socket. The daemon closes it eventually, even if this throws.
  func add(_ descriptor: Int32) throws(LinkError) {
    guard nearby_http_add(daemon, descriptor) == .YES else {
      throw .system(call: "MHD_add_connection", errno: errno)
    }
  }

  /// Milliseconds until `run` must be called at the latest; `nil` if only input requires it.
  var longestWait: UInt64? {
    var wait: UInt64 = 0
    return MHD_get_timeout(daemon, &wait) == .YES ? wait : nil
  }

  func run() { MHD_run(daemon) }

  /// Closes an upgraded connection.
  func close(_ handle: OpaquePointer) { nearby_http_close(handle) }

  // MARK: Called by libmicrohttpd

  private static func callbacks(_ context: UnsafeMutableRawPointer?) -> Callbacks? {
    context.map { Unmanaged<Callbacks>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let request: MHD_AccessHandlerCallback = {
    context, connection, path, method, version, _, _, isChecked in
    guard let callbacks = callbacks(context), let daemon = callbacks.daemon, let owner = callbacks.owner,
      let connection, let path, let method, let version, let isChecked
    else { return .NO }
    var request = HTTPRequest(
      method: String(cString: method), path: String(cString: path), version: String(cString: version))
    withUnsafeMutablePointer(to: &request) { pointer in
      MHD_get_connection_values_n(connection, .HEADER_KIND, addField, pointer)
      MHD_get_connection_values_n(connection, .GET_ARGUMENT_KIND, addArgument, pointer)
    }
    do throws(HTTPRequest.Refusal) {
      // Called twice: after the head, where an answer ends the connection because a body may follow, and at
      // the end.
      guard isChecked.pointee != nil else {
        try request.check(size: nearby_http_head_size(connection))
        isChecked.pointee = context
        return .YES
      }
      switch try owner.answer(request, on: nearby_http_socket(connection)) {
      case .file(let path): return daemon.reply(to: connection, withFile: path)
      case .text(let file): return reply(to: connection, with: file)
      case .socket(let accept, let name): return daemon.upgrade(connection, accept, name)
      }
    } catch {
      return reply(to: connection, with: error)
    }
  }

  private static let addField: MHD_KeyValueIteratorN = { request, _, name, nameSize, value, valueSize in
    request?.assumingMemoryBound(to: HTTPRequest.self).pointee
      .addField(text(name, nameSize), text(value, valueSize))
    return .YES
  }

  private static let addArgument: MHD_KeyValueIteratorN = { request, _, name, nameSize, value, valueSize in
    request?.assumingMemoryBound(to: HTTPRequest.self).pointee
      .addArgument(text(name, nameSize), text(value, valueSize))
    return .YES
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
  }

  private static let completed: MHD_RequestCompletedCallback = { context, connection, _, _ in
    guard let connection else { return }
    callbacks(context)?.owner?.completed(on: nearby_http_socket(connection))
  }

  private static let connection: MHD_NotifyConnectionCallback = { context, connection, _, event in
    guard let connection, event == .CONNECTION_NOTIFY_CLOSED else { return }
    callbacks(context)?.owner?.closed(nearby_http_socket(connection))
  }

  private static let upgraded: MHD_UpgradeHandler = { context, _, _, octets, count, descriptor, handle in
    guard let handle else { return }
    let octets = [UInt8](UnsafeRawBufferPointer(start: octets, count: octets == nil ? 0 : count))
    callbacks(context)?.owner?.upgraded(descriptor, handle, octets)
  }

  // MARK: Answers

  /// Prevents loading from other origins, embedding in other pages' frames, and caching.
  private static let policy = [
    ("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
  ]

  /// Returns `nil` if out of memory.
  private static func response(_ body: [UInt8], type: String) -> OpaquePointer? {
    var body = body
    guard let response = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY) else {
      return nil
    }
    for (name, value) in [("Content-Type", type)] + policy { MHD_add_response_header(response, name, value) }
    return response
  }

  private func reply(to connection: OpaquePointer, withFile path: String) -> MHD_Result {
    guard let response = files[path] else { return .NO }
    return MHD_queue_response(connection, UInt32(MHD_HTTP_OK), response)
  }

  private static func reply(to connection: OpaquePointer, with file: WebFile) -> MHD_Result {
    guard let response = response(file.octets, type: file.type) else { return .NO }
    defer { MHD_destroy_response(response) }
    return MHD_queue_response(connection, UInt32(MHD_HTTP_OK), response)
  }

  private static func reply(to connection: OpaquePointer, with refusal: HTTPRequest.Refusal) -> MHD_Result {
    let body = Array((refusal.reason + "\n").utf8)
    guard let response = response(body, type: "text/plain; charset=utf-8") else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Connection", "close")
    if refusal.status == MHD_HTTP_METHOD_NOT_ALLOWED {
      MHD_add_response_header(response, "Allow", "GET, HEAD")
    }
    if refusal.status == MHD_HTTP_UPGRADE_REQUIRED {
      MHD_add_response_header(response, "Sec-WebSocket-Version", "13")
    }
    return MHD_queue_response(connection, UInt32(refusal.status), response)
  }

  private func upgrade(_ connection: OpaquePointer, _ accept: String, _ name: String?) -> MHD_Result {
    let context = Unmanaged.passUnretained(callbacks).toOpaque()
    guard let response = MHD_create_response_for_upgrade(Self.upgraded, context) else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Upgrade", "websocket")
    MHD_add_response_header(response, "Sec-WebSocket-Accept", accept)
    if let name { MHD_add_response_header(response, "Sec-WebSocket-Protocol", name) }
    return MHD_queue_response(connection, UInt32(MHD_HTTP_SWITCHING_PROTOCOLS), response)
  }
}
