import CNearbyVirtualTime
import Dispatch
import NearbyDevice
import NearbySchedule
import NearbySimulated

/// Runs the apps of one world, one piece of code at a time, in the world's time. It has a line of the pieces that may
/// run now, and a heap of those that are due later.
///
/// Exactly one thread has the world's turn: it runs the world's own events and the apps' pieces. When a piece waits,
/// its thread blocks and another thread gets the turn and runs the next piece or event. So an app's code runs on the
/// queues that it asked for, and still in one reproducible order.
///
/// Of simultaneous events the world's own come first, then apps' pieces in the order in which they were due.
package final class AppLine: Sendable {
  struct State {
    /// Pieces that may run now, from `head` on.
    var ready: [Piece] = []
    var head = 0
    var deadlines = EventHeap<Int64, Piece>()
    /// The number of deadlines of waits that are over.
    var stale = 0
    var waiters: [Waiter] = []
    /// Threads of the apps' own that have not begun.
    var announced: [Address: Waiter] = [:]
    /// Serial queues on which a piece waits, and the pieces sent to them since.
    var held: [Address: [Piece]] = [:]
    /// Threads that lost the turn inside a piece, and the queues that are held until that piece ends.
    var stalled: [Int32: [Address]] = [:]
    /// The number of pieces since time last moved.
    var piecesNow = 0
    /// The number of pieces in line for each queue.
    var inLine: [Address: Int] = [:]
    /// The thread that has the turn; 0 while it is passed on, and while time stands still.
    var holder: Int32 = 0
    /// The piece that has the turn: its phone and queue, for reports.
    var running: (phone: Int32, queue: Address?)?
    /// The thread that runs the world's own work, which may enter queues at once.
    var engineThread: Int32 = 0
    /// How often the turn has changed its thread or piece.
    var turns: UInt64 = 0
    /// The time to stop at.
    var end = Duration.zero
    var caller: Caller?
    /// Threads that run the main queue's pieces, the innermost last.
    var servers: [MainServer] = []
    var stalls = 0
    /// The phone whose code was the last to lose its turn on the main queue.
    var stalledOnMain: Int32?
    var isOver = false
    var contexts: [Int32: Context] = [:]
    var own: [Int32: OwnObjects] = [:]
  }

  let number: Int32
  /// Never freed, because contexts may outlive the world.
  nonisolated(unsafe) let clock: UnsafeMutablePointer<nvt_clock>
  private let state = Locked(State())
  private let engineBox: WeakEngine
  /// Held by the thread that advances time, or that launches an app.
  let callers = CallerLock()

  private final class WeakEngine: @unchecked Sendable {
    weak var engine: (any WorldEngine)?
    init(_ engine: any WorldEngine) { self.engine = engine }
  }

  var engine: (any WorldEngine)? { engineBox.engine }

  /// - Parameters:
  ///   - engine: The world; held weakly.
  ///   - startDate: The date that apps see at time 0, in nanoseconds since 1970.
  package init(_ engine: any WorldEngine, startDate: Int64) {
    engineBox = WeakEngine(engine)
    clock = .allocate(capacity: 1)
    clock.initialize(
      to: nvt_clock(
        now: engine.now.inNanoseconds, uptime_at_zero: Self.uptimeAtZero, wall_at_zero: startDate))
    Registry.keep(clock)
    number = Registry.nextNumber()
    Registry.add(self)
  }

  /// Eleven and a half days: no app sees an uptime near 0.
  private static let uptimeAtZero: Int64 = 1_000_000_000_000_000

  func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try state.withLock(body)
  }

  /// Called only by the thread that has the turn.
  func setClock(to time: Int64) { nvt_clock_set(clock, time) }

  func context(of phone: Int32) -> Context {
    withState { state in
      if let context = state.contexts[phone] { return context }
      let context = UnsafeMutablePointer<nvt_context>.allocate(capacity: 1)
      context.initialize(to: nvt_context(clock: clock, world: number, phone: phone))
      state.contexts[phone] = Context(context)
      Registry.keep(context)
      return Context(context)
    }
  }

  /// What a phone has of its own; `nil` for code of no phone and after the world's end.
  func own(_ phone: Int32) -> OwnObjects? {
    guard phone >= 0 else { return nil }
    if let known = withState({ $0.own[phone] }) { return known }
    // Not under the lock: Foundation may call functions that need it.
    let made = OwnObjects()
    return withState { state in
      if state.isOver { return nil }
      if let known = state.own[phone] { return known }
      state.own[phone] = made
      return made
    }
  }

  /// How often a piece lost its turn because it waited for an event outside the world's time, such as a socket or a
  /// lock, or computed for very long.
  package var stalls: Int { withState { $0.stalls } }

  // MARK: The line

  /// Puts a piece in line. After the world's end it is dropped.
  func append(_ piece: Piece) {
    let isOver = withState { state in
      if !state.isOver { state.append(piece) }
      return state.isOver
    }
    if isOver { piece.drop() }
  }

  func append(_ piece: Piece, at time: Int64) {
    let isOver = withState { state in
      if !state.isOver { state.deadlines.insert(piece, at: time) }
      return state.isOver
    }
    if isOver { piece.drop() }
  }

  func signalled(_ object: Address) { withState { $0.signalled(object) } }
}

extension AppLine.State {
  mutating func append(_ piece: Piece) {
    if let queue = piece.queue { inLine[queue, default: 0] += 1 }
    ready.append(piece)
  }

  /// Removes the next piece from the line. Pieces for held queues are set aside until the queue is released.
  mutating func takeReady() -> Piece? {
    while head < ready.count {
      let piece = ready[head]  // Bounded: by the loop's condition.
      head += 1
      piecesNow += 1
      if head == ready.count {
        ready.removeAll(keepingCapacity: true)
        head = 0
      } else if head >= 1024, head * 2 >= ready.count {
        ready.removeFirst(head)
        head = 0
      }
      if let lane = piece.lane, held[lane] != nil {
        held[lane]?.append(piece)
        continue
      }
      if let queue = piece.queue { leave(queue) }
      return piece
    }
    return nil
  }

  private mutating func leave(_ queue: Address) {
    guard let count = inLine[queue] else { return }
    inLine[queue] = count > 1 ? count - 1 : nil
  }

  /// Puts the pieces that are due first in line: all those of one instant.
  mutating func takeDue(at now: Int64) -> Bool {
    guard let time = deadlines.first?.time, time <= now else { return false }
    while let first = deadlines.first, first.time == time, let due = deadlines.removeFirst() {
      if case .expire(let waiter) = due.event.work, waiter.isOver {
        stale -= 1
        continue
      }
      append(due.event)
    }
    return true
  }

  /// How many pieces may run before time must move. An app that sends itself work again and again would otherwise
  /// stop its world for good.
  private static let mostPiecesAtOnce = 10_000

  /// Whether time must move before the next piece.
  var isBusy: Bool { piecesNow >= Self.mostPiecesAtOnce }

  /// How far time may move from `now` in one step. For a busy app 0.1 ms, after which 64 more pieces may run.
  mutating func nextLimit(after now: Duration) -> Duration {
    let limit = deadlines.first.map { min(end, .nanoseconds($0.time)) } ?? end
    guard isBusy else {
      piecesNow = 0
      return limit
    }
    piecesNow = Self.mostPiecesAtOnce - 64
    return min(limit, now + .microseconds(100))
  }

  /// Holds queues, so that pieces sent to them stay in line.
  ///
  /// - Returns: The queues that were not held before.
  mutating func hold(_ lanes: [Address]) -> [Address] {
    let new = lanes.filter { held[$0] == nil }
    for lane in new { held[lane] = [] }
    return new
  }

  /// Puts the pieces that were sent to held queues at the head of the line.
  mutating func release(_ lanes: [Address]) {
    for lane in lanes {
      guard let pieces = held.removeValue(forKey: lane), !pieces.isEmpty else { continue }
      ready.insert(contentsOf: pieces, at: head)
    }
  }

  mutating func signalled(_ object: Address) {
    for waiter in waiters where waiter.object == object && !waiter.isQueued {
      waiter.isQueued = true
      append(Piece(.resume(waiter), on: nil, as: waiter.context))
    }
  }

  /// Asks the waiters that want to be asked before time moves on.
  mutating func pollAgain() -> Bool {
    var isAny = false
    for waiter in waiters where waiter.repeats && !waiter.isQueued && waiter.poll(waiter.object) {
      waiter.isQueued = true
      append(Piece(.resume(waiter), on: nil, as: waiter.context))
      isAny = true
    }
    return isAny
  }

  /// Ends a wait and gives the waiter's thread the turn.
  mutating func wake(_ waiter: Waiter, timedOut: Bool) {
    waiter.isOver = true
    waiter.timedOut = timedOut
    waiters.removeAll { $0 === waiter }
    release(waiter.lanes)
    if waiter.hasDeadline, !timedOut { forgetDeadline() }
    holder = waiter.thread
    turns += 1
  }

  private mutating func forgetDeadline() {
    stale += 1
    guard stale > 256 else { return }
    deadlines.removeAll { entry in
      guard case .expire(let waiter) = entry.event.work else { return false }
      return waiter.isOver
    }
    stale = 0
  }
}
