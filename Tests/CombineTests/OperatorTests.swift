import Combine
import Testing

@Suite("Operators")
struct OperatorTests {
  private let numbers = (1...5).publisher

  @Test("Operators on one publisher send the expected values")
  func single() {
    #expect(numbers.map { $0 * 2 }.recorded == ["subscribed", "2", "4", "6", "8", "10", "finished"])
    #expect(numbers.filter { $0.isMultiple(of: 2) }.recorded == ["subscribed", "2", "4", "finished"])
    #expect(
      numbers.compactMap { $0 > 3 ? "\($0)!" : nil }.recorded == ["subscribed", "4!", "5!", "finished"])
    #expect(
      [1, 1, 2, 2, 1].publisher.removeDuplicates().recorded == ["subscribed", "1", "2", "1", "finished"])
    #expect(numbers.scan(0, +).recorded == ["subscribed", "1", "3", "6", "10", "15", "finished"])
    #expect(numbers.reduce(0, +).recorded == ["subscribed", "15", "finished"])
    #expect(numbers.collect().recorded == ["subscribed", "[1, 2, 3, 4, 5]", "finished"])
    #expect(numbers.collect(2).recorded == ["subscribed", "[1, 2]", "[3, 4]", "[5]", "finished"])
    #expect(numbers.first().recorded == ["subscribed", "1", "finished"])
    #expect(numbers.first { $0 > 2 }.recorded == ["subscribed", "3", "finished"])
    #expect(numbers.last().recorded == ["subscribed", "5", "finished"])
    #expect(numbers.prefix(2).recorded == ["subscribed", "1", "2", "finished"])
    #expect(numbers.prefix { $0 < 3 }.recorded == ["subscribed", "1", "2", "finished"])
    #expect(numbers.dropFirst(3).recorded == ["subscribed", "4", "5", "finished"])
    #expect(numbers.drop { $0 < 4 }.recorded == ["subscribed", "4", "5", "finished"])
    #expect(numbers.count().recorded == ["subscribed", "5", "finished"])
    #expect(numbers.contains(3).recorded == ["subscribed", "true", "finished"])
    #expect(numbers.allSatisfy { $0 < 9 }.recorded == ["subscribed", "true", "finished"])
    #expect(numbers.ignoreOutput().recorded == ["subscribed", "finished"])
    #expect(numbers.output(at: 1).recorded == ["subscribed", "2", "finished"])
    #expect(Empty<Int, Never>().replaceEmpty(with: 7).recorded == ["subscribed", "7", "finished"])
    #expect([1, nil].publisher.replaceNil(with: 0).recorded == ["subscribed", "1", "0", "finished"])
  }

  @Test("filter requests a replacement for a dropped value; first(where:) cancels after its value")
  func demand() {
    let source = CombineSource<Int>()
    let recorder = CombineRecorder<Int, Trouble>(.max(1))
    source.filter { $0 > 1 }.receive(subscriber: recorder)
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .none)
    #expect(source.history == ["max(1)"])
    recorder.cancel()
    source.send(3)
    #expect(source.history == ["max(1)", "cancel"])
    #expect(recorder.history == ["subscribed", "2"])

    let other = CombineSource<Int>()
    let first = CombineRecorder<Int, Trouble>()
    other.first { $0 == 2 }.receive(subscriber: first)
    other.send(1)
    other.send(2)
    other.send(2)
    other.finish()
    #expect(first.history == ["subscribed", "2", "finished"])
    #expect(other.history == ["unlimited", "cancel"])
  }

  @Test("A sequence sends as many values as requested, and completes with the last one")
  func sequence() {
    let recorder = CombineRecorder<Int, Never>(.max(2))
    numbers.receive(subscriber: recorder)
    #expect(recorder.history == ["subscribed", "1", "2"])
    recorder.request(.max(1))
    #expect(recorder.history.last == "3")
    recorder.answer = { _ in .max(1) }
    recorder.request(.max(1))
    #expect(recorder.history.suffix(3) == ["4", "5", "finished"])
  }

  @Test("Just, Fail, Result, Optional, Deferred and Future send one value or failure on demand")
  func sources() {
    let just = CombineRecorder<Int, Never>(.none)
    Just(1).receive(subscriber: just)
    #expect(just.history == ["subscribed"])
    just.request(.max(3))
    #expect(just.history == ["subscribed", "1", "finished"])
    #expect(Fail<Int, Trouble>(error: Trouble()).recorded == ["subscribed", "failed trouble"])
    #expect(Result<Int, Trouble>.success(3).publisher.recorded == ["subscribed", "3", "finished"])
    #expect(Optional(4).publisher.recorded == ["subscribed", "4", "finished"])
    #expect(Deferred { Just(5) }.recorded == ["subscribed", "5", "finished"])
    var fulfil: Future<Int, Trouble>.Promise?
    let future = Future<Int, Trouble> { fulfil = $0 }
    let early = CombineRecorder<Int, Trouble>()
    future.receive(subscriber: early)
    fulfil?(.success(1))
    fulfil?(.success(2))
    #expect(early.history == ["subscribed", "1", "finished"])
    #expect(future.recorded == ["subscribed", "1", "finished"])
  }

  @Test("Failures pass through operators, and can be mapped, replaced, caught and retried")
  func failures() {
    let failing = [1, 2].publisher.setFailureType(to: Trouble.self).append(Fail(error: Trouble()))
    #expect(failing.recorded == ["subscribed", "1", "2", "failed trouble"])
    #expect(failing.replaceError(with: 9).recorded == ["subscribed", "1", "2", "9", "finished"])
    #expect(failing.catch { _ in Just(8) }.recorded == ["subscribed", "1", "2", "8", "finished"])
    #expect(failing.retry(1).recorded == ["subscribed", "1", "2", "1", "2", "failed trouble"])
    let mapped = failing.mapError { _ in OtherTrouble() }
    #expect(mapped.recorded.last == "failed OtherTrouble()")
    let tried = numbers.tryMap { value throws -> Int in
      if value == 3 { throw Trouble() }
      return value
    }
    #expect(tried.recorded == ["subscribed", "1", "2", "failed trouble"])
  }
  struct OtherTrouble: Error {}

  @Test("combineLatest, zip and merge combine two publishers")
  func several() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let latest = CombineRecorder<String, Never>()
    a.combineLatest(b).map { "\($0)\($1)" }.receive(subscriber: latest)
    let zipped = CombineRecorder<String, Never>()
    a.zip(b).map { "\($0)\($1)" }.receive(subscriber: zipped)
    let merged = CombineRecorder<String, Never>()
    a.map { "\($0)" }.merge(with: b).receive(subscriber: merged)
    a.send(1)
    a.send(2)
    b.send("x")
    b.send("y")
    a.send(3)
    a.send(completion: .finished)
    b.send("z")
    b.send(completion: .finished)
    #expect(latest.history == ["subscribed", "2x", "2y", "3y", "3z", "finished"])
    #expect(zipped.history == ["subscribed", "1x", "2y", "3z", "finished"])
    #expect(merged.history == ["subscribed", "1", "2", "x", "y", "3", "z", "finished"])
  }

  @Test("merge keeps values without demand, and sends them in order when requested")
  func severalSlowly() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = CombineRecorder<Int, Never>(.none)
    a.merge(with: b).receive(subscriber: recorder)
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(recorder.history == ["subscribed"])
    recorder.request(.max(1))
    #expect(recorder.history == ["subscribed", "1"])
    recorder.request(.max(1))
    #expect(recorder.history == ["subscribed", "1", "2", "finished"])
  }

  @Test("flatMap merges inner publishers up to its limit; switchToLatest keeps only the newest one")
  func flat() {
    #expect(
      numbers.prefix(2).flatMap { [$0, $0 * 10].publisher }.recorded
        == ["subscribed", "1", "10", "2", "20", "finished"])
    let inner = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let source = PassthroughSubject<Int, Never>()
    let all = CombineRecorder<Int, Never>()
    let one = CombineRecorder<Int, Never>()
    let newest = CombineRecorder<Int, Never>()
    source.flatMap { inner[$0] }.receive(subscriber: all)
    source.flatMap(maxPublishers: .max(1)) { inner[$0] }.receive(subscriber: one)
    source.map { inner[$0] }.switchToLatest().receive(subscriber: newest)
    source.send(0)
    inner[0].send(1)
    source.send(1)
    inner[0].send(2)
    inner[1].send(3)
    source.send(completion: .finished)
    inner[0].send(completion: .finished)
    inner[1].send(4)
    inner[1].send(completion: .finished)
    #expect(all.history == ["subscribed", "1", "2", "3", "4", "finished"])
    #expect(one.history == ["subscribed", "1", "2", "finished"])
    #expect(newest.history == ["subscribed", "1", "3", "4", "finished"])
  }

  @Test("share() keeps one upstream subscription from the first subscriber to the last")
  func shared() {
    let source = CombineSource<Int>()
    let shared = source.share()
    let (a, b) = (CombineRecorder<Int, Trouble>(), CombineRecorder<Int, Trouble>())
    shared.receive(subscriber: a)
    shared.receive(subscriber: b)
    source.send(1)
    a.cancel()
    source.send(2)
    b.cancel()
    source.send(3)
    #expect(source.history == ["unlimited", "cancel"])
    #expect(a.history == ["subscribed", "1"])
    #expect(b.history == ["subscribed", "1", "2"])
  }

  @Test("handleEvents reports subscription, requests, values and cancellation")
  func watched() {
    var seen: [String] = []
    let recorder = CombineRecorder<Int, Never>(.max(1))
    numbers.handleEvents(
      receiveSubscription: { _ in seen.append("subscription") }, receiveOutput: { seen.append("\($0)") },
      receiveCancel: { seen.append("cancel") }, receiveRequest: { seen.append("\($0)") }
    ).receive(subscriber: recorder)
    recorder.cancel()
    #expect(seen == ["subscription", "max(1)", "1", "cancel"])
  }

  @Test("Arithmetic with demands gives the same results as Apple's Combine")
  func arithmetic() {
    #expect(Subscribers.Demand.max(2) + 1 == .max(3))
    #expect(Subscribers.Demand.unlimited - 5 == .unlimited)
    #expect(Subscribers.Demand.max(3) + -2 == .max(1))
    #expect(Subscribers.Demand.unlimited + .min == .unlimited)
    #expect(Subscribers.Demand.max(.max) + .max(.max) == .unlimited)
    #expect(Subscribers.Demand.max(1) - .max(3) == .none)
    #expect(Subscribers.Demand.max(1) - -2 == .max(3) && .max(1) - 3 == Subscribers.Demand.none)
    #expect(Subscribers.Demand.max(5) - .unlimited == .none)
    #expect(Subscribers.Demand.unlimited > .max(.max))
    #expect(Subscribers.Demand.unlimited.max == nil)
    #expect(Subscribers.Demand.max(4).description == "max(4)")
    #expect(Subscribers.Demand.max(21) * 2 == .max(42))
    #expect(Subscribers.Demand.max(.max) * 3 == .unlimited)
    #expect(Subscribers.Demand.unlimited * 0 == .unlimited && .unlimited * -1 == Subscribers.Demand.unlimited)
  }

  @Test("Multiplying a demand by a negative number ends the process with a reason")
  func negativeFactor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Subscribers.Demand.max(2) * -3
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("multiplied by -3"))
  }
}
