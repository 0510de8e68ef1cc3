import CNearbyVirtualTime

/// Foundation's timers that were made in a world. They fire on the main queue, whatever run loop they are added to.
final class RunLoopTimers: Sendable {
  static let shared = RunLoopTimers()

  struct Timer {
    let context: Context
    let callout: Address
    let info: Address?
    /// Seconds since 2001 in the world's wall time.
    var date: Double
    let interval: Double
    var generation = 0
    /// An added timer is retained until it is invalidated.
    var isAdded = false
  }

  private let timers = Locked<[Address: Timer]>([:])

  func add(_ timer: Address, _ entry: Timer) { timers.withLock { $0[timer] = entry } }

  func change<Result>(_ timer: Address, _ body: (inout Timer) -> Result) -> Result? {
    timers.withLock { timers in
      guard var known = timers[timer] else { return nil }
      defer { timers[timer] = known }
      return body(&known)
    }
  }

  /// Schedules a timer that is added to a run loop. Returns false for a timer of no world.
  func addToLoop(_ timer: Address) -> Bool {
    let added = change(timer) { known -> Timer? in
      guard !known.isAdded else { return nil }
      known.isAdded = true
      return known
    }
    guard let added else { return false }
    if let added {
      nvt_timer_retain(timer)
      added.schedule(timer)
    }
    return true
  }

  func move(_ timer: Address, to date: Double) {
    let moved = change(timer) { known -> Timer? in
      known.generation += 1
      known.date = date
      return known.isAdded ? known : nil
    }
    if let moved = moved ?? nil { moved.schedule(timer) }
  }

  /// Forgets a timer. Also called for each new timer: its address may be that of one which was released without having
  /// been added to a run loop.
  func invalidate(_ timer: Address) {
    let known = timers.withLock { $0.removeValue(forKey: timer) }
    if known?.isAdded == true { nvt_timer_release(timer) }
  }

  func removeAll(of world: Int32) {
    let ended = timers.withLock { timers in
      let ended = timers.filter { $0.value.context.pointee.world == world }
      for timer in ended.keys { timers[timer] = nil }
      return ended.filter(\.value.isAdded).map(\.key)
    }
    for timer in ended {
      nvt_timer_invalidate(timer)
      nvt_timer_release(timer)
    }
  }
}

extension RunLoopTimers.Timer {
  /// The time of the world at the timer's date.
  private var time: Int64 {
    let clock = context.pointee.clock.pointee
    let secondsAt2001 = 978_307_200.0
    let wall = (date + secondsAt2001) * 1e9 - Double(clock.wall_at_zero)
    // Dates have a resolution of 0.1 µs these years: a timer must not fire before its date.
    return Int64(exactly: max(0, wall.rounded())) ?? .max
  }

  fileprivate func schedule(_ timer: Address) {
    let time = time
    guard time != .max else { return }
    Registry.line(context)?.append(
      Piece(.timer(timer, generation: generation), on: nvt_main_queue(), as: context), at: time)
  }
}

extension AppLine {
  func fireTimer(_ timer: Address, _ generation: Int, _ piece: Piece) {
    let due = RunLoopTimers.shared.change(timer) { known -> RunLoopTimers.Timer? in
      guard known.generation == generation else { return nil }
      // Also a tiny interval moves the date on, so that time does.
      if known.interval > 0 { known.date = max(known.date + known.interval, known.date.nextUp) }
      return known
    }
    guard let due = due ?? nil else { return }
    nvt_timer_retain(timer)
    if due.interval > 0 { due.schedule(timer) }
    execute(as: piece.context, on: piece.queue) {
      if due.interval > 0 { nvt_timer_set_next(timer, due.date) }
      nvt_call_timer(due.callout, timer, due.info)
      guard due.interval <= 0, RunLoopTimers.shared.change(timer, { $0.generation }) == generation else {
        return
      }
      RunLoopTimers.shared.invalidate(timer)
      nvt_timer_invalidate(timer)
    }
    nvt_timer_release(timer)
  }
}
