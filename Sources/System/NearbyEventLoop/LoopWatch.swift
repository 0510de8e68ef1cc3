import Dispatch
import Foundation
import NearbyConcurrency
import Synchronization

/// Keeps a loop running whose thread is blocked by an app: after 5 ms another thread takes over.
///
/// It checks every 5 ms while loops run apps' code, and sleeps otherwise.
final class LoopWatch: Sendable {
  static let shared = LoopWatch()
  /// How long an app may block a loop's thread, and the interval between checks, in nanoseconds.
  private static let patience: UInt64 = 5_000_000
  /// Number of checks without activity after which the watch sleeps.
  private static let idleLooks = 200

  private let loops = Mutex<[ObjectIdentifier: WeakBox<EventLoop>]>([:])
  private let isAwake = Atomic<Bool>(false)
  private let isUsed = Atomic<Bool>(false)
  private let alarm = DispatchSemaphore(value: 0)

  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  private init() {
    let thread = Thread { [self] in run() }
    thread.name = "nearby.watch"
    thread.start()
  }

  /// Call before a loop's thread runs apps' code.
  func watch(_ loop: EventLoop) {
    if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .relaxed) }
    guard !loop.isWatched.load(ordering: .relaxed) || !isAwake.load(ordering: .sequentiallyConsistent) else {
      return
    }
    loops.withLock { $0[ObjectIdentifier(loop)] = WeakBox(loop) }
    loop.isWatched.store(true, ordering: .relaxed)
    if !isAwake.exchange(true, ordering: .sequentiallyConsistent) { alarm.signal() }
  }

  private func run() {
    var idle = 0
    while true {
      if idle >= Self.idleLooks {
        idle = 0
        isAwake.store(false, ordering: .sequentiallyConsistent)
        // A loop that called `watch` in between saw the watch awake and did not signal; `isUsed` shows it.
        if !isUsed.exchange(false, ordering: .sequentiallyConsistent) { alarm.wait() }
        isAwake.store(true, ordering: .sequentiallyConsistent)
      }
      Thread.sleep(forTimeInterval: Double(Self.patience) * 1e-9)
      idle = isUsed.exchange(false, ordering: .sequentiallyConsistent) ? 0 : idle + 1
      if checkLoops() { idle = 0 }
    }
  }

  /// - Returns: Whether any loop's thread is running apps' code.
  private func checkLoops() -> Bool {
    let watched = loops.withLock { loops in
      loops = loops.filter { $0.value.object != nil }
      return loops.values.compactMap(\.object)
    }
    let now = Self.now
    var isAny = false
    for loop in watched {
      let since = loop.awaySince.load(ordering: .relaxed)
      guard since != 0 else { continue }
      isAny = true
      if now > since + Self.patience { loop.replaceThread() }
    }
    return isAny
  }
}
