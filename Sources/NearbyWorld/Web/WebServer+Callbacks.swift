import CNearbyWebSockets
import Foundation
import Synchronization

/// What the thread knows of one connection.
struct WebPeer {
  /// `nil` for one that asks for a file.
  var client: WebClient?
  var body: [UInt8] = []
  var sent = 0
  var message: [UInt8] = []
  var second = 0
  var messages = 0
}

/// What libwebsockets calls, on the server's thread. A return value other than 0 ends the connection.
extension WebServer {
  func handle(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ octets: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_HTTP: return serve(wsi, path: Self.text(octets, count))
    case LWS_CALLBACK_HTTP_WRITEABLE: return sendBody(wsi)
    case LWS_CALLBACK_CLOSED_HTTP: peers[wsi] = nil
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return admit(wsi)
    case LWS_CALLBACK_ESTABLISHED: open(wsi)
    case LWS_CALLBACK_RECEIVE: return receive(wsi, octets, count)
    case LWS_CALLBACK_SERVER_WRITEABLE: return sendNext(wsi)
    case LWS_CALLBACK_CLOSED: closed(wsi)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: askToWrite()
    default: break
    }
    return 0
  }

  private static func text(_ octets: UnsafeMutableRawPointer?, _ count: Int) -> String {
    guard let octets else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: octets, count: count), as: UTF8.self)
  }

  // MARK: Files

  private func serve(_ wsi: OpaquePointer, path: String) -> Int32 {
    guard let file = files.files[path] else {
      return answer(wsi, HTTP_STATUS_NOT_FOUND, "text/plain; charset=utf-8", Array("no such page\n".utf8))
    }
    return answer(wsi, HTTP_STATUS_OK, file.type, file.octets)
  }

  private func answer(_ wsi: OpaquePointer, _ status: http_status, _ type: String, _ body: [UInt8]) -> Int32 {
    var header = [UInt8](repeating: 0, count: nearby_lws_pre + 2048)
    let isWritten = header.withUnsafeMutableBufferPointer { buffer -> Bool in
      guard let base = buffer.baseAddress else { return false }
      let start = base + nearby_lws_pre
      let end = base + buffer.count - 1
      var place: UnsafeMutablePointer<UInt8>? = start
      guard
        lws_add_http_common_headers(wsi, status.rawValue, type, lws_filepos_t(body.count), &place, end) == 0
      else { return false }
      for (name, value) in Self.headers {
        let octets = Array(value.utf8)
        guard lws_add_http_header_by_name(wsi, name, octets, Int32(octets.count), &place, end) == 0
        else { return false }
      }
      return lws_finalize_write_http_header(wsi, start, &place, end) == 0
    }
    guard isWritten else { return 1 }
    peers[wsi] = WebPeer(body: body)
    lws_callback_on_writable(wsi)
    return 0
  }

  /// Nothing from outside, in no other page's frame, never stale.
  private static let headers = [
    ("content-security-policy:", "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'"),
    ("x-content-type-options:", "nosniff"), ("referrer-policy:", "no-referrer"),
    ("cache-control:", "no-store"),
  ]

  private func sendBody(_ wsi: OpaquePointer) -> Int32 {
    guard let peer = peers[wsi], peer.client == nil else { return 0 }
    let end = min(peer.body.count, peer.sent + 16_384)
    let isLast = end == peer.body.count
    guard write(peer.body[peer.sent..<end], to: wsi, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) else {
      return 1
    }
    peers[wsi]?.sent = end
    guard isLast else {
      lws_callback_on_writable(wsi)
      return 0
    }
    peers[wsi] = nil
    return lws_http_transaction_completed(wsi) == 0 ? 0 : -1
  }

  private func write(_ octets: ArraySlice<UInt8>, to wsi: OpaquePointer, _ kind: lws_write_protocol) -> Bool {
    var buffer = [UInt8](repeating: 0, count: nearby_lws_pre)
    buffer += octets
    return buffer.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      return lws_write(wsi, base + nearby_lws_pre, octets.count, kind) >= 0
    }
  }

  // MARK: The socket

  /// Whether a browser may have a socket; 403 where not.
  private func admit(_ wsi: OpaquePointer) -> Int32 {
    let open = inbox.withLock { $0.outboxes.count }
    let isKnown = token.isEmpty || argument("token", of: wsi).map { WorldToken.isSame($0, token) } == true
    guard open < Self.clientLimit, isKnown, isOwnPage(wsi) else {
      lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN.rawValue, nil)
      return 1
    }
    return 0
  }

  private func argument(_ name: String, of wsi: OpaquePointer) -> String? {
    var buffer = [CChar](repeating: 0, count: 512)
    guard lws_get_urlarg_by_name(wsi, name + "=", &buffer, Int32(buffer.count)) != nil else { return nil }
    var text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix(name + "=") { text.removeFirst(name.count + 1) }
    return text
  }

  /// A browser says from which page it comes: another site's may not speak here.
  private func isOwnPage(_ wsi: OpaquePointer) -> Bool {
    guard let origin = header(WSI_TOKEN_ORIGIN, of: wsi), !origin.isEmpty else { return true }
    guard let host = header(WSI_TOKEN_HOST, of: wsi) else { return false }
    return origin == "http://" + host || origin == "https://" + host
  }

  private func header(_ token: lws_token_indexes, of wsi: OpaquePointer) -> String? {
    var buffer = [CChar](repeating: 0, count: 512)
    let count = lws_hdr_copy(wsi, &buffer, Int32(buffer.count), token)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func open(_ wsi: OpaquePointer) {
    clientsMade += 1
    let client = WebClient(number: clientsMade)
    peers[wsi] = WebPeer(client: client)
    inbox.withLock { $0.outboxes[client] = Outbox() }
    report(.opened(client))
  }

  private func receive(_ wsi: OpaquePointer, _ octets: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard let client = peers[wsi]?.client, let octets else { return 1 }
    peers[wsi]?.message += UnsafeRawBufferPointer(start: octets, count: count)
    guard let size = peers[wsi]?.message.count, size <= Self.longestMessage else { return 1 }
    guard lws_is_final_fragment(wsi) != 0, lws_remaining_packet_payload(wsi) == 0 else { return 0 }
    let second = Int(Date.timeIntervalSinceReferenceDate)
    if peers[wsi]?.second != second {
      peers[wsi]?.second = second
      peers[wsi]?.messages = 0
    }
    peers[wsi]?.messages += 1
    guard let messages = peers[wsi]?.messages, messages <= Self.messagesPerSecond,
      let message = String(validating: peers[wsi]?.message ?? [], as: UTF8.self)
    else { return 1 }
    peers[wsi]?.message = []
    report(.received(client, message))
    return 0
  }

  private func askToWrite() {
    let waiting = inbox.withLock { inbox in
      inbox.outboxes.filter { !$0.value.texts.isEmpty || $0.value.isToClose }
    }
    for (wsi, peer) in peers {
      guard let outbox = peer.client.flatMap({ waiting[$0] }) else { continue }
      if outbox.isToClose, outbox.texts.isEmpty {
        // One that does not read would never become writable.
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
      } else {
        lws_callback_on_writable(wsi)
      }
    }
  }

  private func sendNext(_ wsi: OpaquePointer) -> Int32 {
    guard let client = peers[wsi]?.client else { return 1 }
    let (text, isMore, isToClose) = inbox.withLock { inbox -> ([UInt8]?, Bool, Bool) in
      guard var outbox = inbox.outboxes[client] else { return (nil, false, true) }
      let text = outbox.texts.isEmpty ? nil : outbox.texts.removeFirst()
      inbox.outboxes[client] = outbox
      return (text, !outbox.texts.isEmpty, outbox.isToClose)
    }
    if let text {
      guard write(text[...], to: wsi, LWS_WRITE_TEXT) else { return 1 }
    } else if isToClose {
      return 1
    }
    if isMore || isToClose { lws_callback_on_writable(wsi) }
    return 0
  }

  private func closed(_ wsi: OpaquePointer) {
    guard let client = peers.removeValue(forKey: wsi)?.client else { return }
    inbox.withLock { $0.outboxes[client] = nil }
    report(.closed(client))
  }
}
