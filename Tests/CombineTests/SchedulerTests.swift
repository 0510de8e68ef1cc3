import Combine
import Dispatch
import Testing

@Suite("Foundation's schedulers", .timeLimit(.minutes(1)))
struct SchedulerTests {
  @Test("A run loop's timer does not fire before its first interval has passed")
  func firstTick() {
    var count = 0
    let tie = Timer.publish(every: 3600, on: .current, in: .default).autoconnect().sink { _ in count += 1 }
    for _ in 0..<3 { _ = RunLoop.current.run(mode: .default, before: Date()) }
    #expect(count == 0)
    tie.cancel()
  }

  @Test("A value for a run loop that waits in another thread wakes it")
  func wakesRunLoop() async {
    let subject = PassthroughSubject<Int, Never>()
    let values: [Int] = await withCheckedContinuation { continuation in
      let ready = DispatchSemaphore(value: 0)
      let loop = Guard<RunLoop?>(nil)
      let keeper = Guard<Timer?>(nil)
      let gathered = Guard([Int]())
      Thread.detachNewThread {
        loop.value = .current
        // The loop has only this timer, and ends when it is invalidated.
        let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
        RunLoop.current.add(timer, forMode: .default)
        keeper.value = timer
        ready.signal()
        while RunLoop.current.run(mode: .default, before: .distantFuture), timer.isValid {}
        continuation.resume(returning: gathered.value)
      }
      ready.wait()
      guard let target = loop.value else { return }
      let tie = Guard<AnyCancellable?>(nil)
      tie.value = subject.receive(on: target).sink { value in
        gathered.value.append(value)
        guard value == 3 else { return }
        keeper.value?.invalidate()
        tie.value = nil
      }
      for number in 1...3 { subject.send(number) }
    }
    #expect(values == [1, 2, 3])
  }

  @Test("An operation queue runs actions in its operations, one after the other if it is serial")
  func operationQueue() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let values: [Int] = await withCheckedContinuation { continuation in
      let gathered = Guard([Int]())
      let tie = Guard<AnyCancellable?>(nil)
      tie.value = (1...50).publisher.receive(on: queue).sink { _ in
        continuation.resume(returning: gathered.value)
        tie.value = nil
      } receiveValue: {
        if OperationQueue.current === queue { gathered.value.append($0) }
      }
    }
    #expect(values == Array(1...50))
  }

  @Test("Actions of the past run at once, repeated ones until they are cancelled")
  func repeated() async {
    let queue = DispatchQueue(label: "repeated")
    let count: Int = await withCheckedContinuation { continuation in
      let state = Guard<(count: Int, tie: (any Cancellable)?)>((0, nil))
      queue.async {
        state.value.tie = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
          state.value.count += 1
          guard state.value.count == 3 else { return }
          state.value.tie?.cancel()
          // Another turn, in which a timer that still runs would have fired.
          queue.async { continuation.resume(returning: state.value.count) }
        }
      }
    }
    #expect(count == 3)
  }

  @Test("Strides are written as apps do")
  func strides() {
    let half: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(500)
    #expect(half == 0.5 && half == .init(.milliseconds(500)) && half + half == .seconds(1))
    #expect(RunLoop.SchedulerTimeType.Stride(.microseconds(5)) == .microseconds(5))
    #expect(OperationQueue.SchedulerTimeType.Stride.nanoseconds(5) == 0.000_000_005)
    #expect(SecondsStride(.seconds(2)) == 2 && SecondsStride(.nanoseconds(7)) == .nanoseconds(7))
    #expect(SecondsStride(.never) > .seconds(1_000_000_000))
    let now = DispatchQueue.SchedulerTimeType(.init(uptimeNanoseconds: 1_000_000_000))
    #expect(now.distance(to: now.advanced(by: 2)) == 2)
  }
}
