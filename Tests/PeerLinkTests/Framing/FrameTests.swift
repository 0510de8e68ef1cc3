import NearbyPeerLink
import TestSupport
import Testing

@Suite("Peer frames")
struct FrameTests {
  @Test("Each sample frame is written as its golden octets and parsed from them", arguments: FrameSample.all)
  func goldens(sample: FrameSample) {
    let text = sample.octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == sample.hexadecimal)
    #expect(ParsedStream(sample.octets, chunk: 1 << 20).frames == [sample.frame])
  }

  @Test("Every frame type has a golden sample")
  func allTypes() {
    #expect(Set(FrameSample.all.map(\.frame.type)) == Set(PeerFrameType.allCases))
  }

  @Test(
    "A stream is parsed the same way whatever the chunk size", arguments: [1, 2, 3, 4, 5, 6, 7, 16, 61, 1000])
  func chunks(chunk: Int) {
    let stream = FrameSample.all.flatMap(\.octets)
    let parsed = ParsedStream(stream, chunk: chunk)
    #expect(parsed.frames == FrameSample.all.map(\.frame))
    #expect(parsed.error == nil)
    #expect(parsed.isBetweenFrames)
  }

  @Test(
    "The error for a truncated payload names the field, its offset and the missing octets",
    arguments: FrameSample.all)
  func truncated(sample: FrameSample) {
    let payload = Array(sample.octets.dropFirst(5))
    for count in 0..<payload.count {
      let cut = Array(payload.prefix(count))
      do throws(PeerLinkError) {
        let frame = try PeerFrame(sample.frame.type, parsing: cut.span, at: 100)
        // Frames that end with octets of variable length may be shorter.
        let open = ["data", "looseData", "proof", "invite", "resourceChunk", "streamData"]
        #expect(open.contains("\(frame.type)"))
      } catch {
        guard case .octets(_, let offset, .truncated(let needed, let left)) = error else {
          Issue.record("\(error) at \(count)")
          continue
        }
        #expect(offset >= 100)
        #expect(offset <= 100 + count)
        #expect(needed > left)
        #expect(left >= 0)
        #expect(offset + left == 100 + count)
      }
    }
  }

  @Test("An extra octet is an error in frames of fixed size", arguments: FrameSample.all)
  func leftover(sample: FrameSample) {
    let payload = sample.octets.dropFirst(5) + [0]
    switch sample.frame {
    case .data, .looseData, .proof, .resourceChunk, .streamData: return
    case .invite(let invite) where invite.context != nil: return
    default:
      let place = 100 + payload.count - 1
      #expect(throws: PeerLinkError.octets(.payload, at: place, .leftover(count: 1))) {
        try PeerFrame(sample.frame.type, parsing: payload.span, at: 100)
      }
    }
  }

  @Test(
    "Changing an octet gives another frame or an error, whatever the chunk size", arguments: FrameSample.all)
  func changed(sample: FrameSample) {
    for index in sample.octets.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var octets = sample.octets
        guard octets[index] != value else { continue }
        octets[index] = value
        let whole = ParsedStream(octets, chunk: 1 << 20)
        #expect(whole == ParsedStream(octets, chunk: 1))
        #expect(whole.frames != [sample.frame] || whole.error != nil)
        for frame in whole.frames {
          var again: [UInt8] = []
          frame.write(to: &again)
          #expect(ParsedStream(again, chunk: 1 << 20).frames == [frame])
        }
      }
    }
  }

  @Test("The error for an unknown frame type has its offset")
  func unknownType() {
    let octets = FrameSample.all[9].octets + [0x3F]
    #expect(
      ParsedStream(octets, chunk: 4).error == .octets(.frameHeader, at: 13, .unknownFrameType(0x3F)))
  }

  @Test(
    "A header with too large a length is rejected before the payload arrives",
    arguments: PeerFrameType.allCases)
  func oversized(type: PeerFrameType) {
    let parsed = ParsedStream([type.rawValue, 0xFF, 0xFF, 0xFF, 0xFF, 0], chunk: 1)
    guard case .octets(.frameHeader, at: 1, .tooLong(count: 0xFFFF_FFFF, let maximum)) = parsed.error else {
      Issue.record("\(String(describing: parsed.error))")
      return
    }
    #expect(maximum <= 64 << 20)
  }

  @Test("A message larger than a chunk is parsed as one frame")
  func large() {
    let payload = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    var octets: [UInt8] = []
    PeerFrame.data(payload).write(to: &octets)
    #expect(ParsedStream(octets, chunk: 16_384).frames == [.data(payload)])
  }

  @Test("Datagrams are parsed; invalid ones throw errors with their offset")
  func datagrams() throws {
    let parsed = try DatagramForm.parse([0x4D, 4, 3, 2, 1, 9].span)
    #expect(parsed.connection == 0x0102_0304)
    #expect(parsed.payload == [9])
    for count in 0..<5 {
      #expect(throws: PeerLinkError.octets(.frameHeader, at: count, .truncated(needed: 5 - count, left: 0))) {
        try DatagramForm.parse([UInt8](repeating: 0x4D, count: count).span)
      }
    }
    #expect(throws: PeerLinkError.octets(.frameHeader, at: 0, .outOfRange(found: 1, expected: 0x4D...0x4D))) {
      try DatagramForm.parse([1, 0, 0, 0, 0].span)
    }
  }
}

@Suite("Outbox")
struct OutboxTests {
  private func drain(_ outbox: inout Outbox) -> [UInt8] {
    var octets: [UInt8] = []
    while let block = outbox.takeBlock() { octets += block }
    return octets
  }

  @Test("Small messages are written in one block")
  func coalescing() {
    var outbox = Outbox()
    for _ in 0..<900 { outbox.append(.data, [UInt8](repeating: 1, count: 64)) }
    #expect(outbox.takeBlock()?.count == 900 * 69)
    #expect(outbox.takeBlock() == nil)
  }

  @Test("Unacknowledged octets can be sent again from the start of any frame", arguments: 0..<60)
  func rewinding(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var outbox = Outbox()
    var stream: [UInt8] = []
    var ends = [0]
    for _ in 0..<60 {
      let size = Bool.random(using: &random) ? 40_000 : Int.random(in: 0...300, using: &random)
      let payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      outbox.append(.data, payload)
      PeerFrame.data(payload).write(to: &stream)
      ends.append(stream.count)
      if Int.random(in: 0..<5, using: &random) == 0 { _ = outbox.takeBlock() }
    }
    _ = drain(&outbox)
    var least = 0
    for _ in 0..<20 {
      let start = ends[Int.random(in: least..<ends.count, using: &random)]
      #expect(outbox.rewind(to: start) == true)
      #expect(outbox.isBetweenFrames)
      if Bool.random(using: &random) { _ = outbox.takeBlock() }
      #expect(outbox.rewind(to: start) || outbox.handedOut < start)
      #expect(drain(&outbox) == Array(stream[start...]))
      least = ends.firstIndex(of: start) ?? 0
    }
    #expect(outbox.held == stream.count - ends[least])
    #expect(outbox.acknowledge(stream.count) == true)
    #expect(outbox.held == 0)
    #expect(outbox.acknowledge(stream.count + 1) == false)
  }
}
