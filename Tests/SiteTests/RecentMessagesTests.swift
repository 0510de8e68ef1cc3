import NearbySite
import Testing

@Suite("The newest messages of a stream")
struct RecentMessagesTests {
  private static func message(_ sequence: UInt64, time: Double = 0, octets: Int = 10)
    -> RecentMessages.Message
  {
    RecentMessages.Message(
      sequence: sequence, time: time, topic: "t", payload: Array(repeating: 7, count: octets))
  }

  private static func sequences(_ messages: ArraySlice<RecentMessages.Message>) -> [UInt64] {
    messages.map(\.sequence)
  }

  @Test("Messages after any sequence are found")
  func finds() {
    var recent = RecentMessages()
    #expect(recent.first == nil && recent.after(5).isEmpty)
    for sequence in UInt64(10)...20 { recent.add(Self.message(sequence)) }
    #expect(recent.first == 10)
    #expect(Self.sequences(recent.after(0)) == Array(10...20))
    #expect(Self.sequences(recent.after(9)) == Array(10...20))
    #expect(Self.sequences(recent.after(17)) == [18, 19, 20])
    #expect(recent.after(20).isEmpty && recent.after(.max).isEmpty)
  }

  @Test("Old messages are dropped after eight seconds, and when there are too many octets; the newest stays")
  func bounds() {
    var recent = RecentMessages(mostOctets: 10_000)
    for sequence in UInt64(1)...3000 { recent.add(Self.message(sequence, time: Double(sequence) * 0.001)) }
    let first: UInt64 = 3000 - 10_000 / 138 + 1
    #expect(recent.first == first)
    recent.add(Self.message(3001, time: 2.9 + RecentMessages.age))
    #expect(recent.first == 2929 || recent.first == 2930)
    recent.add(Self.message(3002, time: 12, octets: 1 << 20))
    #expect(Self.sequences(recent.after(0)) == [3002])
    for sequence in UInt64(3003)...20_000 { recent.add(Self.message(sequence, time: Double(sequence))) }
    #expect(Self.sequences(recent.after(0)) == Array(19_992...20_000))
  }

  @Test("Only sequences older than the held ones have to be read again, whatever a checkpoint states")
  func missing() {
    var recent = RecentMessages()
    #expect(recent.missing(after: 3, through: 9) == 4..<10)
    for sequence in UInt64(10)...20 { recent.add(Self.message(sequence)) }
    #expect(recent.missing(after: 3, through: 20) == 4..<10)
    #expect(recent.missing(after: 9, through: 20) == nil)
    #expect(recent.missing(after: 15, through: 20) == nil)
    #expect(recent.missing(after: .max, through: 20) == nil)
    #expect(recent.missing(after: .max - 1, through: .max) == nil)
  }

  @Test("After a gap in the stream, or when it begins anew, older messages do not count")
  func gaps() {
    var recent = RecentMessages()
    recent.add(Self.message(1))
    recent.add(Self.message(2))
    recent.add(Self.message(9))
    #expect(Self.sequences(recent.after(0)) == [9])
    recent.add(Self.message(1))
    recent.add(Self.message(2))
    #expect(Self.sequences(recent.after(0)) == [1, 2])
  }
}
