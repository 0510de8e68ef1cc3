import Combine
import Testing

@Suite("Lifetimes")
struct LifetimeTests {
  /// Whether a subscriber that holds its subscription stays alive when nothing else holds it.
  private func livesOn<P: Publisher>(_ publisher: P, _ end: () -> Void, isCancelled: Bool = false) -> Bool {
    weak var kept: CombineRecorder<P.Output, P.Failure>?
    do {
      let recorder = CombineRecorder<P.Output, P.Failure>()
      kept = recorder
      publisher.receive(subscriber: recorder)
      if isCancelled { recorder.cancel() }
      end()
    }
    return kept != nil
  }

  @Test(
    "A subscriber that holds its subscription is released on completion and on cancel",
    arguments: [true, false])
  func kept(isCancelled: Bool) {
    func check<P: Publisher>(_ what: String, _ make: (PassthroughSubject<Int, Trouble>) -> P) {
      let subject = PassthroughSubject<Int, Trouble>()
      let isLeft = livesOn(
        make(subject),
        {
          subject.send(1)
          if !isCancelled { subject.send(completion: .finished) }
        }, isCancelled: isCancelled)
      #expect(!isLeft, "\(what)")
    }
    check("map") { $0.map { $0 + 1 } }
    check("filter, scan") { $0.filter { $0 > 0 }.scan(0, +) }
    check("first") { $0.first() }
    check("collect") { $0.collect() }
    check("merge") { $0.merge(with: Empty<Int, Trouble>()) }
    check("zip") { $0.zip(Just(1).setFailureType(to: Trouble.self)) }
    check("flatMap") { $0.flatMap { Just($0).setFailureType(to: Trouble.self) } }
    check("itself") { $0 }
  }

  @Test("A subscriber of a publisher that completes immediately is released")
  func sources() {
    #expect(!livesOn((1...3).publisher.map { $0 }, {}))
    #expect(!livesOn(Just(1).collect(), {}))
    #expect(!livesOn(Empty<Int, Never>().count(), {}))
  }
}
