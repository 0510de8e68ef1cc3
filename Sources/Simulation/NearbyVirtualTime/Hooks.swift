import CNearbyVirtualTime
import NearbyDevice

/// The functions that the interposed ones call. They run on the app's threads.
enum Hooks {
  /// Sets the hooks, once for the life of the process.
  static let installed: Void = {
    let hooks = UnsafeMutablePointer<nvt_hooks>.allocate(capacity: 1)
    hooks.initialize(to: table)
    nvt_install(hooks)
    DeviceOfThread.set(
      Registry.deviceHere,
      outside: { body in
        let before = nvt_exchange(nil)
        defer { nvt_exchange(before) }
        body()
      })
  }()

  private static func append(_ piece: Piece, at time: Int64? = nil) -> Bool {
    guard let line = Registry.line(piece.context) else {
      piece.drop()
      return false
    }
    if let time { line.append(piece, at: time) } else { line.append(piece) }
    return true
  }

  static var table: nvt_hooks {
    nvt_hooks(
      async: { context, queue, function, argument in
        _ = Hooks.append(Piece(.function(function, argument), on: queue, as: context))
      },
      after: { context, time, queue, function, argument in
        _ = Hooks.append(Piece(.function(function, argument), on: queue, as: context), at: time)
      },
      sync: { context, queue, function, argument in
        guard let line = Registry.line(context) else { return nvt_real_sync(queue, function, argument) }
        line.sync(on: queue, as: context, function, argument)
      },
      wait: { context, object, deadline, poll, mutex, repeats in
        guard let line = Registry.line(context) else {
          if let mutex { nvt_mutex_unlock(mutex) }
          if deadline != .max { nvt_clock_raise(context.pointee.clock, deadline) }
          return false
        }
        return line.wait(
          for: object, as: context, until: deadline, unlocking: mutex, repeats: repeats, poll: poll)
      },
      run_loop: { context, deadline in
        Registry.line(context)?.runLoop(as: context, until: deadline) ?? false
      },
      signalled: { object in for line in Registry.all { line.signalled(object) } },
      thread_announced: { context, key in Registry.line(context)?.announce(key, as: context) },
      thread_began: { context, key in Registry.line(context)?.begin(key) },
      thread_ended: { context in Registry.line(context)?.endThread() },
      thread_failed: { context, key in Registry.line(context)?.fail(key) },
      source_created: { context, source, queue in TimerSources.shared.add(source, on: queue, as: context) },
      source_set_handler: { source, block in TimerSources.shared.setHandler(block, of: source) },
      source_set_cancel_handler: { source, block in TimerSources.shared.setCancelHandler(block, of: source) },
      source_set_timer: { source, time, interval in
        TimerSources.shared.set(source, to: time, interval: interval)
      },
      source_set_queue: { source, queue in TimerSources.shared.setQueue(queue, of: source) },
      source_suspended: { source, change in TimerSources.shared.suspend(source, by: Int(change)) },
      source_ended: { source in TimerSources.shared.end(source) },
      source_fired: { context, queue, function, argument in
        Hooks.append(Piece(.function(function, argument), on: queue, as: context))
      },
      timer_created: { context, timer, callout, info, date, interval in
        RunLoopTimers.shared.add(
          timer,
          RunLoopTimers.Timer(
            context: context, callout: callout, info: info, date: date, interval: interval))
      },
      timer_added: { timer in RunLoopTimers.shared.addToLoop(timer) },
      timer_moved: { timer, date in RunLoopTimers.shared.move(timer, to: date) },
      timer_invalidated: { timer in RunLoopTimers.shared.invalidate(timer) },
      main_operation_queue: { context in
        Registry.line(context)?.own(context.pointee.phone).map {
          Unmanaged.passRetained($0.operations).toOpaque()
        }
      },
      notification_centre: { context in
        Registry.line(context)?.own(context.pointee.phone).map {
          Unmanaged.passRetained($0.centre).toOpaque()
        }
      },
      context_of_task: { task, here in TaskContexts.shared.context(of: task, here: here) },
      job: { context, job, isMain, time in
        let queue = isMain ? nvt_main_queue() : nil
        let piece = Piece(.job(job, isMain: isMain), on: queue, as: context)
        return Hooks.append(piece, at: time < 0 ? nil : time)
      })
  }
}
