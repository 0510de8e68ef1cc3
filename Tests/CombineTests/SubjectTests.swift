import Combine
import Testing

@Suite("Subjects and published properties")
struct SubjectTests {
  @Test("A passthrough subject sends each subscriber as many values as it requested")
  func demand() {
    let subject = PassthroughSubject<Int, Never>()
    let slow = CombineRecorder<Int, Never>(.max(1))
    let eager = CombineRecorder<Int, Never>()
    subject.send(0)
    subject.receive(subscriber: slow)
    subject.receive(subscriber: eager)
    subject.send(1)
    subject.send(2)
    slow.request(.max(2))
    subject.send(3)
    slow.answer = { $0 == 4 ? .max(1) : .none }
    subject.send(4)
    subject.send(5)
    subject.send(6)
    subject.send(completion: .finished)
    subject.send(7)
    #expect(slow.history == ["subscribed", "1", "3", "4", "5", "finished"])
    #expect(eager.history == ["subscribed", "1", "2", "3", "4", "5", "6", "finished"])
    let late = CombineRecorder<Int, Never>()
    subject.receive(subscriber: late)
    #expect(late.history == ["subscribed", "finished"])
  }

  @Test("A current value subject sends its value first, and only the newest one after late demand")
  func currentValue() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let slow = CombineRecorder<Int, Never>(.none)
    subject.receive(subscriber: slow)
    #expect(slow.history == ["subscribed"])
    subject.value = 2
    subject.send(3)
    slow.request(.max(1))
    #expect(slow.history == ["subscribed", "3"])
    subject.send(4)
    subject.send(5)
    slow.request(.max(2))
    subject.send(6)
    #expect(slow.history == ["subscribed", "3", "5", "6"])
    #expect(subject.value == 6)
    subject.send(completion: .finished)
    subject.send(7)
    #expect(subject.value == 6)
    #expect(slow.history.last == "finished")
  }

  @Test("A cancelled subscription sends nothing, and releasing its AnyCancellable cancels it")
  func cancellation() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    var ties = Set<AnyCancellable>()
    subject.sink { received.append($0) }.store(in: &ties)
    subject.send(1)
    ties.removeAll()
    subject.send(2)
    let tie = subject.sink { received.append($0) }
    subject.send(3)
    tie.cancel()
    tie.cancel()
    subject.send(4)
    var list: [AnyCancellable] = []
    subject.sink { received.append($0) }.store(in: &list)
    subject.send(5)
    #expect(received == [1, 3, 5])
    list = []
    subject.send(6)
    #expect(received == [1, 3, 5])
  }

  @Test("A value sent during the delivery of another one arrives once, after it")
  func reentrancy() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    let first = subject.sink { value in
      received.append(value)
      if value < 3 { subject.send(value + 1) }
    }
    subject.send(1)
    #expect(received == [1, 2, 3])
    first.cancel()
  }

  @Test("A subscriber that cancels while it receives a value receives no more")
  func cancelInside() {
    let subject = PassthroughSubject<Int, Never>()
    var tie: AnyCancellable?
    var received: [Int] = []
    tie = subject.sink { value in
      received.append(value)
      tie?.cancel()
    }
    subject.send(1)
    subject.send(2)
    #expect(received == [1])
  }

  @Test("A subject subscribed to a publisher forwards its values and its completion")
  func attached() {
    let source = CombineSource<Int>()
    let subject = PassthroughSubject<Int, Trouble>()
    let recorder = CombineRecorder<Int, Trouble>()
    subject.receive(subscriber: recorder)
    let tie = source.subscribe(subject)
    source.send(1)
    source.fail()
    source.send(2)
    #expect(recorder.history == ["subscribed", "1", "failed trouble"])
    #expect(source.history == ["unlimited"])
    tie.cancel()
  }

  final class Model: ObservableObject {
    @Published var name = "a"
    @Published private(set) var count = 0
    var plain = 0
    func add() { count += 1 }
  }
  final class Derived: ObservableObject {
    let inner = Model()
  }
  class Base: NSObject, ObservableObject { @Published var one = 1 }
  final class More: Base { @Published var two = 2 }
  final class ByHand: ObservableObject {
    let objectWillChange = PassthroughSubject<Void, Never>()
    var value = 0 { willSet { objectWillChange.send() } }
  }

  @Test("A published property sends its current value first, and new values before it changes")
  func published() {
    let model = Model()
    var history: [String] = []
    let tie = model.$name.sink { history.append("\($0) while \(model.name)") }
    model.name = "b"
    model.name = "b"
    #expect(history == ["a while a", "b while a", "b while b"])
    #expect(model.name == "b")
    tie.cancel()
  }

  @Test("objectWillChange fires before any published property changes, also those of a superclass")
  func willChange() {
    let model = Model()
    var history: [String] = []
    let tie = model.objectWillChange.sink { history.append("\(model.name) \(model.count)") }
    model.name = "b"
    model.add()
    model.plain = 1
    #expect(history == ["a 0", "b 0"])
    #expect(model.objectWillChange === model.objectWillChange)
    tie.cancel()
    model.name = "c"
    #expect(history.count == 2)

    let more = More()
    var count = 0
    let both = more.objectWillChange.sink { count += 1 }
    more.one = 3
    more.two = 4
    #expect(count == 2)
    both.cancel()

    let derived = Derived()
    var told = 0
    let plain = derived.objectWillChange.sink { told += 1 }
    derived.objectWillChange.send()
    #expect(told == 1)
    plain.cancel()

    let byHand = ByHand()
    let hand = byHand.objectWillChange.sink { told += 1 }
    byHand.value = 1
    #expect(told == 2)
    hand.cancel()
  }

  @Test("assign sets properties, including published ones, whose object it does not retain")
  func assign() {
    let model = Model()
    let subject = PassthroughSubject<String, Never>()
    let tie = subject.assign(to: \.name, on: model)
    subject.send("x")
    #expect(model.name == "x")
    tie.cancel()
    subject.send("y")
    #expect(model.name == "x")
    subject.assign(to: &model.$name)
    subject.send("z")
    #expect(model.name == "z")
    weak var gone: Model?
    do {
      let short = Model()
      gone = short
      subject.assign(to: &short.$name)
    }
    subject.send("w")
    #expect(gone == nil)
  }
}
