import CNearbyMicroHTTPD
import CNearbyOpenSSL
import Foundation
import NearbyRadioLinks

/// What a page's server offers, and to whom: its files, and the socket protected by the token.
///
/// Without a token, only the browser's own rules protect the socket, and a malicious site can evade them by
/// making its name resolve to this machine (DNS rebinding). `Host` must therefore name this machine's
/// loopback, or the host given with `--http`.
struct WebSite: Sendable {
  static let socketPath = "/socket"
  static let socketProtocol = "nearby-world"

  let files: WebFiles
  let token: String
  /// The host given with `--http`.
  let host: String
  /// Answers of the program by path, which need the token like the socket.
  var answers: WebServer.Answers?
  /// Paths of further WebSockets, for programs of others: without a sub-protocol.
  var sockets: Set<String> = []

  init(files: WebFiles, token: String, host: String) {
    self.files = files
    self.token = token
    self.host = host
  }

  /// Returns the answer to a request.
  func answer(_ request: HTTPRequest) throws(HTTPRequest.Refusal) -> HTTPAnswer {
    try checkHost(of: request)
    let isForSocket = request.list("upgrade").contains { $0.lowercased() == "websocket" }
    let isSocket = request.path == Self.socketPath || sockets.contains(request.path)
    if isSocket, isForSocket { return try opening(for: request) }
    guard ["GET", "HEAD"].contains(request.method) else {
      throw .init(status: MHD_HTTP_METHOD_NOT_ALLOWED, reason: "GET or HEAD expected")
    }
    guard !isSocket else {
      throw .init(status: MHD_HTTP_UPGRADE_REQUIRED, reason: "a WebSocket expected at this address")
    }
    if let text = answers?(request.path) {
      try checkToken(of: request)
      return .text(text)
    }
    guard files.files[request.path] != nil else {
      throw .init(status: MHD_HTTP_NOT_FOUND, reason: "no such page")
    }
    return .file(request.path)
  }

  /// Validates the handshake and returns the answer that opens a WebSocket (RFC 6455 §4.2).
  private func opening(for request: HTTPRequest) throws(HTTPRequest.Refusal) -> HTTPAnswer {
    try checkOrigin(of: request)
    try checkToken(of: request)
    guard request.method == "GET", request.version == "HTTP/1.1",
      request.list("connection").contains(where: { $0.lowercased() == "upgrade" })
    else {
      throw .init(
        status: MHD_HTTP_BAD_REQUEST, reason: "GET over HTTP/1.1 with 'Connection: Upgrade' expected")
    }
    guard request.single("sec-websocket-version") == "13" else {
      throw .init(status: MHD_HTTP_UPGRADE_REQUIRED, reason: "version 13 of WebSocket expected")
    }
    let isOwn = request.path == Self.socketPath
    guard !isOwn || request.list("sec-websocket-protocol").contains(Self.socketProtocol) else {
      throw .init(status: MHD_HTTP_BAD_REQUEST, reason: "the sub-protocol \(Self.socketProtocol) expected")
    }
    guard let key = request.single("sec-websocket-key"), Data(base64Encoded: key)?.count == 16,
      let accepted = Self.accepted(key)
    else {
      throw .init(
        status: MHD_HTTP_BAD_REQUEST, reason: "a Sec-WebSocket-Key of 16 octets in base64 expected")
    }
    return .socket(accept: accepted, protocol: isOwn ? Self.socketProtocol : nil)
  }

  private func checkToken(of request: HTTPRequest) throws(HTTPRequest.Refusal) {
    guard token.isEmpty || request.argument("token").map({ WorldToken.isSame($0, token) }) == true else {
      throw .init(status: MHD_HTTP_FORBIDDEN, reason: "the token is missing or wrong")
    }
  }

  private func checkHost(of request: HTTPRequest) throws(HTTPRequest.Refusal) {
    guard !token.isEmpty || isOwn(request.host) else {
      throw .init(
        status: MHD_HTTP_MISDIRECTED_REQUEST, reason: "without a token this page has loopback names only")
    }
  }

  /// Rejects pages of other sites; browsers name the page that a request comes from.
  private func checkOrigin(of request: HTTPRequest) throws(HTTPRequest.Refusal) {
    guard request.has("origin") else { return }
    let origin = request.single("origin")
    guard origin == "http://" + request.host || origin == "https://" + request.host else {
      throw .init(status: MHD_HTTP_FORBIDDEN, reason: "a page of this server's own expected as Origin")
    }
  }

  private func isOwn(_ field: String) -> Bool {
    guard let name = Self.name(ofHost: field)?.lowercased() else { return false }
    return name == "localhost" || name == host.lowercased()
      || HostAddress(literal: name)?.isLoopback == true
  }

  /// The name or address of `NAME[:PORT]`; `nil` for anything else.
  private static func name(ofHost field: String) -> String? {
    let parts = try? RadioAddress.hostAndPort(field, allowsPortZero: false)
    return (parts ?? (try? RadioAddress.hostAndPort(field + ":80", allowsPortZero: false)))?.host
  }

  private static func accepted(_ key: String) -> String? {
    let octets = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard EVP_Digest(octets, octets.count, &digest, &count, EVP_sha1(), nil) == 1 else { return nil }
    return Data(digest.prefix(Int(count))).base64EncodedString()
  }
}
