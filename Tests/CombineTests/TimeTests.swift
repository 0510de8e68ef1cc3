import Combine
import Dispatch
import Testing

/// A scheduler whose time the test advances.
final class HandClock: Scheduler {
  typealias SchedulerTimeType = DateTime
  struct SchedulerOptions {}
  private(set) var now = DateTime(Date(timeIntervalSinceReferenceDate: 0))
  private var waiting: [(at: DateTime, number: Int, body: () -> Void)] = []
  private var count = 0
  var minimumTolerance: SecondsStride { 0 }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { add(now, action) }
  func schedule(
    after date: DateTime, tolerance: SecondsStride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) { add(date, action) }
  func schedule(
    after date: DateTime, interval: SecondsStride, tolerance: SecondsStride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    add(date, action)
    return AnyCancellable {}
  }

  private func add(_ date: DateTime, _ body: @escaping () -> Void) {
    count += 1
    waiting.append((date, count, body))
  }

  func advance(by seconds: Double) {
    let end = now.advanced(by: SecondsStride(seconds))
    while let next = waiting.filter({ $0.at <= end }).min(by: { ($0.at, $0.number) < ($1.at, $1.number) }) {
      waiting.removeAll { $0.number == next.number }
      now = max(now, next.at)
      next.body()
    }
    now = end
  }
}

@Suite("Time-based operators", .timeLimit(.minutes(1)))
struct TimeTests {
  private let clock = HandClock()
  private let subject = PassthroughSubject<Int, Trouble>()
  private let recorder = CombineRecorder<Int, Trouble>()

  @Test("subscribe(on:) subscribes, requests and cancels on the scheduler; values arrive directly")
  func subscribeOn() {
    let source = CombineSource<Int>()
    let recorder = CombineRecorder<Int, Trouble>(.max(1))
    source.subscribe(on: clock).receive(subscriber: recorder)
    #expect(recorder.history.isEmpty)
    clock.advance(by: 0)
    #expect(recorder.history == ["subscribed"] && source.history == ["max(1)"])
    source.send(1)
    #expect(recorder.history == ["subscribed", "1"])
    recorder.request(.max(2))
    #expect(source.history == ["max(1)"])
    clock.advance(by: 0)
    #expect(source.history == ["max(1)", "max(2)"])
    recorder.cancel()
    source.send(2)
    #expect(recorder.history == ["subscribed", "1"])
    #expect(source.history == ["max(1)", "max(2)"])
    clock.advance(by: 0)
    #expect(source.history == ["max(1)", "max(2)", "cancel"])
  }

  @Test("A completion passes subscribe(on:) directly, and nothing is requested or cancelled after it")
  func subscribeOnCompletion() {
    let source = CombineSource<Int>()
    source.subscribe(on: clock).receive(subscriber: recorder)
    clock.advance(by: 0)
    recorder.request(.max(2))
    source.finish()
    #expect(recorder.history == ["subscribed", "finished"])
    clock.advance(by: 0)
    recorder.cancel()
    clock.advance(by: 0)
    #expect(source.history == ["unlimited"])
  }

  @Test("debounce sends a value that no other value followed within the interval")
  func debounce() {
    subject.debounce(for: 1, scheduler: clock).receive(subscriber: recorder)
    subject.send(1)
    clock.advance(by: 0.5)
    subject.send(2)
    clock.advance(by: 0.9)
    #expect(recorder.history == ["subscribed"])
    clock.advance(by: 0.2)
    #expect(recorder.history == ["subscribed", "2"])
    clock.advance(by: 5)
    subject.send(3)
    clock.advance(by: .init(1))
    #expect(recorder.history == ["subscribed", "2", "3"])
  }

  @Test("throttle sends one value per interval, the first or the newest", arguments: [true, false])
  func throttle(latest: Bool) {
    subject.throttle(for: 1, scheduler: clock, latest: latest).receive(subscriber: recorder)
    subject.send(1)
    subject.send(2)
    subject.send(3)
    clock.advance(by: 1)
    clock.advance(by: 5)
    subject.send(4)
    #expect(recorder.history == ["subscribed", "1", latest ? "3" : "2", "4"])
  }

  @Test("delay keeps values and completion in order; cancelling receive(on:) drops a scheduled value")
  func delay() {
    subject.delay(for: 2, scheduler: clock).receive(subscriber: recorder)
    subject.send(1)
    clock.advance(by: 1)
    subject.send(2)
    subject.send(completion: .finished)
    clock.advance(by: 1)
    #expect(recorder.history == ["subscribed", "1"])
    clock.advance(by: 1)
    #expect(recorder.history == ["subscribed", "1", "2", "finished"])
    let other = CombineRecorder<Int, Never>()
    Just(1).receive(on: clock).receive(subscriber: other)
    other.cancel()
    clock.advance(by: 1)
    #expect(other.history == ["subscribed"])
  }

  @Test("timeout fails a publisher that sends nothing for the interval")
  func timeout() {
    subject.timeout(1, scheduler: clock, customError: { Trouble() }).receive(subscriber: recorder)
    clock.advance(by: 0.9)
    subject.send(1)
    clock.advance(by: 0.9)
    subject.send(2)
    clock.advance(by: 1.1)
    subject.send(3)
    #expect(recorder.history == ["subscribed", "1", "2", "failed trouble"])
  }

  @Test("receive(on:) with a dispatch queue delivers on that queue, in order")
  func queue() async {
    let queue = DispatchQueue(label: "combine")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let values: [Int] = await withCheckedContinuation { continuation in
      let gathered = Guard([Int]())
      let tie = Guard<AnyCancellable?>(nil)
      tie.value = (1...100).publisher.receive(on: queue).sink { _ in
        continuation.resume(returning: gathered.value)
        tie.value = nil
      } receiveValue: {
        if DispatchQueue.getSpecific(key: key) == true { gathered.value.append($0) }
      }
    }
    #expect(values == Array(1...100))
  }

  @Test("A notification publisher sends matching notifications until it is cancelled")
  func notifications() {
    let center = NotificationCenter()
    let name = Notification.Name("combine")
    var heard: [Int] = []
    let tie = center.publisher(for: name).compactMap { $0.userInfo?["n"] as? Int }.sink { heard.append($0) }
    center.post(name: name, object: nil, userInfo: ["n": 1])
    center.post(name: .init("other"), object: nil, userInfo: ["n": 2])
    tie.cancel()
    center.post(name: name, object: nil, userInfo: ["n": 3])
    #expect(heard == [1])
  }

  @Test("A timer publisher fires on its run loop")
  func timer() {
    var count = 0
    let tie = Timer.publish(every: 0.001, on: .current, in: .default).autoconnect().sink { _ in count += 1 }
    let giveUp = Date(timeIntervalSinceNow: 30)
    while count < 3, Date() < giveUp {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
    #expect(count >= 3)
    tie.cancel()
  }

  @Test("A publisher's values can be iterated with for await")
  func values() async throws {
    var all: [Int] = []
    for await value in (1...4).publisher.values { all.append(value) }
    #expect(all == [1, 2, 3, 4])
    let failing = [1, 2].publisher.setFailureType(to: Trouble.self).append(Fail(error: Trouble()))
    await #expect(throws: Trouble.self) {
      for try await value in failing.values { all.append(value) }
    }
    #expect(all == [1, 2, 3, 4, 1, 2])
  }
}

/// A value that several closures share. Only one thread at a time uses it.
final class Guard<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
