import Combine
import Testing

/// Apps name the operators' types in properties and results; the operators return Apple's types.
@Suite("The operators' types have Apple's names")
struct TypeNameTests {
  private typealias Numbers = PassthroughSubject<Int, Never>
  private let a = Numbers()
  private let b = Numbers()
  private let c = Numbers()
  private let d = Numbers()

  @Test("Merge and its kin, made by name or by operator")
  func merge() {
    let text = a.map { "\($0)" }
    let two: Publishers.Merge<Publishers.Map<Numbers, String>, Just<String>> = text.merge(with: Just("x"))
    #expect(two.b.output == "x")
    let many: Publishers.MergeMany<Numbers> = a.merge(with: b)
    let three: Publishers.Merge3<Numbers, AnyPublisher<Int, Never>, Just<Int>> = a.merge(
      with: b.eraseToAnyPublisher(), Just(0))
    let four: Publishers.Merge4<Numbers, AnyPublisher<Int, Never>, Just<Int>, Empty<Int, Never>> =
      three.merge(
        with: Empty())
    let eight: Publishers.Merge8<Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Just<Int>> =
      Publishers.Merge3(a, b, c).merge(with: d, a, b, c).merge(with: Just(9))
    let recorders = [
      record(many), record(Publishers.MergeMany([a, b, c])),
      record(Publishers.MergeMany(a, b).merge(with: c)),
      record(four), record(Publishers.Merge(a, b)), record(eight),
    ]
    a.send(1)
    b.send(2)
    c.send(3)
    d.send(4)
    for subject in [a, b, c, d] { subject.send(completion: .finished) }
    #expect(recorders[0].history == ["subscribed", "1", "2", "finished"])
    #expect(recorders[1].history == ["subscribed", "1", "2", "3", "finished"])
    #expect(recorders[2].history == recorders[1].history)
    #expect(recorders[3].history == ["subscribed", "0", "1", "2", "finished"])
    #expect(recorders[4].history == recorders[0].history)
    #expect(recorders[5].history == ["subscribed", "9", "1", "1", "2", "2", "3", "3", "4", "finished"])
    #expect(record(Publishers.MergeMany([Numbers]())).history == ["subscribed", "finished"])
  }

  @Test("Merge takes two to eight publishers")
  func mergeCounts() {
    func just(_ value: Int) -> Just<Int> { Just(value) }
    let one = Publishers.Merge(just(1), just(2))
    #expect(one.merge(with: just(3), just(4), just(5)).recorded.count == 7)
    #expect(Publishers.Merge5(just(1), just(2), just(3), just(4), just(5)).recorded.count == 7)
    #expect(Publishers.Merge6(just(1), just(2), just(3), just(4), just(5), just(6)).recorded.count == 8)
    let seven:
      Publishers.Merge7<Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>, Just<Int>> =
        just(1).merge(with: just(2), just(3), just(4), just(5), just(6), just(7))
    #expect(seven.recorded == ["subscribed", "1", "2", "3", "4", "5", "6", "7", "finished"])
  }

  @Test("A failure ends a merge")
  func failure() {
    let failing = Fail<Int, Trouble>(error: Trouble())
    let merged = Publishers.Merge(CombineSource<Int>(), failing)
    #expect(merged.recorded == ["subscribed", "failed trouble"])
  }

  @Test("CombineLatest of two, three and four")
  func latest() {
    let two: Publishers.CombineLatest<Numbers, Numbers> = a.combineLatest(b)
    let three: Publishers.CombineLatest3<Numbers, Numbers, Numbers> = a.combineLatest(b, c)
    let four = Publishers.CombineLatest4(a, b, c, d)
    let sum: Publishers.Map<Publishers.CombineLatest4<Numbers, Numbers, Numbers, Numbers>, Int> =
      a.combineLatest(b, c, d) { $0 + $1 + $2 + $3 }
    let recorders = [record(two.map(+)), record(three.map { $0 + $1 + $2 }), record(sum)]
    let tuples = record(four)
    for (number, subject) in [a, b, c, d, a].enumerated() { subject.send(number + 1) }
    #expect(recorders[0].history == ["subscribed", "3", "7"])
    #expect(recorders[1].history == ["subscribed", "6", "10"])
    #expect(recorders[2].history == ["subscribed", "10", "14"])
    #expect(tuples.history == ["subscribed", "(1, 2, 3, 4)", "(5, 2, 3, 4)"])
  }

  @Test("Zip of two, three and four")
  func zip() {
    let two: Publishers.Zip<Numbers, Numbers> = a.zip(b)
    let three: Publishers.Zip3<Numbers, Numbers, Numbers> = a.zip(b, c)
    let four: Publishers.Zip4<Numbers, Numbers, Numbers, Numbers> = a.zip(b, c, d)
    let sum: Publishers.Map<Publishers.Zip3<Numbers, Numbers, Numbers>, Int> = a.zip(b, c) { $0 + $1 + $2 }
    let histories = [record(two.map(+)), record(sum)]
    let tuples = (record(three), record(four), record(Publishers.Zip4(a, b, c, d)))
    for round in [0, 10] {
      for (number, subject) in [a, b, c, d].enumerated() { subject.send(round + number) }
    }
    a.send(completion: .finished)
    #expect(histories[0].history == ["subscribed", "1", "21", "finished"])
    #expect(histories[1].history == ["subscribed", "3", "33", "finished"])
    #expect(tuples.0.history == ["subscribed", "(0, 1, 2)", "(10, 11, 12)", "finished"])
    #expect(tuples.1.history == ["subscribed", "(0, 1, 2, 3)", "(10, 11, 12, 13)", "finished"])
    #expect(tuples.2.history == tuples.1.history)
  }

  @Test("First, FirstWhere, Last and LastWhere")
  func firstAndLast() {
    let numbers = [1, 2, 3, 4].publisher
    let first: Publishers.FirstWhere<Publishers.Sequence<[Int], Never>> = numbers.first { $0 > 2 }
    let last: Publishers.LastWhere<Publishers.Sequence<[Int], Never>> = numbers.last { $0 < 4 }
    #expect(first.recorded == ["subscribed", "3", "finished"])
    #expect(last.recorded == ["subscribed", "3", "finished"])
    #expect(first.predicate(3) && !first.predicate(2))
    #expect(Publishers.First(upstream: numbers).recorded == ["subscribed", "1", "finished"])
    #expect(Publishers.Last(upstream: numbers).recorded == ["subscribed", "4", "finished"])
    #expect(numbers.first { $0 > 9 }.recorded == ["subscribed", "finished"])
    let subject = Numbers()
    let recorder = record(Publishers.FirstWhere(upstream: subject) { $0 > 1 })
    for number in 1...3 { subject.send(number) }
    #expect(recorder.history == ["subscribed", "2", "finished"])
  }

  @Test("One publisher after another: FlatMap, SwitchToLatest, Catch and Concatenate")
  func oneAfterAnother() {
    let flat: Publishers.FlatMap<Just<String>, Numbers> = a.flatMap { Just("\($0)!") }
    let latest: Publishers.SwitchToLatest<Numbers, Publishers.Map<Numbers, Numbers>> =
      b.map { $0 == 1 ? self.c : self.d }.switchToLatest()
    let longer: Publishers.Concatenate<Publishers.Sequence<[Int], Never>, Numbers> = a.prepend(0)
    let histories = (record(flat), record(latest), record(longer))
    a.send(1)
    b.send(1)
    c.send(2)
    b.send(2)
    c.send(3)
    d.send(4)
    #expect(histories.0.history == ["subscribed", "1!"])
    #expect(histories.1.history == ["subscribed", "2", "4"])
    #expect(histories.2.history == ["subscribed", "0", "1"])
    let failing = Fail<Int, Trouble>(error: Trouble())
    let caught: Publishers.Catch<Fail<Int, Trouble>, Just<Int>> = failing.catch { _ in Just(5) }
    #expect(caught.recorded == ["subscribed", "5", "finished"])
    let added: Publishers.Concatenate<Just<Int>, Publishers.Sequence<[Int], Never>> = Just(1).append(2, 3)
    #expect(added.recorded == ["subscribed", "1", "2", "3", "finished"])
    #expect(Just(1).append([2]).prepend([0]).recorded == ["subscribed", "0", "1", "2", "finished"])
  }

  @Test("FlatMap joins publishers that can fail with others that cannot")
  func flatMapFailures() {
    let failing: Publishers.FlatMap<Fail<Int, Trouble>, Publishers.SetFailureType<Just<Int>, Trouble>> =
      Just(1).flatMap { _ in Fail(error: Trouble()) }
    #expect(failing.recorded == ["subscribed", "failed trouble"])
    let both: Publishers.FlatMap<Just<Int>, Just<Int>> = Just(1).flatMap { Just($0 + 1) }
    #expect(both.recorded == ["subscribed", "2", "finished"])
    let source = CombineSource<Int>()
    let inner: Publishers.FlatMap<Publishers.SetFailureType<Just<Int>, Trouble>, CombineSource<Int>> =
      source.flatMap { Just($0 * 2) }
    let recorder = record(inner)
    source.send(4)
    source.fail()
    #expect(recorder.history == ["subscribed", "8", "failed trouble"])
  }

  @Test("Share, Retry, ReplaceError and Drop")
  func others() {
    let shared: Publishers.Share<Numbers> = a.share()
    let histories = (record(shared), record(shared), record(shared.dropFirst()))
    a.send(1)
    a.send(2)
    #expect(histories.0.history == ["subscribed", "1", "2"] && histories.1.history == histories.0.history)
    #expect(histories.2.history == ["subscribed", "2"])
    #expect(shared == shared && shared != a.share())
    let dropped: Publishers.Drop<Publishers.Sequence<[Int], Never>> = [1, 2, 3].publisher.dropFirst(2)
    #expect(dropped.count == 2 && dropped.recorded == ["subscribed", "3", "finished"])
    let failing = Just(1).setFailureType(to: Trouble.self).append(Fail(error: Trouble()))
    #expect(Publishers.Retry(upstream: failing, retries: 1).recorded == failing.retry(1).recorded)
    #expect(failing.retry(1).recorded == ["subscribed", "1", "1", "failed trouble"])
    let replaced: Publishers.ReplaceError<Fail<Int, Trouble>> = Fail(error: Trouble()).replaceError(with: 7)
    #expect(replaced.recorded == ["subscribed", "7", "finished"])
  }

  @Test("In time: ReceiveOn, SubscribeOn, Delay, Debounce and Throttle")
  func inTime() {
    let clock = HandClock()
    let received: Publishers.ReceiveOn<Numbers, HandClock> = a.receive(on: clock)
    let subscribed: Publishers.SubscribeOn<Numbers, HandClock> = a.subscribe(on: clock)
    let delayed: Publishers.Delay<Numbers, HandClock> = a.delay(for: 2, scheduler: clock)
    let debounced: Publishers.Debounce<Numbers, HandClock> = a.debounce(for: .seconds(1), scheduler: clock)
    let throttled: Publishers.Throttle<Numbers, HandClock> = a.throttle(
      for: 1, scheduler: clock, latest: true)
    let recorders = [
      record(received), record(subscribed), record(delayed), record(debounced), record(throttled),
    ]
    clock.advance(by: 0)
    a.send(1)
    a.send(2)
    #expect(recorders.map(\.history.count) == [1, 3, 1, 1, 2])
    clock.advance(by: 1)
    #expect(recorders.map(\.history.count) == [3, 3, 1, 2, 3])
    clock.advance(by: 1)
    #expect(recorders[2].history == ["subscribed", "1", "2"])
    #expect(recorders[3].history == ["subscribed", "2"])
    #expect(debounced.dueTime == 1 && delayed.interval == 2 && throttled.latest)
  }

  /// Subscribes a recorder that requests everything.
  private func record<P: Publisher>(_ publisher: P) -> CombineRecorder<P.Output, P.Failure> {
    let recorder = CombineRecorder<P.Output, P.Failure>()
    publisher.receive(subscriber: recorder)
    return recorder
  }
}
