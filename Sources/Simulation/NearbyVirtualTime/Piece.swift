import CNearbyVirtualTime
import Glibc

typealias Context = UnsafePointer<nvt_context>
typealias Address = UnsafeMutableRawPointer

/// A piece of an app's code: what one block or job runs until it ends or waits.
struct Piece: @unchecked Sendable {
  enum Work {
    case function(nvt_function, Address?)
    /// A job of Swift's concurrency runtime.
    case job(Address, isMain: Bool)
    case body(@Sendable () -> Void)
    /// A timer source fires, unless it was set again since.
    case source(Address, generation: Int)
    case timer(Address, generation: Int)
    /// Polls a waiter, and ends its wait if the result is true.
    case resume(Waiter)
    /// Ends a wait at its deadline.
    case expire(Waiter)
  }

  let context: Context
  /// The queue to run on, retained until the piece has run; `nil` for any thread.
  let queue: Address?
  /// The serial queue that runs one piece at a time, if the queue is one or is targeted at one.
  let lane: Address?
  let work: Work

  /// - Parameter queue: Is retained.
  init(_ work: Work, on queue: Address?, as context: Context) {
    (self.context, self.queue, self.work) = (context, queue, work)
    lane = queue.flatMap(nvt_serial_queue)
    if let queue { nvt_retain(queue) }
  }

  /// Releases the queue and the block without running it. Any other argument is leaked: only its function knows how
  /// to free it.
  func drop() {
    if let queue { nvt_release(queue) }
    guard case .function(let function, let argument) = work, let argument else { return }
    if Self.isOne(function, of: [nvt_call_and_release_block, nvt_release_block]) {
      nvt_release_block(argument)
    } else {
      // The source remains suspended, because its handler must not run after the end of its world.
      _ = nvt_drop_fired(function, argument)
    }
  }

  private static func isOne(_ function: nvt_function, of others: [nvt_function]) -> Bool {
    others.contains { unsafeBitCast($0, to: Int.self) == unsafeBitCast(function, to: Int.self) }
  }
}

/// A thread that waits for its world's turn.
final class Waiter: @unchecked Sendable {
  let object: Address?
  let poll: @convention(c) (Address?) -> Bool
  /// Whether to poll whenever time is about to move on.
  let repeats: Bool
  let context: Context
  /// The thread that waits; 0 for a thread that has not begun.
  var thread: Int32
  /// The serial queues on which the thread runs, which are held while it waits.
  var lanes: [Address] = []
  /// Runs the main queue's pieces on the waiting thread, which is in a run loop there.
  var server: MainServer?
  /// The wait for the turn itself.
  let gate = Gate()
  // Changed with the line's lock held.
  var isQueued = false
  var isOver = false
  var hasDeadline = false
  var timedOut = false

  init(
    _ object: Address?, as context: Context, repeats: Bool = false, thread: Int32 = nvt_thread_number(),
    poll: @escaping @convention(c) (Address?) -> Bool
  ) {
    (self.object, self.poll, self.repeats, self.context) = (object, poll, repeats, context)
    self.thread = thread
  }
}

/// A semaphore of the C library, whose waits are in real time.
final class Gate: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func open() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 {} }

  /// - Returns: Whether the gate was opened in time.
  func wait(milliseconds: Int) -> Bool {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    // The present and some milliseconds are far from the limits.
    until.tv_nsec &+= milliseconds &* 1_000_000
    until.tv_sec &+= until.tv_nsec / 1_000_000_000
    until.tv_nsec %= 1_000_000_000
    while sem_timedwait(semaphore, &until) != 0 {
      if errno == ETIMEDOUT { return false }
    }
    return true
  }
}
