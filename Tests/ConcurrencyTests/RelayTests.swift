import NearbyConcurrency
import Synchronization
import Testing

@Suite("Relays and weak boxes")
struct RelayTests {
  final class Owner: Sendable {
    let events = Mutex<[Int]>([])
  }

  @Test("Early events are delivered later, in order, and before events that arrive in the meantime")
  func early() {
    let owner = Owner()
    let later = Guarded<[@Sendable () -> Void]>([])
    let relay = Relay<Owner, Int>(holdingEarlyEventsFor: { work in later.withLock { $0.append(work) } }) {
      relay, event in
      relay.owner?.events.withLock { $0.append(event) }
      if event == 1 { relay.received(3) }
    }
    relay.received(1)
    relay.received(2)
    relay.attach(owner)
    #expect(owner.events.withLock { $0 } == [])
    // Taken out, because the relay holds what holds them.
    for work in later.withLock({ work in
      defer { work = [] }; return work
    }) { work() }
    relay.received(4)
    #expect(owner.events.withLock { $0 } == [1, 2, 3, 4])
  }

  @Test("Without a way to deliver early events they are dropped")
  func dropped() {
    let owner = Owner()
    let relay = Relay<Owner, Int> { relay, event in relay.owner?.events.withLock { $0.append(event) } }
    relay.received(1)
    relay.attach(owner)
    relay.received(2)
    #expect(owner.events.withLock { $0 } == [2])
  }

  @Test("Neither a relay nor a box retains its object")
  func letsGo() {
    let relay = Relay<Owner, Int> { _, _ in }
    var owner: Owner? = Owner()
    let box = WeakBox(owner)
    if let owner { relay.attach(owner) }
    #expect(relay.owner != nil)
    #expect(box.object != nil)
    owner = nil
    #expect(relay.owner == nil)
    #expect(box.object == nil)
  }
}
