import NearbyPeerRelay
import Testing

@Suite("A stream between peers through a server")
struct RelayStreamTests {
  @Test("Octets are sent until the window is full, and again when the other side has consumed some")
  func window() throws {
    var (ann, ben) = (RelayStream(), RelayStream())
    var credits = 0
    while ann.room > 0 {
      let count = min(ann.room, 65_536)
      try ben.receive(ann.next(.data, count: count), count: count)
    }
    var left = Int(RelayStream.window)
    while left > 0 {
      let credit = ben.consume(65_536)
      left -= 65_536
      guard let credit else { continue }
      credits += 1
      try ann.receive(credit, count: 0)
      #expect(ann.room == Int(RelayStream.window) - left)
    }
    #expect(credits == 4)
  }

  @Test("What was consumed is also told by messages that go back anyway")
  func piggyback() throws {
    var (ann, ben) = (RelayStream(), RelayStream())
    try ben.receive(ann.next(.data, count: 100), count: 100)
    #expect(ben.consume(100) == nil)
    try ann.receive(ben.next(.data, count: 1), count: 1)
    #expect(ann.room == Int(RelayStream.window))
  }

  @Test("A lost or repeated message breaks the stream")
  func gap() throws {
    var (ann, ben) = (RelayStream(), RelayStream())
    let first = ann.next(.data, count: 1)
    let second = ann.next(.data, count: 1)
    #expect(throws: RelayFailure.gap(expected: 0, found: 1)) { try ben.receive(second, count: 1) }
    try ben.receive(first, count: 1)
    #expect(throws: RelayFailure.gap(expected: 1, found: 0)) { try ben.receive(first, count: 1) }
  }

  @Test("Strangers can neither send more than a window nor confirm what was not sent, nor take back")
  func forged() throws {
    var ben = RelayStream()
    let window = Int(RelayStream.window)
    #expect(throws: RelayFailure.window) {
      try ben.receive(RelayFrame(.data, number: 0, consumed: 0), count: window + 1)
    }
    #expect(throws: RelayFailure.window) {
      try ben.receive(RelayFrame(.credit, number: 0, consumed: 1), count: 0)
    }
    _ = ben.next(.data, count: 10)
    try ben.receive(RelayFrame(.credit, number: 0, consumed: 10), count: 0)
    #expect(throws: RelayFailure.window) {
      try ben.receive(RelayFrame(.credit, number: 1, consumed: 9), count: 0)
    }
    #expect(throws: RelayFailure.window) {
      try ben.receive(RelayFrame(.credit, number: 1, consumed: .max), count: 0)
    }
  }
}
