import CNearbyVirtualTime

/// Dispatch's timer sources that were made in a world.
final class TimerSources: Sendable {
  static let shared = TimerSources()

  struct Source {
    let context: Context
    /// Retained.
    var queue: Address?
    /// Blocks, owned.
    var handler: Address?
    var cancelHandler: Address?
    /// Nanoseconds of virtual time; `.max` for never.
    var time: Int64 = .max
    var interval: Int64 = .max
    /// Changes whenever the timer is set.
    var generation = 0
    /// How often the source was suspended and not resumed; a new one is.
    var suspensions = 1
    /// Whether it came due while it was suspended.
    var isMissed = false
  }

  private let sources = Locked<[Address: Source]>([:])

  func add(_ source: Address, on queue: Address?, as context: Context) {
    if let queue { nvt_retain(queue) }
    sources.withLock { $0[source] = Source(context: context, queue: queue) }
  }

  /// Changes a source and returns what the change returns; `nil` if the source is unknown.
  func change<Result>(_ source: Address, _ body: (inout Source) -> Result) -> Result? {
    sources.withLock { sources in
      guard var known = sources[source] else { return nil }
      defer { sources[source] = known }
      return body(&known)
    }
  }

  func remove(_ source: Address) -> Source? { sources.withLock { $0.removeValue(forKey: source) } }

  func removeAll(of world: Int32) {
    let ended = sources.withLock { sources in
      let ended = sources.filter { $0.value.context.pointee.world == world }
      for source in ended.keys { sources[source] = nil }
      return Array(ended.values)
    }
    for source in ended {
      if let queue = source.queue { nvt_release(queue) }
      if let handler = source.handler { nvt_release_block(handler) }
      if let handler = source.cancelHandler { nvt_release_block(handler) }
    }
  }
}

extension TimerSources {
  func setHandler(_ block: Address?, of source: Address) -> Bool {
    let copy = block.map(nvt_copy_block)
    let old = change(source) { known in
      defer { known.handler = copy }
      return OldBlock(block: known.handler.map { ($0, known.context) })
    }
    guard let old else { return refuse(copy) }
    // Not at once, because this may be the handler that is running.
    if let old = old.block {
      Registry.line(old.context)?.append(
        Piece(.function(nvt_release_block, old.address), on: nil, as: old.context))
    }
    return true
  }

  func setCancelHandler(_ block: Address?, of source: Address) -> Bool {
    let copy = block.map(nvt_copy_block)
    let old = change(source) { known in
      defer { known.cancelHandler = copy }
      return known.cancelHandler
    }
    guard let old else { return refuse(copy) }
    if let old { nvt_release_block(old) }
    return true
  }

  /// Releases the copy of a block whose source is unknown.
  private func refuse(_ copy: Address?) -> Bool {
    if let block = copy { nvt_release_block(block) }
    return false
  }

  func set(_ source: Address, to time: Int64, interval: Int64) -> Bool {
    let known = change(source) { known in
      known.generation += 1
      (known.time, known.interval, known.isMissed) = (time, interval, false)
      return known
    }
    guard let known else { return false }
    if time != .max { known.schedule(source) }
    return true
  }

  func setQueue(_ queue: Address, of source: Address) -> Bool {
    let old = change(source) { known in
      defer { known.queue = queue }
      return known.queue
    }
    guard let old else { return false }
    nvt_retain(queue)
    if let old { nvt_release(old) }
    return true
  }

  func suspend(_ source: Address, by change: Int) -> Bool {
    let due = self.change(source) { known -> Source? in
      known.suspensions = max(0, known.suspensions + change)
      guard known.suspensions == 0, known.isMissed else { return nil }
      known.isMissed = false
      return known
    }
    guard let due else { return false }
    if let due { due.call() }
    return true
  }

  /// Forgets a source that was cancelled, or whose last reference was released, and calls its cancel handler.
  func end(_ source: Address) -> Bool {
    guard let known = remove(source) else { return false }
    let line = Registry.line(known.context)
    if let handler = known.cancelHandler {
      let piece = Piece(.function(nvt_call_and_release_block, handler), on: known.queue, as: known.context)
      if let line { line.append(piece) } else { piece.drop() }
    }
    if let handler = known.handler {
      if let line {
        line.append(Piece(.function(nvt_release_block, handler), on: nil, as: known.context))
      } else {
        nvt_release_block(handler)
      }
    }
    if let queue = known.queue { nvt_release(queue) }
    return true
  }
}

extension TimerSources.Source {
  func schedule(_ source: Address) {
    Registry.line(context)?.append(
      Piece(.source(source, generation: generation), on: queue, as: context), at: time)
  }

  /// Sends the handler to its queue.
  fileprivate func call() {
    guard let handler else { return }
    _ = nvt_copy_block(handler)
    Registry.line(context)?.append(
      Piece(.function(nvt_call_and_release_block, handler), on: queue, as: context))
  }
}

extension AppLine {
  /// Calls the handler of a source that is due, and schedules its next time.
  func fire(_ source: Address, _ generation: Int, _ piece: Piece) {
    let due = TimerSources.shared.change(source) { known -> TimerSources.Source? in
      guard known.generation == generation else { return nil }
      if known.interval > 0, known.interval != .max {
        let (next, isPast) = known.time.addingReportingOverflow(known.interval)
        known.time = isPast ? .max : next
      } else {
        known.time = .max
      }
      if known.suspensions > 0 { known.isMissed = true }
      return known
    }
    guard let due = due ?? nil else { return }
    if due.time != .max { due.schedule(source) }
    guard due.suspensions == 0, let handler = due.handler else { return }
    _ = nvt_copy_block(handler)
    execute(as: piece.context, on: piece.queue) { nvt_call_and_release_block(handler) }
  }
}

/// A block that was replaced by another one.
private struct OldBlock: @unchecked Sendable {
  let block: (address: Address, context: Context)?
}
