import NearbyWorld

/// Reads octets as what a browser sends to the page's server, over HTTP or, behind an upgrade, as a WebSocket. Cut
/// anyhow they have the same effects, and a connection is opened and closed once at most.
func fuzzWebConnection(_ octets: [UInt8]) {
  let page = WebFile(type: "text/html", octets: Array("page".utf8))
  let site = WebSite(files: WebFiles(files: ["/": page]), token: "", host: "localhost")
  let upgrade = [
    "GET /socket HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: nearby-world", "", "",
  ].joined(separator: "\r\n")
  // A request begins with a letter, a frame with its final bit or a small number.
  let isRequest = octets.first.map { (0x41...0x5A).contains($0) } ?? true
  func events(_ pieces: [ArraySlice<UInt8>]) -> [WebConnection.Event] {
    var connection = WebConnection(at: .zero)
    var events: [WebConnection.Event] = []
    if !isRequest { events += connection.received(Array(upgrade.utf8), at: .zero, site, hasRoom: true) }
    for piece in pieces {
      events += connection.received(piece, at: .zero, site, hasRoom: true)
      while connection.discardOutput() { events += connection.drained(at: .zero, site, hasRoom: true) }
    }
    _ = connection.timePassed(at: .seconds(1))
    precondition(!connection.timePassed(at: .seconds(100)), "a connection without a deadline")
    return events
  }
  let size = 1 + Int(octets.last ?? 0) % 40
  let whole = events([octets[...]])
  let cut = events(
    stride(from: 0, to: octets.count, by: size).map { octets[$0..<min($0 + size, octets.count)] })
  precondition(whole == cut, "events depend on how octets arrive")
  precondition(
    whole.count { $0 == .opened } <= 1 && whole.count { $0 == .closed } <= 1, "opened or closed twice")
  precondition(whole.firstIndex(of: .closed).map { $0 == whole.count - 1 } ?? true, "something after the end")
}
