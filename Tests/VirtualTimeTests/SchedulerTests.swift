import Combine
import Dispatch
import Foundation
import NearbyTesting
import Testing

@Suite("Combine's schedulers in virtual time")
struct SchedulerTests {
  @Test("Actions run at their virtual time, as their phone", arguments: ["queue", "run loop", "operations"])
  func schedulers(name: String) async {
    let scene = Scene()
    let log = scene.logPhone
    let cancellables = [scene.phone, scene.other].map { phone in
      phone.run {
        switch name {
        case "queue": Self.schedule(on: DispatchQueue(label: "scheduler"), log)
        case "run loop": Self.schedule(on: RunLoop.main, log)
        default: Self.schedule(on: OperationQueue.main, log)
        }
      }
    }
    await scene.world.advance(by: .milliseconds(1700))
    cancellables.forEach { $0.cancel() }
    await scene.world.advance(by: .seconds(1))
    for phone in ["Ann", "Ben"] {
      let mine = scene.history.lines.filter { $0.contains(phone) }
      #expect(
        mine == ["0 \(phone) now", "500 \(phone) after", "750 \(phone) every", "1250 \(phone) every"])
    }
    #expect(scene.world.stalls == 0)
  }

  private static func schedule<S: Scheduler>(
    on scheduler: S, _ log: @escaping @Sendable (String) -> Void
  ) -> AnyCancellable {
    scheduler.schedule { log("now") }
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(500))) { log("after") }
    let every = scheduler.schedule(
      after: scheduler.now.advanced(by: .milliseconds(750)), interval: .milliseconds(500)
    ) { log("every") }
    return AnyCancellable { every.cancel() }
  }

  @Test("debounce, throttle, delay, timeout and Timer.publish follow virtual time, as their phone")
  func operators() async {
    let scene = Scene()
    let apps = [scene.phone, scene.other].map { phone in phone.launch { TimingApp(scene.logPhone) } }
    await scene.world.advance(by: .seconds(5))
    let expected = [
      "0 throttle 0", "250 delay 0", "300 debounce 0", "900 throttle 1", "1000 tick", "1150 delay 1",
      "1250 delay 2",
      "1300 debounce 2", "1400 throttle 2", "2000 tick", "3000 tick", "3000 timeout",
    ]
    for phone in ["Ann", "Ben"] {
      let mine = scene.history.lines.compactMap { line in
        line.contains(" \(phone) ") ? line.replacingOccurrences(of: " \(phone)", with: "") : nil
      }
      #expect(mine.sorted() == expected.sorted())
    }
    #expect(scene.history.lines.count == 2 * expected.count)
    #expect(scene.world.stalls == 0)
    withExtendedLifetime(apps) {}
  }
}

/// Publishes 0 at once, 1 after 0.9 s and 2 after 1 s, and observes that with operators that wait.
private final class TimingApp {
  private let subject = PassthroughSubject<Int, Never>()
  private var cancellables: Set<AnyCancellable> = []

  init(_ log: @escaping @Sendable (String) -> Void) {
    let main = DispatchQueue.main
    subject.delay(for: .milliseconds(250), scheduler: main).sink { log("delay \($0)") }.store(
      in: &cancellables)
    subject.debounce(for: .milliseconds(300), scheduler: RunLoop.main).sink { log("debounce \($0)") }
      .store(in: &cancellables)
    subject.throttle(for: .milliseconds(500), scheduler: main, latest: true).sink { log("throttle \($0)") }
      .store(in: &cancellables)
    subject.timeout(.seconds(2), scheduler: OperationQueue.main).sink(
      receiveCompletion: { _ in log("timeout") }, receiveValue: { _ in }
    ).store(in: &cancellables)
    Timer.publish(every: 1, on: .main, in: .common).autoconnect().prefix(3).sink { _ in log("tick") }
      .store(in: &cancellables)
    subject.send(0)
    for (value, delay) in [(1, 0.9), (2, 1.0)] {
      let subject = Unchecked(subject)
      main.asyncAfter(deadline: .now() + delay) { subject.value.send(value) }
    }
  }

  /// A subject is thread-safe, although it does not say so.
  private struct Unchecked: @unchecked Sendable {
    let value: PassthroughSubject<Int, Never>
    init(_ value: PassthroughSubject<Int, Never>) { self.value = value }
  }
}
