import Combine
import Testing

@Suite("Throwing, coding, buffering and collecting operators", .timeLimit(.minutes(1)))
struct MoreOperatorTests {
  private let numbers = (1...4).publisher

  @Test("An error thrown in a closure fails the publisher, after the values before it")
  func throwing() {
    func check(_ value: Int) throws -> Int {
      if value == 3 { throw Trouble() }
      return value
    }
    #expect(
      numbers.tryScan(0) { $0 + (try check($1)) }.recorded == ["subscribed", "1", "3", "failed trouble"])
    #expect(numbers.tryReduce(0) { $0 + (try check($1)) }.recorded == ["subscribed", "failed trouble"])
    #expect(numbers.tryReduce(0) { $0 + $1 }.recorded == ["subscribed", "10", "finished"])
    #expect(numbers.tryFirst { try check($0) == 2 }.recorded == ["subscribed", "2", "finished"])
    #expect(numbers.tryLast { try check($0) == 2 }.recorded == ["subscribed", "failed trouble"])
    #expect(numbers.tryPrefix { try check($0) < 9 }.recorded == ["subscribed", "1", "2", "failed trouble"])
    #expect(numbers.tryDrop { try check($0) < 2 }.recorded == ["subscribed", "2", "3", "4", "finished"])
    #expect(numbers.tryAllSatisfy { try check($0) < 2 }.recorded == ["subscribed", "false", "finished"])
    #expect(numbers.tryContains { try check($0) == 9 }.recorded == ["subscribed", "failed trouble"])
    #expect(
      [1, 1, 2].publisher.tryRemoveDuplicates { $0 == $1 }.recorded == ["subscribed", "1", "2", "finished"])
  }

  @Test("tryCatch replaces a failed publisher, or fails with the error that its closure throws")
  func catching() {
    let failing = Fail<Int, Trouble>(error: Trouble())
    #expect(failing.tryCatch { _ in Just(7) }.recorded == ["subscribed", "7", "finished"])
    #expect(
      failing.tryCatch { error -> Just<Int> in throw error }.recorded == ["subscribed", "failed trouble"])
  }

  @Test("encode and decode preserve values; data that can't be decoded fails")
  func coding() throws {
    struct Move: Codable, Equatable { var square: Int }
    let there = [Move(square: 3)].publisher.encode(encoder: JSONEncoder())
    var back: [Move] = []
    let tie = there.decode(type: Move.self, decoder: JSONDecoder())
      .sink(receiveCompletion: { _ in }, receiveValue: { back.append($0) })
    tie.cancel()
    #expect(back == [Move(square: 3)])
    let wrong = Just(Data("no".utf8)).decode(type: Move.self, decoder: JSONDecoder()).recorded
    #expect(wrong.count == 2)
    #expect(wrong.last?.hasPrefix("failed") == true)
  }

  @Test("collect(.byTimeOrCount) sends an array per interval or count, and the rest on completion")
  func collecting() {
    let clock = HandClock()
    let subject = PassthroughSubject<Int, Trouble>()
    let recorder = CombineRecorder<[Int], Trouble>()
    subject.collect(.byTimeOrCount(clock, 1, 3)).receive(subscriber: recorder)
    subject.send(1)
    subject.send(2)
    clock.advance(by: 1.5)
    clock.advance(by: 1)
    for value in 3...6 { subject.send(value) }
    #expect(recorder.history == ["subscribed", "[1, 2]", "[3, 4, 5]"])
    subject.send(completion: .finished)
    #expect(recorder.history.suffix(2) == ["[6]", "finished"])
  }

  @Test("measureInterval uses the scheduler's clock")
  func intervals() {
    let clock = HandClock()
    let subject = PassthroughSubject<Int, Trouble>()
    var spans: [Double] = []
    let tie = subject.measureInterval(using: clock)
      .sink(receiveCompletion: { _ in }, receiveValue: { spans.append($0.timeInterval) })
    clock.advance(by: 2)
    subject.send(1)
    clock.advance(by: 0.5)
    subject.send(2)
    tie.cancel()
    #expect(spans == [2, 0.5])
  }

  @Test("A full buffer drops the newest value, drops the oldest one, or fails")
  func buffering() {
    func history(_ whenFull: Publishers.BufferingStrategy<Trouble>) -> [String] {
      let source = CombineSource<Int>()
      let recorder = CombineRecorder<Int, Trouble>(.max(1))
      source.buffer(size: 2, prefetch: .keepFull, whenFull: whenFull).receive(subscriber: recorder)
      for value in 1...5 { source.send(value) }
      recorder.request(.unlimited)
      source.finish()
      return recorder.history
    }
    #expect(history(.dropNewest) == ["subscribed", "1", "2", "3", "finished"])
    #expect(history(.dropOldest) == ["subscribed", "1", "4", "5", "finished"])
    #expect(history(.customError(Trouble.init)) == ["subscribed", "1", "failed trouble"])
  }

  @Test("prefix and drop (untilOutputFrom:) stop and start with another publisher's value")
  func gates() {
    let (subject, gate) = (PassthroughSubject<Int, Trouble>(), PassthroughSubject<Void, Trouble>())
    let (until, from) = (CombineRecorder<Int, Trouble>(), CombineRecorder<Int, Trouble>())
    subject.prefix(untilOutputFrom: gate).receive(subscriber: until)
    subject.drop(untilOutputFrom: gate).receive(subscriber: from)
    subject.send(1)
    gate.send()
    subject.send(2)
    #expect(until.history == ["subscribed", "1", "finished"])
    #expect(from.history == ["subscribed", "2"])
  }

  @Test("zip, merge and combineLatest join up to four publishers; append, prepend, min and max work")
  func joins() {
    let (a, b) = ([1, 2].publisher, ["x", "y"].publisher)
    #expect(
      a.zip(b, a, b).map { "\($0.0)\($0.1)\($0.2)\($0.3)" }.recorded
        == ["subscribed", "1x1x", "2y2y", "finished"])
    #expect(Publishers.Zip3(a, b, a).map { $0.2 }.recorded == ["subscribed", "1", "2", "finished"])
    #expect(Publishers.Merge3(a, a, a).count().recorded == ["subscribed", "6", "finished"])
    #expect(
      Publishers.CombineLatest4(a, b, a, b).map { "\($0.0)\($0.1)\($0.2)\($0.3)" }.last().recorded
        == ["subscribed", "2y2y", "finished"])
    #expect(a.append([3, 4]).prepend([0]).recorded == ["subscribed", "0", "1", "2", "3", "4", "finished"])
    #expect([3, 1, 2].publisher.min().recorded == ["subscribed", "1", "finished"])
    #expect([3, 1, 2].publisher.max().recorded == ["subscribed", "3", "finished"])
  }

  @Test("A future's value can be awaited, and its failure is thrown")
  func futures() async throws {
    #expect(await Future<Int, Never> { $0(.success(4)) }.value == 4)
    await #expect(throws: Trouble.self) { try await Future<Int, Trouble> { $0(.failure(Trouble())) }.value }
  }
}
