import NearbyWorld

/// Parses octets as a browser's data on the page's WebSocket. The messages must not depend on how the octets
/// are divided. The socket must close at most once, nothing may follow, and it must always have a deadline.
func fuzzWebSocket(_ octets: [UInt8]) {
  func events(_ pieces: [ArraySlice<UInt8>]) -> [WebSocket.Event] {
    guard let socket = WebSocket(at: .zero) else { preconditionFailure("no memory for a WebSocket") }
    var events: [WebSocket.Event] = []
    for piece in pieces {
      events += socket.received(piece, at: .zero)
      socket.discardOutput()
    }
    _ = socket.timePassed(at: .seconds(1))
    precondition(!socket.timePassed(at: .seconds(100)), "a silent WebSocket was not ended")
    return events
  }
  let size = 1 + Int(octets.last ?? 0) % 40
  let whole = events([octets[...]])
  let cut = events(
    stride(from: 0, to: octets.count, by: size).map { octets[$0..<min($0 + size, octets.count)] })
  // How octets are divided may decide whether wslay rejects a closing frame for its reason before it is
  // complete.
  let messages = [whole, cut].map { $0.filter { $0 != .closed } }
  precondition(messages[0] == messages[1], "messages depend on how octets are divided into chunks")
  precondition(
    whole.firstIndex(of: .closed).map { $0 == whole.count - 1 } ?? true, "an event follows the end")
}
