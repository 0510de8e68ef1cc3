import Testing

@testable import NearbyWorld

/// The machine of one connection, without a socket or a clock.
@Suite("One connection of the page")
struct WebConnectionTests {
  private let site = WebSite(
    files: WebFiles(files: ["/": WebFile(type: "text/html", octets: Array("page".utf8))]), token: "",
    host: "localhost")

  private static let upgrade = Array(
    ("GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      + "Sec-WebSocket-Protocol: nearby-world\r\n\r\n").utf8)
  private static let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  /// Everything that waits to be written, as text.
  private func written(_ connection: inout WebConnection) -> String {
    var octets: [UInt8] = []
    while connection.output.write({ piece in
      octets += piece
      return piece.count
    }) > 0 {}
    return String(decoding: octets, as: UTF8.self)
  }

  private func expect(
    _ connection: inout WebConnection, isThere: Bool, at time: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = connection.timePassed(at: time)
    #expect(found == isThere, sourceLocation: sourceLocation)
  }

  private func socket(at time: Duration = .zero) -> WebConnection {
    var connection = WebConnection(at: time)
    let events = connection.received(Self.upgrade, at: time, site, hasRoom: true)
    #expect(events == [.opened])
    let answer = written(&connection)
    #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    return connection
  }

  @Test("Octets that come one by one are answered as octets that come at once")
  func drip() {
    var connection = WebConnection(at: .zero)
    var events: [WebConnection.Event] = []
    for octet in Self.upgrade + WebVisitor.frame(Array("hello".utf8)) {
      events += connection.received([octet], at: .zero, site, hasRoom: true)
    }
    #expect(events == [.opened, .received("hello")])
  }

  @Test("Requests in a row are answered in order, each when the answer before is written")
  func pipelined() {
    var connection = WebConnection(at: .zero)
    _ = connection.received(Self.request + Self.request + Self.request, at: .zero, site, hasRoom: true)
    for _ in 0..<3 {
      #expect(!connection.wantsInput)
      let answer = written(&connection)
      #expect(answer.hasSuffix("\r\n\r\npage"))
      _ = connection.drained(at: .zero, site, hasRoom: true)
    }
    #expect(connection.wantsInput && connection.output.isEmpty)
  }

  @Test("A message in fragments is one, with a ping answered in between")
  func fragments() {
    var connection = socket()
    var octets = WebVisitor.frame(Array("one ".utf8))
    octets[0] = 0x01
    octets += WebVisitor.frame([7], opcode: 9) + WebVisitor.frame(Array("two".utf8), opcode: 0)
    let events = connection.received(octets, at: .zero, site, hasRoom: true)
    #expect(events == [.received("one two")])
    let answer = written(&connection)
    #expect(answer == "\u{FFFD}\u{1}\u{7}")
  }

  @Test(
    "A frame against the rules closes with its code",
    arguments: [
      ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002), ([0x82, 0x80, 0, 0, 0, 0], 1003),
      ([0x80, 0x80, 0, 0, 0, 0], 1002), ([0x09, 0x80, 0, 0, 0, 0], 1002), ([0x89, 0xFE], 1002),
      ([0x81, 0xFE, 0, 5, 0, 0, 0, 0], 1002), ([0x81, 0xFF], 1009), ([0x81, 0xFE, 0x40, 0x01], 1009),
      ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x01, 0x80, 0, 0, 0, 0, 0x01, 0x80, 0, 0, 0, 0], 1002),
      ([0x88, 0x80, 0, 0, 0, 0], 1000),
    ] as [([UInt8], UInt16)])
  func faults(_ octets: [UInt8], _ code: UInt16) {
    var connection = socket()
    let events = connection.received(octets, at: .zero, site, hasRoom: true)
    #expect(events == [.closed])
    var written: [UInt8] = []
    _ = connection.output.write { piece in
      written += piece
      return piece.count
    }
    #expect(written == [0x88, 2, UInt8(code >> 8), UInt8(code & 255)])
    #expect(connection.isDone)
    let late = connection.received(Self.upgrade, at: .zero, site, hasRoom: true)
    #expect(late.isEmpty)
  }

  @Test("Whoever has not sent a whole head in 10 s goes, also one that sends an octet now and then")
  func silent() {
    var connection = WebConnection(at: .zero)
    for second in 1...9 {
      _ = connection.received([UInt8(ascii: "G")], at: .seconds(second), site, hasRoom: true)
      expect(&connection, isThere: true, at: .seconds(second))
    }
    expect(&connection, isThere: false, at: .seconds(10))
  }

  @Test("An answer that is not read within 30 s ends its connection")
  func unreadAnswer() {
    var connection = WebConnection(at: .zero)
    _ = connection.received(Self.request, at: .zero, site, hasRoom: true)
    expect(&connection, isThere: true, at: .seconds(29))
    connection.progressed(at: .seconds(29))
    expect(&connection, isThere: false, at: .seconds(30))
  }

  @Test("A silent socket is asked every 20 s, and gone after 60 s; one that answers stays")
  func pings() {
    var connection = socket()
    for second in [20, 40] {
      expect(&connection, isThere: true, at: .seconds(second))
      let asked = written(&connection)
      #expect(asked == "\u{FFFD}\0")
    }
    expect(&connection, isThere: false, at: .seconds(60))
    _ = connection.received(WebVisitor.frame([], opcode: 10), at: .seconds(59), site, hasRoom: true)
    expect(&connection, isThere: true, at: .seconds(100))
  }

  @Test("A socket that reads nothing for 30 s is gone; one that reads slowly stays")
  func stalled() {
    var connection = socket()
    expect(&connection, isThere: true, at: .seconds(1))
    connection.output.append([UInt8](repeating: 0, count: 100))
    for second in [20, 40] {
      _ = connection.output.write { _ in 1 }
      connection.progressed(at: .seconds(second))
      _ = connection.received(WebVisitor.frame([], opcode: 10), at: .seconds(second), site, hasRoom: true)
      expect(&connection, isThere: true, at: .seconds(second + 1))
    }
    _ = connection.received(WebVisitor.frame([], opcode: 10), at: .seconds(69), site, hasRoom: true)
    expect(&connection, isThere: true, at: .seconds(69))
    expect(&connection, isThere: false, at: .seconds(70))
  }
}
