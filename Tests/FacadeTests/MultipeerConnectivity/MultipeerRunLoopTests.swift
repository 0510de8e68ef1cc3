import MultipeerConnectivity
import NearbyTesting
import Synchronization
import Testing

@Suite("Streams in run loops")
struct MultipeerRunLoopTests {
  init() { DispatchQueue.main.setSpecific(key: mainMark, value: true) }

  @Test("A stream in the main run loop calls its delegate on the main queue", .timeLimit(.minutes(10)))
  func main() async throws {
    let pair = Pair(drainsMainQueue: true)
    await pair.world.advance(by: .milliseconds(1))
    pair.connect()
    let output = try pair.atAnn.session.startStream(withName: "s", toPeer: pair.atBen.peer)
    await pair.world.advance(by: .seconds(1))
    let input = try #require(pair.atBen.streams.last)
    let reader = LoopReader(wanted: 3) {}
    reader.start(input, in: .main)
    output.open()
    _ = output.write([1, 2, 3], maxLength: 3)
    output.close()
    await pair.world.advance(by: .seconds(1))
    #expect(reader.octets == [1, 2, 3])
    #expect(reader.wasOnMain == [true])
    #expect(input.streamStatus == .atEnd)
  }

  @Test(
    "Another thread's run loop is woken, and continues to run while it has a stream",
    .timeLimit(.minutes(10)))
  func otherThread() async throws {
    let pair = Pair()
    pair.connect()
    let output = try pair.atAnn.session.startStream(withName: "s", toPeer: pair.atBen.peer)
    await pair.world.advance(by: .seconds(1))
    let input = try #require(pair.atBen.streams.last)
    output.open()
    let thread = LoopThread()
    nonisolated(unsafe) let stream = input
    await thread.start { reader in reader.start(stream, in: .current) }
    // The thread's run loop is running, with the stream as its only source.
    _ = output.write(Array(repeating: 7, count: 1000), maxLength: 1000)
    await pair.world.advance(by: .seconds(1))
    let octets = await thread.octets()
    #expect(octets == Array(repeating: 7, count: 1000))
  }
}

/// A queue-specific key that identifies the main queue, whichever thread serves it.
private let mainMark = DispatchSpecificKey<Bool>()

/// Reads a stream in a run loop.
private final class LoopReader: NSObject, StreamDelegate, @unchecked Sendable {
  // Used on the run loop's thread; state that other threads read is behind the lock.
  private let seen = Mutex<(octets: [UInt8], wasOnMain: Set<Bool>)>(([], []))
  private let wanted: Int
  private let done: @Sendable () -> Void

  init(wanted: Int, done: @escaping @Sendable () -> Void) {
    self.wanted = wanted
    self.done = done
  }

  var octets: [UInt8] { seen.withLock { $0.octets } }
  var wasOnMain: Set<Bool> { seen.withLock { $0.wasOnMain } }

  func start(_ stream: InputStream, in loop: RunLoop) {
    stream.delegate = self
    stream.schedule(in: loop, forMode: .default)
    stream.open()
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    guard eventCode == .hasBytesAvailable, let input = aStream as? InputStream else { return }
    let octets = input.readAll()
    let count = seen.withLock { seen in
      seen.octets += octets
      seen.wasOnMain.insert(DispatchQueue.getSpecific(key: mainMark) != nil)
      return seen.octets.count
    }
    if count >= wanted { done() }
  }
}

/// A thread with a run loop in which a stream is scheduled.
private final class LoopThread: Sendable {
  private let finished = Mutex<(isDone: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))
  private let reader = Mutex<LoopReader?>(nil)

  /// Returns when the loop runs.
  func start(_ prepare: @escaping @Sendable (LoopReader) -> Void) async {
    let reader = LoopReader(wanted: 1000) { [self] in
      let waiter = finished.withLock { state in
        state.isDone = true
        return state.waiter.take()
      }
      waiter?.resume()
    }
    self.reader.withLock { $0 = reader }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        prepare(reader)
        RunLoop.current.perform { continuation.resume() }
        while !finished.withLock({ $0.isDone }) {
          guard RunLoop.current.run(mode: .default, before: .distantFuture) else { return }
        }
      }
    }
  }

  /// All octets, once they have been read.
  func octets() async -> [UInt8] {
    await withCheckedContinuation { continuation in
      let isDone = finished.withLock { state in
        if !state.isDone { state.waiter = continuation }
        return state.isDone
      }
      if isDone { continuation.resume() }
    }
    return reader.withLock { $0 }?.octets ?? []
  }
}
