import Foundation
import NearbyFiles
import NearbyReadings
import TestSupport
import Testing

@Suite("Messages on disk and on their way")
struct MessageStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.appendingPathComponent("store").path }

  init() throws { folder = try TemporaryFolder() }

  private func message(_ number: Int, size: Int = 10) -> MessageStore.Message {
    MessageStore.Message(topic: "t", payload: "\(number)" + String(repeating: ".", count: size), readings: 2)
  }

  private func take(_ store: MessageStore) -> [String] {
    var taken: [String] = []
    while let message = store.next() {
      taken.append(String(message.payload.prefix { $0 != "." }))
      store.removeOldest(1)
    }
    return taken
  }

  @Test("Messages come back in their order, also while more are added, and leave no file")
  func order() throws {
    let store = try MessageStore(folder: path, limit: 1 << 20)
    for number in 0..<5 { try store.append(message(number)) }
    #expect(store.count == 5 && store.readings == 10)
    #expect(store.next()?.payload.first == "0")
    for number in 5..<8 { try store.append(message(number)) }
    #expect(store.next()?.payload.first == "1")
    store.removeOldest(2)
    #expect(take(store) == ["2", "3", "4", "5", "6", "7"])
    #expect(store.count == 0 && store.octets == 0 && store.dropped == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["lock"])
    try store.append(message(9))
    #expect(take(store) == ["9"])
  }

  @Test("What was not removed is there after a restart; a second process is refused")
  func restart() throws {
    var store: MessageStore? = try MessageStore(folder: path, limit: 1 << 20)
    for number in 0..<3 { try store?.append(message(number)) }
    #expect(throws: FileFailure.self) { try MessageStore(folder: path, limit: 1 << 20) }
    _ = store?.next()
    store = nil
    let again = try MessageStore(folder: path, limit: 1 << 20)
    #expect(again.readings == 6)
    #expect(take(again) == ["0", "1", "2"])
  }

  @Test("A lost connection reads again what was not removed")
  func rewinds() throws {
    let store = try MessageStore(folder: path, limit: 1 << 20)
    for number in 0..<3 { try store.append(message(number)) }
    for _ in 0..<3 { _ = store.next() }
    #expect(store.next() == nil)
    store.removeOldest(1)
    store.rewind()
    #expect(take(store) == ["1", "2"])
  }

  @Test("A full store drops the oldest messages and counts their readings")
  func full() throws {
    let store = try MessageStore(folder: path, limit: 64 << 10)
    for number in 0..<1000 { try store.append(message(number, size: 500)) }
    #expect(store.octets <= 64 << 10)
    #expect(store.dropped + store.readings == 2000)
    let taken = take(store)
    #expect(taken.last == "999")
    #expect(taken == (1000 - taken.count..<1000).map(String.init))
  }

  @Test("A damaged file loses its damaged lines only, and they are counted")
  func damaged() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let text = "2\tt\t1....\nrubbish\n-5\tt\tx\n2\tt\t2...."
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/7.messages"))
    try Data([0xFF, 0x0A]).write(to: URL(fileURLWithPath: path + "/8.messages"))
    try Data().write(to: URL(fileURLWithPath: path + "/x.messages"))
    let store = try MessageStore(folder: path, limit: 1 << 20)
    #expect(take(store) == ["1", "2"])
    try store.append(message(3))
    #expect(take(store) == ["3"])
    #expect(store.dropped == 3)
  }
}

@Suite("A gateway's queue")
struct GatewayQueueTests {
  /// A broker that takes messages, or not.
  private final class Broker {
    var isOpen = true
    var number: Int32 = 0
    var received: [MessageStore.Message] = []
    var numbers: [Int32] = []

    func publish(_ message: MessageStore.Message) -> Int32? {
      guard isOpen else { return nil }
      number += 1
      received.append(message)
      numbers.append(number)
      return number
    }

    /// The numbers of the readings, in the order of their messages.
    func readings() throws -> [UInt64] {
      try received.flatMap { message in
        let parts = try #require(ReadingTopic.parse(message.topic, site: "s"))
        return try ReadingParser.parse(Array(message.payload.utf8), parts.kind).compactMap(\.number)
      }
    }
  }

  private let folder: TemporaryFolder
  private let broker = Broker()

  init() throws { folder = try TemporaryFolder() }

  private func queue(hasStore: Bool = true) throws -> GatewayQueue {
    let path = folder.url.appendingPathComponent("store").path
    return GatewayQueue(
      site: "s", device: "g", firstNumber: 1,
      store: hasStore ? try MessageStore(folder: path, limit: 1 << 20) : nil)
  }

  private func reading(_ index: Int) -> GatewayReading {
    let value: GatewayReading.Value =
      index % 5 == 0
      ? .range(metres: 1, sigma: nil, blocked: nil, rssi: nil) : .advertisement(rssi: -60, power: nil)
    return GatewayReading(time: Double(index), peer: "t", value: value)
  }

  private func flush(_ queue: GatewayQueue) { queue.flush { broker.publish($0) } }

  private func acknowledge(_ queue: GatewayQueue) {
    for number in broker.numbers { queue.acknowledged(number) }
    broker.numbers = []
  }

  @Test("Readings of one kind travel together, in their order")
  func together() throws {
    let queue = try queue()
    for index in 0..<12 { queue.add(reading(index)) }
    flush(queue)
    #expect(try broker.readings() == Array(1...12))
    #expect(broker.received.map(\.readings) == [1, 4, 1, 4, 1, 1])
    #expect(queue.waiting == 12)
    acknowledge(queue)
    #expect(queue.waiting == 0 && queue.delivered == 12)
  }

  @Test(
    "After an hour without a broker, every reading that the default store holds arrives, once and in its order"
  )
  func hour() throws {
    let path = folder.url.appendingPathComponent("store").path
    let queue = GatewayQueue(
      site: "s", device: "g", firstNumber: 1, store: try MessageStore(folder: path, limit: 64 << 20))
    broker.isOpen = false
    // A look each second, ten readings in each.
    for second in 0..<3600 {
      for _ in 0..<10 { queue.add(reading(second)) }
      flush(queue)
    }
    #expect(queue.waiting == 36_000 && queue.dropped == 0)
    broker.isOpen = true
    var looks = 0
    while queue.waiting > 0, looks < 10_000 {
      flush(queue)
      acknowledge(queue)
      looks += 1
    }
    let numbers = try broker.readings()
    #expect(numbers == Array(1...36_000) && queue.dropped == 0)
  }

  @Test("Without a broker nothing is lost, and it comes in its order later")
  func outage() throws {
    let queue = try queue()
    broker.isOpen = false
    for index in 0..<3000 {
      queue.add(reading(index))
      if index % 7 == 0 { flush(queue) }
    }
    flush(queue)
    #expect(queue.waiting == 3000 && queue.dropped == 0)
    broker.isOpen = true
    for _ in 0..<200 where queue.waiting > 0 {
      queue.add(reading(1))
      flush(queue)
      #expect(broker.numbers.count <= GatewayQueue.mostInFlight)
      acknowledge(queue)
      if queue.delivered >= 3000 { break }
    }
    while queue.waiting > 0 {
      flush(queue)
      acknowledge(queue)
    }
    let numbers = try broker.readings()
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(numbers.count == queue.delivered && numbers.prefix(3000).elementsEqual(1...3000))
  }

  @Test("What was on its way when the connection was lost is sent again")
  func lostConnection() throws {
    let queue = try queue()
    for index in 0..<10 { queue.add(reading(index)) }
    flush(queue)
    queue.acknowledged(broker.numbers[0])
    broker.numbers = []
    broker.received = []
    queue.disconnected()
    #expect(queue.waiting == 9)
    flush(queue)
    #expect(try broker.readings() == Array(2...10))
    acknowledge(queue)
    #expect(queue.waiting == 0 && queue.delivered == 10 && queue.dropped == 0)
  }

  @Test("A restart sends what the last process left")
  func restart() throws {
    var queue: GatewayQueue? = try queue()
    broker.isOpen = false
    for index in 0..<10 { queue?.add(reading(index)) }
    queue.map(flush)
    queue = nil
    broker.isOpen = true
    let next = try self.queue()
    flush(next)
    #expect(try broker.readings() == Array(1...10))
  }

  @Test("Without a store, and with too many readings, losses are counted")
  func losses() throws {
    let queue = try queue(hasStore: false)
    broker.isOpen = false
    for index in 0..<(GatewayQueue.mostPending + 5) { queue.add(reading(index)) }
    #expect(queue.dropped == 5)
    flush(queue)
    #expect(queue.dropped == GatewayQueue.mostPending + 5 && queue.waiting == 0)
  }
}
