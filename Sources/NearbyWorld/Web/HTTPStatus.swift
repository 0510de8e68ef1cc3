/// The statuses that the page's server answers with.
enum HTTPStatus: Int, Equatable, Sendable {
  case ok = 200
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case misdirected = 421
  case upgradeRequired = 426
  case tooLarge = 431
  case unavailable = 503
  case versionNotSupported = 505

  var words: String {
    switch self {
    case .ok: "OK"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .misdirected: "Misdirected Request"
    case .upgradeRequired: "Upgrade Required"
    case .tooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}

/// One answer to a request for a file, or a refusal.
struct HTTPAnswer: Sendable {
  let status: HTTPStatus
  let type: String
  let body: [UInt8]

  init(_ file: WebFile) {
    status = .ok
    type = file.type
    body = file.octets
  }

  init(_ refusal: HTTPRequest.Refusal) {
    status = refusal.status
    type = "text/plain; charset=utf-8"
    body = Array((refusal.reason + "\n").utf8)
  }

  /// Nothing is loaded from elsewhere, shown in another page's frame, or kept by a cache.
  private static let policy = [
    "Content-Security-Policy: default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'",
    "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-store",
  ]

  func head(isKeptAlive: Bool) -> [UInt8] {
    var lines = [
      "HTTP/1.1 \(status.rawValue) \(status.words)", "Content-Type: \(type)", "Content-Length: \(body.count)",
      "Connection: \(isKeptAlive ? "keep-alive" : "close")",
    ]
    lines += Self.policy
    switch status {
    case .methodNotAllowed: lines.append("Allow: GET, HEAD")
    case .upgradeRequired: lines += ["Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    case .ok, .badRequest, .forbidden, .notFound, .misdirected, .tooLarge, .unavailable, .versionNotSupported:
      break
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
