import Dispatch
import Foundation
import NearbyConcurrency
import Synchronization

/// Sees to it that a loop goes on whose thread is held up by an app.
///
/// Looks every few milliseconds while loops' threads run apps' code at all, and sleeps else.
final class LoopWatch: Sendable {
  static let shared = LoopWatch()
  /// So long an app may keep a loop's thread.
  private static let patience: UInt64 = 5_000_000
  /// How long it goes on looking when nothing happens, in looks.
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

  /// A loop's thread goes to run apps' code.
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
        // Whoever came in between has seen it awake.
        if !isUsed.exchange(false, ordering: .sequentiallyConsistent) { alarm.wait() }
        isAwake.store(true, ordering: .sequentiallyConsistent)
      }
      Thread.sleep(forTimeInterval: Double(Self.patience) * 1e-9)
      idle = isUsed.exchange(false, ordering: .sequentiallyConsistent) ? 0 : idle + 1
      if look() { idle = 0 }
    }
  }

  /// - Returns: Whether any loop's thread is away.
  private func look() -> Bool {
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
