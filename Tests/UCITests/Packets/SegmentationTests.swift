import NearbyUCI
import TestSupport
import Testing

@Suite("Segmentation") struct SegmentationTests {
  static func raw(_ count: Int, group: UInt8 = 0x0C, type: UCIPacketHeader.MessageType = .notification)
    -> UCIRawMessage
  {
    UCIRawMessage(
      type: type, id: UCIMessageID(group: group, opcode: 0),
      payload: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test(
    "A control payload over 255 octets is segmented, and every segment repeats the ids",
    arguments: [(0, [0]), (255, [255]), (256, [255, 1]), (510, [255, 255]), (511, [255, 255, 1])])
  func control(_ count: Int, _ sizes: [Int]) {
    let packets = UCISegmenter().packets(Self.raw(count))
    #expect(packets.map { Int($0[3]) } == sizes)
    #expect(packets.map { $0[0] } == Array(repeating: 0x7C, count: sizes.count - 1) + [0x6C])
    #expect(packets.map(\.count) == sizes.map { $0 + 4 })
  }

  @Test("Data is segmented at the controller's size with 16-bit lengths")
  func data() {
    let packets = UCISegmenter(maximumDataPayload: 1024).packets(Self.raw(1500, group: 1, type: .data))
    #expect(packets.map { Array($0[..<4]) } == [[0x11, 0, 0x00, 0x04], [0x01, 0, 0xDC, 0x01]])
    var reassembler = UCIReassembler()
    #expect(
      reassembler.received(packets.flatMap(\.self)) == [.message(Self.raw(1500, group: 1, type: .data))])
  }

  @Test("Segments of control and data may interleave")
  func interleaving() {
    let control = UCISegmenter().packets(Self.raw(600))
    let data = UCISegmenter().packets(Self.raw(700, group: 2, type: .data))
    var reassembler = UCIReassembler()
    var output: [UCIReassembler.Output] = []
    for (first, second) in zip(control, data) { output += reassembler.received(first + second) }
    #expect(output == [.message(Self.raw(600)), .message(Self.raw(700, group: 2, type: .data))])
  }

  @Test("DEVICE_STATUS(ERROR) overtakes a segmented message and ends it")
  func deviceError() {
    let packets = UCISegmenter().packets(Self.raw(600))
    let error = notification(.deviceStatus(.error))
    var reassembler = UCIReassembler()
    let id = UCIMessageID.deviceStatus
    #expect(
      reassembler.received(packets[0] + error) == [
        .message(UCIRawMessage(type: .notification, id: id, payload: [0xFF]))
      ])
    #expect(
      reassembler.received(packets[2]) == [
        .message(UCIRawMessage(type: .notification, id: Self.raw(0).id, payload: Array(packets[2][4...])))
      ])
  }

  @Test("A packet of another message drops the unfinished one")
  func mismatch() {
    let packets = UCISegmenter().packets(Self.raw(600))
    let other = Self.raw(3, group: 0x0E)
    var reassembler = UCIReassembler()
    #expect(
      reassembler.received(packets[0] + UCISegmenter().packets(other)[0]) == [
        .dropped(.interrupted(Self.raw(0).id)), .message(other),
      ])
  }

  @Test("A message over the size limit is dropped completely and reported once")
  func bound() {
    let packets = UCISegmenter().packets(Self.raw(2000))
    let next = Self.raw(5)
    var reassembler = UCIReassembler(maximumControlSize: 1000)
    #expect(
      reassembler.received(packets.flatMap(\.self) + UCISegmenter().packets(next)[0]) == [
        .dropped(.tooLarge(next.id, maximum: 1000)), .message(next),
      ])
  }

  @Test("Octets that cannot start a packet are dropped and reported once")
  func resynchronises() {
    var reassembler = UCIReassembler()
    let ready = notification(.deviceStatus(.ready))
    let expected: [UCIReassembler.Output] = [
      .dropped(.implausible(octet: 0xFF)),
      .message(UCIRawMessage(type: .notification, id: .deviceStatus, payload: [1])),
    ]
    #expect(reassembler.received([0xFF, 0xC0, 0xE7] + ready) == expected)
    var output: [UCIReassembler.Output] = []
    for octet in [0xFF, 0xC0, 0xE7] + ready { output += reassembler.received([octet]) }
    #expect(output == expected)
  }

  @Test("NXP's long notifications with 16-bit lengths are parsed")
  func extendedLength() {
    var reassembler = UCIReassembler()
    let payload = [UInt8](repeating: 7, count: 300)
    #expect(
      reassembler.received([0x6E, 0x81, 0x2C, 0x01] + payload) == [
        .message(
          UCIRawMessage(
            type: .notification, id: UCIMessageID(group: 0x0E, opcode: 1), payload: payload))
      ])
  }

  @Test("Octets fed one by one, in random chunks and all at once give the same messages", arguments: 0..<40)
  func dripFeed(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var source = MessageSource(random: random, dialect: .v2)
    var stream = source.all().flatMap { octets($0) }
    stream += UCISegmenter().packets(Self.raw(3000)).flatMap(\.self)
    // Some seeds have broken streams.
    for _ in 0..<(seed % 4) * 10 {
      stream[Int.random(in: stream.indices, using: &random)] = UInt8(truncatingIfNeeded: random.next())
    }
    var whole = UCIReassembler(maximumControlSize: 2000)
    let expected = whole.received(stream)
    var dripping = UCIReassembler(maximumControlSize: 2000)
    #expect(stream.flatMap { dripping.received([$0]) } == expected, "seed \(seed)")
    var chunked = UCIReassembler(maximumControlSize: 2000)
    var output: [UCIReassembler.Output] = []
    var rest = stream[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...90, using: &random)
      output += chunked.received(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(output == expected, "seed \(seed)")
  }
}
