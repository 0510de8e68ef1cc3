import Dispatch
import Foundation
import NearbyConcurrency
import NearbyEventLoop
import NearbyPeerNetwork
import Synchronization

/// Runs the blocks of one of the library's queues in FIFO order, one at a time: on the queue, or on the network thread
/// that received their cause, which saves a change of threads.
final class SerialTurn: Sendable {
  private struct State: Sendable {
    var blocks: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private static let key = DispatchSpecificKey<SerialTurn>()
  private static let making = Mutex<Void>(())

  private let state = Guarded(State())

  /// The turn of a queue. All blocks of the queue must go through it.
  static func of(_ queue: DispatchQueue) -> SerialTurn {
    if let turn = queue.getSpecific(key: key) { return turn }
    return making.withLock { _ in
      if let turn = queue.getSpecific(key: key) { return turn }
      let turn = SerialTurn()
      queue.setSpecific(key: key, value: turn)
      return turn
    }
  }

  /// Runs a block after those enqueued before, never inside this call.
  func perform(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.blocks.append(block)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard begins else { return }
    if let loop = DeliveringLoop.current {
      loop.atRest { [self] isServing in drain(on: queue, while: isServing) }
    } else {
      queue.async { [self] in drain(on: queue) { true } }
    }
  }

  private func drain(on queue: DispatchQueue, while mayGoOn: () -> Bool) {
    while true {
      let blocks = state.withLock { state in
        defer { state.blocks = [] }
        if state.blocks.isEmpty { state.isRunning = false }
        return state.blocks
      }
      guard !blocks.isEmpty else { return }
      for block in blocks { block() }
      // Other blocks wait for the thread, or the turn was replaced.
      guard mayGoOn() else { return queue.async { [self] in drain(on: queue) { true } } }
    }
  }
}

/// The loop that is delivering to its users on this thread.
enum DeliveringLoop {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var current: EventLoop? {
    pthread_getspecific(key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Parameter body: Blocks that it enqueues on users' queues run between the loop's turns.
  static func withLoop(_ loop: EventLoop, _ body: () -> Void) {
    pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque())
    body()
    pthread_setspecific(key, nil)
  }
}
