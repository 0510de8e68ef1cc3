import NearbyFiles

/// A gateway's readings on their way to the broker: numbered, put together into messages, and stored while the broker
/// can't take them.
///
/// **Invariants:** messages leave in the order of their readings; a stored message is removed when the broker
/// acknowledged it; at most as many as its maker says wait for that. Readings in memory are bounded by `mostPending`.
package final class GatewayQueue {
  /// A message to publish.
  package typealias Message = MessageStore.Message

  private struct Flight {
    var number: Int32
    var message: Message
    var isStored: Bool
    var isDone = false
  }

  private let site: String
  private let device: String
  private let store: MessageStore?
  private var nextNumber: UInt64
  private var pending: [GatewayReading] = []
  private var flights: [Flight] = []
  /// Readings that were lost, because there was no room in memory and no store, or the store failed.
  package private(set) var lost = 0
  /// Readings that the broker acknowledged.
  package private(set) var delivered = 0
  package private(set) var failure: FileFailure?

  /// Messages that wait for an acknowledgement, unless the maker says otherwise.
  package static let mostInFlight = 64
  private let mostInFlight: Int
  package static let mostPending = 20_000
  /// Readings in one message.
  package static let mostTogether = 100

  /// - Parameters:
  ///   - firstNumber: Of the readings; greater than any that this gateway sent before, such as the present in
  ///     microseconds.
  ///   - store: `nil` drops readings while there is no broker.
  ///   - mostInFlight: Messages that may wait for the broker's acknowledgement.
  package init(
    site: String, device: String, firstNumber: UInt64, store: MessageStore?, mostInFlight: Int = mostInFlight
  ) {
    self.mostInFlight = mostInFlight
    self.site = site
    self.device = device
    self.store = store
    nextNumber = firstNumber
  }

  /// Readings that wait: in memory, on their way, or on disk.
  package var waiting: Int {
    pending.count + flights.reduce(0) { $0 + ($1.isStored ? 0 : $1.message.readings) }
      + (store?.readings ?? 0)
  }
  package var dropped: Int { lost + (store?.dropped ?? 0) }

  package func add(_ reading: GatewayReading) {
    guard pending.count < Self.mostPending else {
      lost += 1
      return
    }
    var reading = reading
    reading.number = nextNumber
    nextNumber &+= 1
    pending.append(reading)
  }

  /// Sends what waits, or stores it.
  ///
  /// - Parameter publish: Sends a message and returns its number; `nil` if there is no connection.
  package func flush(_ publish: (Message) -> Int32?) {
    var isOpen = sendStored(publish)
    for message in takeMessages() {
      if isOpen, flights.count < mostInFlight, (store?.count ?? 0) == 0, let number = publish(message) {
        flights.append(Flight(number: number, message: message, isStored: false))
        continue
      }
      isOpen = false
      keep(message)
    }
  }

  /// The pending readings as messages: runs of one kind, in their order.
  private func takeMessages() -> [Message] {
    var messages: [Message] = []
    var run: [GatewayReading] = []
    func close() {
      guard let kind = run.first?.kind else { return }
      let topic = ReadingTopic.text(site: site, device: device, kind)
      messages.append(Message(topic: topic, payload: ReadingText.text(run), readings: run.count))
      run.removeAll(keepingCapacity: true)
    }
    for reading in pending {
      if run.count == Self.mostTogether || run.first.map({ $0.kind != reading.kind }) ?? false { close() }
      run.append(reading)
    }
    close()
    pending.removeAll(keepingCapacity: true)
    return messages
  }

  /// - Returns: Whether more can be sent.
  private func sendStored(_ publish: (Message) -> Int32?) -> Bool {
    guard let store else { return true }
    while flights.count < mostInFlight, let message = store.next() {
      guard let number = publish(message) else {
        // Everything that is not acknowledged is read again.
        flights.removeAll { $0.isStored }
        store.rewind()
        return false
      }
      flights.append(Flight(number: number, message: message, isStored: true))
    }
    return flights.count < mostInFlight
  }

  private func keep(_ message: Message) {
    guard let store else {
      lost += message.readings
      return
    }
    do throws(FileFailure) {
      try store.append(message)
      failure = nil
    } catch {
      failure = error
      lost += message.readings
    }
  }

  /// The broker has a message.
  package func acknowledged(_ number: Int32) {
    guard let index = flights.firstIndex(where: { $0.number == number && !$0.isDone }) else { return }
    flights[index].isDone = true
    delivered += flights[index].message.readings
    while let first = flights.first, first.isDone {
      flights.removeFirst()
      if first.isStored { store?.removeOldest(1) }
    }
  }

  /// The connection ended: what was not acknowledged is stored, behind what is stored already.
  package func disconnected() {
    let open = flights.filter { !$0.isDone && !$0.isStored }
    flights = []
    store?.rewind()
    for flight in open { keep(flight.message) }
  }
}
