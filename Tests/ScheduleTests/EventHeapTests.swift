import NearbySchedule
import TestSupport
import Testing

@Suite("Event heap")
struct EventHeapTests {
  @Test(
    "Events are removed in order of time, equal times in order of insertion", arguments: [1, 5, 64, 1000])
  func order(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var heap = EventHeap<Int64, Int>()
    // Few distinct times, so that many events have equal times.
    let times = (0..<count).map { _ in Int64.random(in: 0..<20, using: &random) }
    for (event, time) in times.enumerated() { heap.insert(event, at: time) }
    var left: [Int] = []
    while let entry = heap.removeFirst() {
      #expect(entry.time == times[entry.event])
      left.append(entry.event)
    }
    #expect(left == times.indices.sorted { (times[$0], $0) < (times[$1], $1) })
  }

  @Test("Insertions between removals do not break the order", arguments: [1, 2, 3] as [UInt64])
  func interleaved(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var heap = EventHeap<Duration, Int32>()
    var waiting: [(time: Duration, event: Int32)] = []
    for event in 0..<Int32(2000) {
      let time = Duration.milliseconds(Int64.random(in: 0..<500, using: &random))
      heap.insert(event, at: time)
      waiting.append((time, event))
      guard Bool.random(using: &random) else { continue }
      let first = waiting.indices.min {
        (waiting[$0].time, waiting[$0].event) < (waiting[$1].time, waiting[$1].event)
      }
      let expected = first.map { waiting.remove(at: $0).event }
      let removed = heap.removeFirst()?.event
      #expect(removed == expected)
    }
    #expect(heap.count == waiting.count)
  }

  @Test("Removing entries by a condition leaves the others in order")
  func removal() {
    var heap = EventHeap<Int64, Int>()
    for event in 0..<300 { heap.insert(event, at: Int64(event * 37 % 50)) }
    heap.removeAll { $0.event % 3 == 0 }
    var left: [Int] = []
    while let entry = heap.removeFirst() { left.append(entry.event) }
    let expected = (0..<300).filter { $0 % 3 != 0 }.sorted { ($0 * 37 % 50, $0) < ($1 * 37 % 50, $1) }
    #expect(left == expected)
  }

  @Test("An entry of the world's heap takes 32 octets of memory")
  func entrySize() {
    #expect(MemoryLayout<EventHeap<Duration, Int32>.Entry>.stride == 32)
  }
}
