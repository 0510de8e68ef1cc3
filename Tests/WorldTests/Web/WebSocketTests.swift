import Testing

@testable import NearbyWorld

/// The machine of one WebSocket, without a socket or a clock.
@Suite("One WebSocket of the page")
struct WebSocketTests {
  private let socket: WebSocket

  init() throws { socket = try #require(WebSocket(at: .zero)) }

  /// All octets that wait to be written.
  private func written() -> [UInt8] {
    var octets: [UInt8] = []
    while socket.output.write({ piece in
      octets += piece
      return piece.count
    }) > 0 {}
    return octets
  }

  @Test("Octets that arrive one by one have the same effect as all at once")
  func drip() {
    var events: [WebSocket.Event] = []
    for octet in WebVisitor.frame(Array("hello".utf8)) + WebVisitor.frame([], opcode: 8) {
      events += socket.received([octet], at: .zero)
    }
    #expect(events == [.received("hello"), .closed])
  }

  @Test("A fragmented message is delivered as one, with a ping answered in between")
  func fragments() {
    var octets = WebVisitor.frame(Array("one ".utf8))
    octets[0] = 0x01
    octets += WebVisitor.frame([7], opcode: 9) + WebVisitor.frame(Array("two".utf8), opcode: 0)
    #expect(socket.received(octets, at: .zero) == [.received("one two")])
    #expect(written() == [0x8A, 1, 7])
  }

  @Test(
    "An illegal frame closes the socket with its code, and what follows is not read",
    arguments: [
      ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002), ([0x82, 0x80, 0, 0, 0, 0], 1003),
      ([0x82, 0x81, 0, 0, 0, 0, 1], 1003), ([0x02, 0x81, 0, 0, 0, 0, 1], 1003),
      ([0x80, 0x80, 0, 0, 0, 0], 1002), ([0x81, 0xFE, 0x40, 0x01, 0, 0, 0, 0, 0x41], 1009),
      ([0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0x41], 1009),
      ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x01, 0x80, 0, 0, 0, 0, 0x01, 0x80, 0, 0, 0, 0], 1002),
      ([0x81, 2, 0x68, 0x69], 1002), ([0x89, 0], 1002), ([0x88, 0], 1002), ([0x01, 0, 0x80, 0], 1002),
      // wslay gives no status code for malformed headers.
      ([0x09, 0x80, 0, 0, 0, 0], nil), ([0x89, 0xFE], nil), ([0x81, 0xFE, 0, 5, 0, 0, 0, 0], nil),
      ([0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], nil), ([0x88, 0x80, 0, 0, 0, 0], nil),
    ] as [([UInt8], UInt16?)])
  func faults(_ octets: [UInt8], _ code: UInt16?) {
    let events = socket.received(octets + WebVisitor.frame(Array("late".utf8)), at: .zero)
    #expect(events == [.closed])
    let reason = code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []
    #expect(written() == [0x88, UInt8(reason.count)] + reason)
    #expect(socket.isDone)
    #expect(socket.received(WebVisitor.frame(Array("later".utf8)), at: .zero).isEmpty)
  }

  @Test("A fragmented message of 16 KiB is read, and one more octet closes the socket")
  func longest() {
    var first = WebVisitor.frame([UInt8](repeating: 0x61, count: 16_000))
    first[0] = 0x01
    let rest = WebVisitor.frame([UInt8](repeating: 0x62, count: 384), opcode: 0)
    let events = socket.received(first + rest, at: .zero)
    #expect(
      events == [.received(String(repeating: "a", count: 16_000) + String(repeating: "b", count: 384))])
    let longer = WebVisitor.frame([UInt8](repeating: 0x62, count: 385), opcode: 0)
    #expect(socket.received(first + longer, at: .zero) == [.closed])
    #expect(written() == [0x88, 2, 0x03, 0xF1])
  }

  @Test("More than 200 frames per second, including empty ones and fragments, close the socket with 1008")
  func frameRate() {
    let empty: [UInt8] = [0x00, 0x80, 0, 0, 0, 0]
    var start = empty
    start[0] = 0x01
    #expect(socket.received(start + (0..<199).flatMap { _ in empty }, at: .zero).isEmpty)
    #expect(socket.received((0..<200).flatMap { _ in empty }, at: .seconds(1)).isEmpty)
    #expect(socket.received(empty, at: .milliseconds(1999)) == [.closed])
    #expect(written() == [0x88, 2, 0x03, 0xF0])
  }

  @Test(
    "Texts for a browser are single frames with the shortest length field",
    arguments: [0, 1, 125, 126, 65_535, 65_536])
  func frames(_ count: Int) {
    let header: [UInt8] =
      switch count {
      case ..<126: [0x81, UInt8(count)]
      case ..<65_536: [0x81, 126, UInt8(count >> 8), UInt8(count & 255)]
      default:
        [0x81, 127, 0, 0, 0, 0, 0, UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
      }
    let message = WebMessage(String(repeating: "x", count: count))
    #expect(message.frame == header + [UInt8](repeating: 0x78, count: count))
  }

  @Test("Closing by the server sends a close code, and nothing after it")
  func ownEnd() {
    socket.close(code: 1001, at: .zero)
    socket.send(WebMessage("late"))
    #expect(written() == [0x88, 2, 0x03, 0xE9])
    #expect(socket.isDone)
    #expect(socket.timePassed(at: .seconds(1)))
    #expect(!socket.timePassed(at: .seconds(2)))
  }

  @Test("A silent browser is pinged every 20 s and dropped after 60 s; one that answers stays")
  func pings() {
    for second in [20, 40] {
      #expect(socket.timePassed(at: .seconds(second)))
      #expect(written() == [0x89, 0])
    }
    #expect(!socket.timePassed(at: .seconds(60)))
    #expect(socket.received(WebVisitor.frame([], opcode: 10), at: .seconds(59)).isEmpty)
    #expect(socket.timePassed(at: .seconds(100)))
  }

  @Test("A browser that reads nothing for 30 s is dropped; one that reads slowly stays")
  func stalled() {
    #expect(socket.timePassed(at: .seconds(1)))
    socket.send(WebMessage(String(repeating: "x", count: 100)))
    for second in [20, 40] {
      _ = socket.output.write { _ in 1 }
      socket.progressed(at: .seconds(second))
      _ = socket.received(WebVisitor.frame([], opcode: 10), at: .seconds(second))
      #expect(socket.timePassed(at: .seconds(second + 1)))
    }
    _ = socket.received(WebVisitor.frame([], opcode: 10), at: .seconds(69))
    #expect(socket.timePassed(at: .seconds(69)))
    #expect(!socket.timePassed(at: .seconds(70)))
  }
}

@Suite("Time limits for a request and its answer")
struct RequestDeadlineTests {
  @Test("A request's head must arrive within 10 s, and its answer must be read within 30 s")
  func limits() {
    var deadline = RequestDeadline(at: .zero)
    #expect(deadline.isOwed)
    #expect(!deadline.isOver(at: .seconds(9)))
    #expect(deadline.isOver(at: .seconds(10)))
    deadline.requested(at: .seconds(9))
    #expect(!deadline.isOwed)
    #expect(!deadline.isOver(at: .seconds(38)))
    #expect(deadline.isOver(at: .seconds(39)))
    deadline.answered(at: .seconds(38))
    #expect(deadline.isOwed)
    #expect(!deadline.isOver(at: .seconds(47)))
    #expect(deadline.isOver(at: .seconds(48)))
  }
}
